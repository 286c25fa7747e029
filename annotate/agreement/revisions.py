"""Before and after rebuttal: what was said independently beside what stood in the end.

See docs/statistics.md, Agreement between annotators, and Intervals and tests.
"""

from typing import Any

import numpy as np

from annotate.agreement.counting import Counted, count_each
from annotate.agreement.describe import COEFFICIENTS, NAMES, REASONS, why_undefined
from annotate.agreement.ratings import Clusters, Ratings, Said, codings_of
from annotate.agreement.resampling import interval, known
from annotate.gold.table import SUPPORTED


def compare_revisions(before: Ratings, after: Ratings, clusters: Clusters) -> list[dict[str, Any]]:
    """Two rows (binary, all): each figure before, after and their difference, all None where undefined.

    The interval of a difference is paired: the same prompts are drawn for both. Resamples in which either is undefined
    are counted.
    """
    counted = count_each([*codings_of(before), *codings_of(after)], clusters)
    return [_compare(first, last) for first, last in zip(counted[:2], counted[2:], strict=True)]


def _compare(first: Counted, last: Counted) -> dict[str, Any]:
    kind = first.coding.kind
    figures = {name: _figure(name, first, last) for name in NAMES if name in COEFFICIENTS[kind]}
    return {"values": kind, "n_before": first.n, "n_after": last.n, "figures": figures}


def _figure(name: str, first: Counted, last: Counted) -> dict[str, Any]:
    coefficient = COEFFICIENTS[first.coding.kind][name]
    why_not = [why_undefined(each, name) for each in (first, last)]
    before, after = (
        None if why else known(coefficient(each.whole)) for why, each in zip(why_not, (first, last), strict=True)
    )
    figure = {"before": before, "after": after, "difference": None, "interval": None, "undefined": ""}
    if before is None or after is None:
        return figure | {"undefined": why_not[0] or why_not[1] or REASONS[name]}
    around = interval(coefficient(last.drawn) - coefficient(first.drawn), max(first.prompts, last.prompts))
    return figure | {
        "difference": after - before,
        "interval": around.ends() if around else None,
        "undefined_resamples": around.undefined if around else None,
    }


def count_moves(before: Said, after: Said) -> dict[str, int]:
    """What became of judgements: how many are other values now (or are gone, or new), and in how many units their
    makers came together or parted, as error or not.
    """
    everywhere = {**before, **after}
    changed = sum(
        before.get(address, {}).get(name) != after.get(address, {}).get(name)
        for address in everywhere
        for name in {**before.get(address, {}), **after.get(address, {})}
    )
    judgements = sum(len(values) for values in before.values())
    shared = [address for address in before if len(before[address]) > 1 and len(after.get(address, {})) > 1]
    split = np.array([[_split(before[address]), _split(after[address])] for address in shared], dtype=np.bool_)
    first, last = split.reshape(len(shared), 2).T
    return {
        "judgements": judgements,
        "changed": changed,
        "came_together": int((first & ~last).sum()),
        "parted": int((~first & last).sum()),
    }


def _split(values: dict[str, int]) -> bool:
    """Some call it an error and some do not."""
    return len({value == SUPPORTED for value in values.values()}) > 1
