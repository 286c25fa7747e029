"""Reads submitted judgements into plain ratings."""

from collections import defaultdict

import numpy as np

from annotate.agreement.coefficients import GAP
from annotate.agreement.describe import Ratings
from annotate.gold.read import CHUNK, CODE
from annotate.gold.table import IRRELEVANT, NO_GOLD, GoldTable
from annotate.models import Assignment, Dataset, Label

Address = tuple[int, int | None]
# What each rater said at each address, as codes of values.
Said = dict[Address, dict[str, int]]


def read_labels(dataset: Dataset) -> Said:
    """The last revision of every submitted label, by address and annotator."""
    labels = Label.objects.of(dataset).real().in_force().filter(assignment__state=Assignment.State.SUBMITTED)
    rows = labels.order_by("assignment__annotator__username").values_list(
        "segment_id", "fact_id", "assignment__annotator__username", "value"
    )
    said: defaultdict[Address, dict[str, int]] = defaultdict(dict)
    for segment, fact, annotator, value in rows.iterator(CHUNK):
        said[segment, fact][annotator] = CODE[value]
    return said


def read_gold_as(name: str, table: GoldTable) -> Said:
    """Gold as one more rater's judgements, under this name."""
    units = table.units
    irrelevant = table.segments.irrelevant & table.of_facts
    keys = table.segments.key[units.segment].tolist()
    said: Said = {
        (key, None if fact < 0 else fact): {name: value}
        for key, fact, value, whole in zip(
            keys, units.fact.tolist(), units.value.tolist(), irrelevant[units.segment].tolist(), strict=True
        )
        if value != NO_GOLD and not whole
    }
    return said | {(key, None): {name: IRRELEVANT} for key in table.segments.key[irrelevant].tolist()}


def merge(first: Said, second: Said) -> Said:
    return {address: {**first.get(address, {}), **second.get(address, {})} for address in {**first, **second}}


def align(said: Said, of_facts: bool) -> Said:
    """The judgements at addresses that all raters share.

    Where one rater calls a sentence irrelevant as a whole and another judges its facts, the first has called each of
    these facts irrelevant. Where all judge it as a whole it is one unit.
    """
    if not of_facts:
        return said
    by_facts = {segment for segment, fact in said if fact is not None}
    aligned: Said = {}
    for (segment, fact), values in said.items():
        if fact is not None:
            whole = said.get((segment, None), {})
            aligned[segment, fact] = {**dict.fromkeys(whole, IRRELEVANT), **values}
        elif segment not in by_facts:
            aligned[segment, None] = values
    return aligned


def to_ratings(said: Said, table: GoldTable) -> Ratings:
    """Aligned judgements as columns, the units in reading order; each with its response's row in the table."""
    row_of = {key: row for row, key in enumerate(table.segments.key.tolist())}
    addresses = sorted(
        (address for address in said if address[0] in row_of), key=lambda each: (row_of[each[0]], each[1] or 0)
    )
    names = sorted({name for address in addresses for name in said[address]})
    column_of = {name: column for column, name in enumerate(names)}
    ratings = np.full((len(addresses), len(names)), GAP, dtype=np.int64)
    for row, address in enumerate(addresses):
        for name, value in said[address].items():
            ratings[row, column_of[name]] = value
    segments = np.fromiter((row_of[segment] for segment, _ in addresses), dtype=np.int64)
    return Ratings(tuple(names), ratings, response=table.segments.response[segments])
