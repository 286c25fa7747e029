"""Pairs of evaluators as the comparison's document has them, and the ranks that follow.

See docs/statistics.md, Intervals and tests.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evaluators.comparison.judges import Judge
from stats.detection import CORRECT, ERROR, Decisions, Level
from stats.paired_tests import PairedDifference, mcnemar
from stats.ranks import rank_ranges

Document = dict[str, Any]


def describe_ranks(values: Sequence[float | None], differences: Sequence[PairedDifference]) -> list[Document]:
    """{"rank", "range"} of each evaluator from its figure; one without the figure has neither, and nobody is ranked
    against it."""
    better = np.zeros((len(values), len(values)), dtype=np.bool_)
    for each in differences:
        if each.better is not None:
            better[each.better, sum(each.places) - each.better] = True
    ranked = {place: value for place, value in enumerate(values) if value is not None}
    ranges = dict(zip(ranked, rank_ranges(better[np.ix_(list(ranked), list(ranked))]), strict=True))
    return [
        {"rank": 1 + sum(other > ranked[place] for other in ranked.values()), "range": list(ranges[place])}
        if place in ranked
        else {"rank": None, "range": None}
        for place in range(len(values))
    ]


def describe_pair(
    each: PairedDifference, judges: Sequence[Judge], decisions: Sequence[Decisions], level: Level
) -> Document:
    """{"one", "other", "n", "difference", "interval", "p", "p_holm", "better", "mcnemar"}.

    n: the units both judged. better: the name of the one that was shown better, None where they were not told apart.
    mcnemar: p of equal accuracy, at the level of responses only.
    """
    one, other = each.places
    return {
        "one": judges[one].name,
        "other": judges[other].name,
        "n": each.n,
        "difference": each.difference,
        "interval": each.interval.ends() if each.interval else None,
        "p": each.p,
        "p_holm": each.p_holm,
        "better": None if each.better is None else judges[each.better].name,
        "mcnemar": _mcnemar(level, decisions[one], decisions[other]) if level.name == "response" else None,
    }


def _mcnemar(level: Level, one: Decisions, other: Decisions) -> float:
    judged = [np.isin(each, (CORRECT, ERROR)) for each in (level.gold, one, other)]
    both = judged[0] & judged[1] & judged[2]
    right, also_right = (one == level.gold)[both], (other == level.gold)[both]
    return mcnemar(int((right & ~also_right).sum()), int((also_right & ~right).sum()))
