"""Before and after rebuttal: what was said independently beside what stood in the end (definitions.md §5, §6)."""

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
    figures: dict[str, dict[str, Any]] = {}
    for name in NAMES:
        if name not in COEFFICIENTS[kind]:
            continue
        coefficient = COEFFICIENTS[kind][name]
        why = [why_undefined(each, name) for each in (first, last)]
        values = [
            None if reason else known(coefficient(each.whole)) for reason, each in zip(why, (first, last), strict=True)
        ]
        figure: dict[str, Any] = {"before": values[0], "after": values[1], "difference": None, "interval": None}
        if values[0] is None or values[1] is None:
            figure["undefined"] = why[0] or why[1] or REASONS[name]
        else:
            figure["difference"] = values[1] - values[0]
            drawn = coefficient(last.drawn) - coefficient(first.drawn)
            if around := interval(drawn, max(first.prompts, last.prompts)):
                figure |= {"interval": around.ends(), "undefined_resamples": around.undefined}
        figures[name] = figure
    return {"values": kind, "n_before": first.n, "n_after": last.n, "figures": figures}


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
