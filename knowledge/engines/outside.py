"""Search engines of other packages: an entry point of the group `touchstone.search_engines` that leads to an Engine.

One that cannot be registered is left out, and named in a sentence with its package and what it raised.
"""

from collections.abc import Collection
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from core.plug_ins import ANY_FAULT, said_by
from knowledge.engines.engine import Engine

GROUP = "touchstone.search_engines"


@dataclass(frozen=True)
class OutsideEngines:
    """faults: why each of the others could not be registered, by the name of its entry point."""

    engines: dict[str, Engine]
    faults: dict[str, str]


def outside_engines(taken: Collection[str]) -> OutsideEngines:
    """The engines of the packages that are installed, by name in the order of their entry points' names.

    taken: names of engines that are registered already.
    """
    engines: dict[str, Engine] = {}
    faults: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        package = entry.dist.name if entry.dist else "an unknown package"
        place = f"The entry point {entry.name} = {entry.value} of {package}"
        found = _load(entry)
        if isinstance(found, str):
            faults[entry.name] = f"{place} {found}"
        elif found.name in {*taken, *engines}:
            faults[entry.name] = f"{place} brings the search engine {found.name!r}, and there is one already."
        else:
            engines[found.name] = found
    return OutsideEngines(engines, faults)


def _load(entry: EntryPoint) -> Engine | str:
    """The engine, or what is wrong with the entry point."""
    try:
        engine = entry.load()
    except ANY_FAULT as error:
        return f"cannot be loaded: {said_by(error)}"
    return engine if isinstance(engine, Engine) else f"leads to {type(engine).__name__}, not to an Engine."
