"""Draws: random, without replacement, repeatable by a seed."""

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

from ratings.errors import DrawError

MOST_RATERS = 20
BATCH = 500

Thing = TypeVar("Thing")
Kind = TypeVar("Kind", bound=Hashable)


def check_draw(size: int, population: int, things: str, none: str, raters: int = 1, most: int = MOST_RATERS) -> None:
    """Raises DrawError for a size or a number of raters out of range.

    things: the name of the population, in the plural; none: the message where it is empty.
    """
    if not 1 <= raters <= most:
        raise DrawError(f"an item is rated by 1 to {most} people, not {raters}")
    if not population:
        raise DrawError(none)
    if not 1 <= size <= population:
        raise DrawError(f"draw 1 to {population:,} of {things}, not {size:,}")


def draw(things: Sequence[Thing], size: int, seed: int) -> list[Thing]:
    """A simple random sample, in random order."""
    return seeded(seed).sample(things, size)


def draw_by_kind(
    things: Sequence[Thing], kinds: Sequence[Kind], groups: Sequence[Hashable], size: int, seed: int
) -> list[Thing]:
    """A stratified random sample: each kind in its share (`allocate`), in random order of all kinds.

    kinds, groups: of each thing. As long as a kind has things of other groups, no second one of a group is drawn.
    """
    chance = seeded(seed)
    order = list(range(len(things)))
    chance.shuffle(order)
    left = allocate(Counter(kinds), size)
    drawn: dict[int, None] = {}
    taken: set[Hashable] = set()
    for other_groups_only in (True, False):
        for place in order:
            if left[kinds[place]] and place not in drawn and not (other_groups_only and groups[place] in taken):
                drawn[place] = None
                taken.add(groups[place])
                left[kinds[place]] -= 1
    mixed = list(drawn)
    chance.shuffle(mixed)
    return [things[place] for place in mixed]


def allocate(counts: Mapping[Kind, int], size: int) -> dict[Kind, int]:
    """The number of each kind, in proportion to their counts.

    The rest after rounding goes to the largest remainders; of equal ones to the kind first in the alphabet.
    """
    total = sum(counts.values())
    shares = {kind: divmod(count * size, total) for kind, count in counts.items()}
    numbers = {kind: whole for kind, (whole, _) in shares.items()}
    by_remainder = sorted(shares, key=lambda kind: (-shares[kind][1], str(kind)))
    for kind in by_remainder[: size - sum(numbers.values())]:
        numbers[kind] += 1
    return numbers


def seeded(seed: int | str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret


def add_items(sample: Any, things: Sequence[Mapping[str, Any]]) -> None:
    """An item for each of the things (fields of the item), in their order."""
    items = [sample.items.model(sample=sample, position=place, **fields) for place, fields in enumerate(things)]
    sample.items.bulk_create(items, batch_size=BATCH)
