"""Reads submitted judgements into plain ratings."""

from collections import defaultdict

import numpy as np

from annotate.gold.read import CHUNK, CODE
from annotate.models import Assignment, Dataset, Label, Task
from annotate.models.corpus import visible
from annotate.models.work import LabelQuerySet
from annotate.people.names import Names
from stats.agreement import GAP
from stats.gold_table import IRRELEVANT, NO_GOLD, GoldTable
from stats.ratings import Address, Ratings, TypesByRater, ValuesByRater


def independent_labels(dataset: Dataset) -> LabelQuerySet:
    """Labels submitted before anything was settled, and before the annotator saw labels of others."""
    return _submitted(dataset).independent()


def labels_of_rebuttals(dataset: Dataset) -> LabelQuerySet:
    """Every revision in tasks whose rebuttal is over."""
    over = Task.objects.filter(dataset=dataset, rebuttal_at__isnull=False).labelled()
    return _submitted(dataset).filter(assignment__task__in=over.values("pk"))


def _submitted(dataset: Dataset) -> LabelQuerySet:
    counted = Label.objects.of(dataset).real().filter(visible("segment__response__"))
    return counted.filter(assignment__state=Assignment.State.SUBMITTED)


def read_labels(labels: LabelQuerySet, names: Names | None = None) -> tuple[ValuesByRater, TypesByRater]:
    """The values by address and annotator, and the types of their errors. names: None for user names."""
    annotator = ("assignment__annotator", "assignment__annotator__username")
    rows = labels.order_by(annotator[1]).values_list("segment_id", "fact_id", *annotator, "value", "error_type")
    values: defaultdict[Address, dict[str, int]] = defaultdict(dict)
    types: defaultdict[Address, dict[str, str]] = defaultdict(dict)
    for segment, fact, person, username, value, error_type in rows.iterator(CHUNK):
        name = names.known_as(person, username) if names else username
        values[segment, fact][name] = CODE[value]
        if error_type and value != "supported":
            types[segment, fact][name] = error_type
    return values, types


def read_gold_as(name: str, table: GoldTable) -> ValuesByRater:
    """Gold as one more rater's judgements, under this name."""
    units = table.units
    irrelevant = table.segments.irrelevant & table.of_facts
    keys = table.segments.key[units.segment].tolist()
    values: ValuesByRater = {
        (key, None if fact < 0 else fact): {name: value}
        for key, fact, value, whole in zip(
            keys, units.fact.tolist(), units.value.tolist(), irrelevant[units.segment].tolist(), strict=True
        )
        if value != NO_GOLD and not whole
    }
    return values | {(key, None): {name: IRRELEVANT} for key in table.segments.key[irrelevant].tolist()}


def merge(first: ValuesByRater, second: ValuesByRater) -> ValuesByRater:
    return {address: {**first.get(address, {}), **second.get(address, {})} for address in {**first, **second}}


def align(judgements: ValuesByRater, of_facts: bool) -> ValuesByRater:
    """The judgements at addresses that all raters share: for a comparison with gold.

    Where one rater calls a sentence irrelevant as a whole and another judges its facts, the first has called each of
    these facts irrelevant. Where all judge it as a whole it is one unit.
    """
    if not of_facts:
        return judgements
    by_facts = {segment for segment, fact in judgements if fact is not None}
    aligned: ValuesByRater = {}
    for (segment, fact), values in judgements.items():
        if fact is not None:
            whole = judgements.get((segment, None), {})
            aligned[segment, fact] = {**dict.fromkeys(whole, IRRELEVANT), **values}
        elif segment not in by_facts:
            aligned[segment, None] = values
    return aligned


def to_ratings(judgements: ValuesByRater, table: GoldTable) -> Ratings:
    """Judgements as columns, the units in reading order; each with its response's row in the table."""
    row_of = {key: row for row, key in enumerate(table.segments.key.tolist())}
    addresses = sorted(
        (address for address in judgements if address[0] in row_of), key=lambda each: (row_of[each[0]], each[1] or 0)
    )
    names = sorted({name for address in addresses for name in judgements[address]})
    column_of = {name: column for column, name in enumerate(names)}
    ratings = np.full((len(addresses), len(names)), GAP, dtype=np.int64)
    for row, address in enumerate(addresses):
        for name, value in judgements[address].items():
            ratings[row, column_of[name]] = value
    segments = np.fromiter((row_of[segment] for segment, _ in addresses), dtype=np.int64)
    return Ratings(tuple(names), ratings, response=table.segments.response[segments], values=table.values)
