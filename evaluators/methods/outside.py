"""Methods of other packages: an entry point of the group `touchstone.methods` that leads to a Method.

A plug-in that cannot be registered is left out, and named in a sentence with its package and what it raised: the site
and the other methods do without it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from core.plug_ins import ANY_FAULT, said_by
from evaluators.methods.base import Method, Parameter

GROUP = "touchstone.methods"


class OutsideMethodError(Exception):
    """A package's entry point leads to no method that could be registered."""


@dataclass(frozen=True)
class OutsideMethods:
    """faults: why each of the others could not be registered, by the name of its entry point."""

    methods: dict[str, Method]
    faults: dict[str, str]


def outside_methods(taken: Collection[str]) -> OutsideMethods:
    """The methods of the packages that are installed, by name in the order of their entry points' names.

    taken: names of methods that are registered already.
    """
    methods: dict[str, Method] = {}
    faults: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            method = _load(entry)
            if method.name in {*taken, *methods}:
                raise OutsideMethodError(
                    f"{_place(entry)} brings the method {method.name!r}, and there is one already."
                )
        except OutsideMethodError as error:
            faults[entry.name] = str(error)
        else:
            methods[method.name] = method
    return OutsideMethods(methods, faults)


def _load(entry: EntryPoint) -> Method:
    """Raises OutsideMethodError."""
    try:
        method = entry.load()
        if not isinstance(method, Method):
            raise OutsideMethodError(f"{_place(entry)} leads to {type(method).__name__}, not to a Method.")
        faulty = next((each for each in method.own_parameters if not isinstance(each, Parameter)), None)
        if faulty is not None:
            raise OutsideMethodError(f"{_place(entry)}: {faulty!r} of its own_parameters is not a Parameter.")
    except OutsideMethodError:
        raise
    except ANY_FAULT as error:
        raise OutsideMethodError(f"{_place(entry)} cannot be loaded: {said_by(error)}") from error
    return method


def _place(entry: EntryPoint) -> str:
    package = entry.dist.name if entry.dist else "an unknown package"
    return f"The entry point {entry.name} = {entry.value} of {package}"
