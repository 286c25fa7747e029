"""Facts with a date or a number that their sentence does not have, which the published code drops.

See docs/methods.md, Generated facts.
"""

import re
from collections.abc import Sequence

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
FIGURE = re.compile(rf"\b(?:[0-9]+|{MONTHS})\b")


def without_invented(sentence: str, facts: Sequence[str]) -> tuple[str, ...]:
    """The facts whose figures are all in the sentence; every fact where those left would not cover the sentence's own.

    A figure is a number in digits or the name of a month. (The published code has a parser find the dates.)
    """
    told = figures_in(sentence)
    kept = tuple(fact for fact in facts if figures_in(fact) <= told)
    covered = frozenset[str]().union(*map(figures_in, kept))
    return kept if covered == told else tuple(facts)


def figures_in(text: str) -> frozenset[str]:
    return frozenset(FIGURE.findall(text))
