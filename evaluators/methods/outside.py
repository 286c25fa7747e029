"""Methods of other packages: an entry point of the group `touchstone.methods` that leads to a Method."""

from collections.abc import Collection, Iterator
from importlib.metadata import EntryPoint, entry_points

from evaluators.methods.base import Method

GROUP = "touchstone.methods"


class OutsideMethodError(Exception):
    """A package's entry point leads to no method that could be registered."""


def outside_methods(taken: Collection[str]) -> Iterator[Method]:
    """The methods of the packages that are installed, in the order of their entry points' names.

    taken: names of methods that are registered already. Raises OutsideMethodError, which names package and entry point.
    """
    names = set(taken)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        method = _load(entry)
        if method.name in names:
            raise OutsideMethodError(f"{_place(entry)} brings the method {method.name!r}, and there is one already.")
        names.add(method.name)
        yield method


def _load(entry: EntryPoint) -> Method:
    try:
        method = entry.load()
    except (ImportError, AttributeError) as error:
        raise OutsideMethodError(f"{_place(entry)} cannot be loaded: {error}.") from error
    if not isinstance(method, Method):
        raise OutsideMethodError(f"{_place(entry)} leads to {type(method).__name__}, not to a Method.")
    return method


def _place(entry: EntryPoint) -> str:
    package = entry.dist.name if entry.dist else "an unknown package"
    return f"The entry point {entry.name} = {entry.value} of {package}"
