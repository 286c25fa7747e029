"""Entities to ask biographies of, by how often they are met and where they are from (FActScore, appendix A.1).

Plain data in and out. The frequency value of an entity is the greater of its occurrences and its page views; it falls
in one of five classes by powers of ten, the entity in one of four regions. The draw is uniform over the cells, not
over the entities: as many of each cell as of any other.
"""

import random
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

# Class, and the frequency value at its upper end.
FREQUENCIES = (("very rare", 10**2), ("rare", 10**3), ("medium", 10**4), ("frequent", 10**5), ("very frequent", None))
REGIONS = ("North America", "Europe & Middle East", "Asia & Pacific", "Latin/South America & Africa")

Cell = tuple[str, str]
CELLS: tuple[Cell, ...] = tuple((frequency, region) for frequency, _ in FREQUENCIES for region in REGIONS)


class TooFewError(Exception):
    """Some cells have fewer entities than fall to them; `missing` holds how many each lacks."""

    def __init__(self, missing: dict[Cell, int]) -> None:
        self.missing = missing
        cells = "; ".join(f"{frequency}, {region}: {count} more" for (frequency, region), count in missing.items())
        super().__init__(f"too few entities in {len(missing)} of {len(CELLS)} cells ({cells})")


@dataclass(frozen=True)
class Entity:
    """occurrences, views: counts, None where unknown, never both. region: one of REGIONS."""

    name: str
    region: str
    occurrences: int | None
    views: int | None

    @property
    def frequency_value(self) -> int:
        return max(count for count in (self.occurrences, self.views) if count is not None)

    @property
    def frequency(self) -> str:
        return frequency_class(self.frequency_value)

    @property
    def cell(self) -> Cell:
        return self.frequency, self.region


def frequency_class(value: int) -> str:
    """The class of a frequency value: its half-open range goes to the next power of ten, as in [100, 1000)."""
    return next(name for name, end in FREQUENCIES if end is None or value < end)


def name_key(name: str) -> str:
    """The key of equal names, without regard to case, accents' encoding, underscores and runs of white space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("_", " ").split())


def without(entities: Iterable[Entity], labelled: Collection[str]) -> list[Entity]:
    """Those whose name (name_key) is none of the labelled ones: labelled topics must not be asked about again
    (FActScore §4.3.1)."""
    return [entity for entity in entities if name_key(entity.name) not in labelled]


def sample_entities(entities: Sequence[Entity], size: int, seed: int) -> list[Entity]:
    """`size` entities, the cells as equally often as can be; which cells get one more, and who is drawn, by the seed.

    The order of `entities` does not matter. Raises TooFewError, naming each cell that has not enough.
    """
    # Not `secrets`: the draw must be repeatable.
    draw = random.Random(seed)  # noqa: S311
    wanted = _wanted(size, draw)
    there = Counter(entity.cell for entity in entities)
    missing = {cell: count - there[cell] for cell, count in wanted.items() if count > there[cell]}
    if missing:
        raise TooFewError(missing)
    of_cell: dict[Cell, list[Entity]] = {cell: [] for cell in CELLS}
    for entity in sorted(entities, key=lambda entity: entity.name):
        of_cell[entity.cell].append(entity)
    return [entity for cell in CELLS for entity in draw.sample(of_cell[cell], wanted[cell])]


def _wanted(size: int, draw: random.Random) -> dict[Cell, int]:
    """The number drawn from each cell."""
    each, over = divmod(size, len(CELLS))
    favoured = set(draw.sample(CELLS, over))
    return {cell: each + (cell in favoured) for cell in CELLS}
