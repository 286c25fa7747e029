"""Everything that the agreement pages show, as plain data: read here, computed next door."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max

from annotate.agreement.over_time import by_week, describe_batches, in_equal_batches
from annotate.agreement.read import labels_of_rebuttals, read_labels, to_ratings
from annotate.agreement.report import Material, clusters_of, read_material, report_agreement, slice_of_response
from annotate.agreement.splits import Split, split_units
from annotate.gold.fact_counts import read_fact_counts
from annotate.models import Assignment, AtomicFact, Dataset, Label, Segment, Task
from annotate.people.names import Names
from core.caching import cached
from stats.agreement import GAP
from stats.agreement_rows import compare_revisions, count_moves, describe_types
from stats.boundaries import describe_boundaries, describe_scope
from stats.ratings import TypesByRater, ValuesByRater

Document = dict[str, Any]


@dataclass(frozen=True)
class Findings:
    """`agreement`: as the command prints it. types, boundaries: None where the scheme has none; rebuttal: None before
    any is over. over_time: rows of batches, by "tasks" and by "week". splits: in reading order, with the domain or
    subject of each in `slices`."""

    agreement: Document
    types: Document | None
    over_time: dict[str, list[Document]]
    rebuttal: Document | None
    boundaries: Document | None
    splits: list[Split]
    slices: dict[int, str]


def findings_of(dataset: Dataset, names: Names) -> Findings:
    """The findings, cached as long as nothing they are made of has changed."""
    return cached(_key(dataset, names), lambda: find(dataset, names))


def _key(dataset: Dataset, names: Names) -> str:
    """A name for everything that the findings are made of. Labels, segments and facts are added and deleted, and never
    changed in place; tasks become known answers, and their rebuttals end."""
    tasks = Task.objects.filter(dataset=dataset)
    rows = (
        Label.objects.of(dataset),
        Assignment.objects.of(dataset).filter(state=Assignment.State.SUBMITTED),
        Segment.objects.filter(response__dataset=dataset),
        AtomicFact.objects.filter(segment__response__dataset=dataset),
    )
    made_of = [
        names,
        dataset.name,
        dataset.error_types,
        dataset.gold_revision,
        dataset.responses.visible().count(),
        tasks.real().count(),
        tasks.aggregate(Count("rebuttal_ended_at")),
        rows[1].aggregate(Count("rebutted_at")),
        *(each.aggregate(Count("pk"), Max("pk")) for each in rows),
    ]
    return f"agreement-pages-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"


def find(dataset: Dataset, names: Names | None = None) -> Findings:
    """A dozen queries however large the dataset; each interval from the same draws. names: None for user names."""
    material = read_material(dataset, names)
    splits = _in_reading_order(split_units(material.values, material.types), material)
    return Findings(
        agreement=report_agreement(dataset, material),
        types=None if material.table.of_facts or material.table.of_claims else _types(dataset, material),
        over_time=_over_time(dataset, material),
        rebuttal=_rebuttal(dataset, material),
        boundaries=_boundaries(dataset, material) if material.table.of_facts else None,
        splits=splits,
        slices=_slices(material, splits),
    )


def _types(dataset: Dataset, material: Material) -> Document:
    names = list(dataset.error_types)
    types = to_ratings(_coded(material.values, material.types, names), material.table)
    return describe_types(material.ratings, types, names, material.clusters)


def _coded(values_of: ValuesByRater, types: TypesByRater, names: Sequence[str]) -> ValuesByRater:
    """At each address and of each annotator the code of the type given, or GAP."""
    code = {name: place for place, name in enumerate(names)}
    return {
        address: {name: code.get(types.get(address, {}).get(name, ""), GAP) for name in values}
        for address, values in values_of.items()
    }


def _over_time(dataset: Dataset, material: Material) -> dict[str, list[Document]]:
    done = Assignment.objects.of(dataset).real().filter(state=Assignment.State.SUBMITTED).order_by().values("task")
    twice = done.annotate(number=Count("pk"), last=Max("submitted_at")).filter(number__gte=2)
    completed: dict[int, datetime] = dict(twice.values_list("task", "last"))
    task_of = dict(dataset.responses.filter(task__isnull=False).values_list("pk", "task"))
    tasks = [task_of.get(key, -1) for key in material.table.responses.key.tolist()]
    return {
        name: describe_batches(material.ratings, tasks, batches, material.clusters)
        for name, batches in (("tasks", in_equal_batches(completed)), ("week", by_week(completed)))
    }


def _rebuttal(dataset: Dataset, material: Material) -> Document | None:
    labels = labels_of_rebuttals(dataset)
    tasks = labels.aggregate(tasks=Count("assignment__task", distinct=True))["tasks"]
    if not tasks:
        return None
    (before, _), (after, _) = read_labels(labels.independent()), read_labels(labels.in_force())
    first, last = (to_ratings(values, material.table) for values in (before, after))
    rows = compare_revisions(first, last, clusters_of([first, last], material.table))
    return {"tasks": tasks, "rows": rows, **count_moves(before, after)}


def _boundaries(dataset: Dataset, material: Material) -> Document:
    table, facts = material.table, read_fact_counts(dataset)
    cluster = table.responses.prompt[table.segments.response]
    counted = facts.refined & ~table.segments.irrelevant
    return {
        **describe_boundaries(facts.human, facts.model, counted, cluster, table.strata),
        "scope": describe_scope(material.values, table.segments.key, cluster, table.strata),
    }


def _in_reading_order(splits: Sequence[Split], material: Material) -> list[Split]:
    row_of = {key: row for row, key in enumerate(material.table.segments.key.tolist())}
    there = [split for split in splits if split.segment in row_of]
    return sorted(there, key=lambda split: (row_of[split.segment], split.fact or 0))


def _slices(material: Material, splits: Sequence[Split]) -> dict[int, str]:
    """The domain or subject by segment."""
    of_response = slice_of_response(material.table)
    segments = material.table.segments
    response_of = dict(zip(segments.key.tolist(), segments.response.tolist(), strict=True))
    return {split.segment: of_response[response_of[split.segment]] for split in splits}
