"""Three false completions, as different in their errors as can be (FACTOR §3.2.4)."""

from collections.abc import Sequence
from random import Random

WANTED = 3


def choose(error_types: Sequence[str], seed: str, wanted: int = WANTED) -> list[int]:
    """Which of the candidates are chosen, by their places in the sequence of their error types; in drawn order.

    First one of each type, and where that gives too few, others of types already used. The seed decides which of a
    type, and which types where there are more than are wanted. []: fewer than wanted are there.
    """
    if len(error_types) < wanted:
        return []
    places = list(range(len(error_types)))
    Random(seed).shuffle(places)  # noqa: S311 - repeatable on purpose, no secret
    first_of_type = {error_types[place]: place for place in reversed(places)}
    firsts = [place for place in places if first_of_type[error_types[place]] == place]
    others = [place for place in places if first_of_type[error_types[place]] != place]
    return [*firsts, *others][:wanted]
