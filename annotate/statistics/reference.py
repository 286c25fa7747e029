"""Recall of a dataset's subject models against its lists of facts (docs/statistics.md, Recall: reference lists)."""

from collections.abc import Mapping, Sequence

import numpy as np

from annotate.corpus.reference_facts import share_covered
from annotate.gold.read import CHUNK
from annotate.models import AtomicFact, Segment
from stats.arrays import Ints
from stats.bootstrap import Resampling
from stats.f1_at_k import ClaimCounts
from stats.gold_table import SUPPORTED, GoldTable
from stats.reference_recall import ReferenceRecall, describe_shares_covered

# By response (primary key) its judged units: their texts, and whether each is supported.
UnitsOf = Mapping[int, Sequence[tuple[str, bool]]]


def describe_reference(
    lists: Mapping[int, Sequence[str]],
    units: UnitsOf,
    keys: Ints,
    counts: ClaimCounts,
    subjects: Sequence[str],
    resampling: Resampling,
) -> ReferenceRecall:
    """The recall of each subject over its responses that count and whose prompt has a list.

    Parameters
    ----------
    lists : by response
    units : of responses that do not abstain; others cover nothing
    keys : (R,) int
        Primary keys of the responses.
    counts : ClaimCounts of the R responses
    subjects : their names
    resampling : Resampling
    """
    listed = keys.tolist()
    shares = np.full(len(listed), np.nan)
    for place in np.flatnonzero(counts.counted):
        if facts := lists.get(listed[place]):
            shares[place] = share_covered(facts, units.get(listed[place], ()))
    sizes = {
        prompt: len(lists[key]) for prompt, key in zip(counts.prompt.tolist(), listed, strict=True) if key in lists
    }
    covered = describe_shares_covered(shares, counts.subject, subjects, counts.prompt, resampling)
    return {"prompts": len(sizes), "facts": sum(sizes.values()), **covered}


def reference_by_table(
    lists: Mapping[int, Sequence[str]],
    table: GoldTable,
    values: Ints,
    counts: ClaimCounts,
    subjects: Sequence[str],
    resampling: Resampling,
) -> ReferenceRecall | None:
    """By what gold, or an evaluator, says of the table's units; None where no prompt has a list.

    lists: by response. values: (U,) codes of VALUES, below 0 where it says nothing. counts: of the same values.
    """
    if not lists:
        return None
    units = _units_of(lists, table, values)
    return describe_reference(lists, units, table.responses.key, counts, subjects, resampling)


def _units_of(lists: Mapping[int, Sequence[str]], table: GoldTable, values: Ints) -> UnitsOf:
    """The judged units of the responses that have a list and do not abstain."""
    keys = table.responses.key[table.response_of_unit].tolist()
    away = table.responses.abstained[table.response_of_unit].tolist()
    units_of_table = table.units.fact if table.of_facts else table.segments.key[table.units.segment]
    rows = zip(keys, away, units_of_table.tolist(), values.tolist(), strict=True)
    judged = [
        (key, unit, value) for key, abstained, unit, value in rows if key in lists and value >= 0 and not abstained
    ]
    texts = _texts_of(AtomicFact if table.of_facts else Segment, [unit for _, unit, _ in judged])
    units: dict[int, list[tuple[str, bool]]] = {}
    for key, unit, value in judged:
        units.setdefault(key, []).append((texts[unit], value == SUPPORTED))
    return units


def _texts_of(kind: type[AtomicFact | Segment], units: Sequence[int]) -> dict[int, str]:
    texts: dict[int, str] = {}
    for start in range(0, len(units), CHUNK):
        some = kind._default_manager.filter(pk__in=units[start : start + CHUNK])
        texts.update(some.values_list("pk", "text"))
    return texts
