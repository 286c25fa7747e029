"""All that belongs to a dataset, found by the foreign keys that lead to it, whatever room declares them."""

from collections.abc import Iterator
from functools import partial
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import CASCADE, PROTECT, FileField, ForeignKey, Model, QuerySet

from annotate.models import Assignment, Dataset, GoldLabel, Label
from jobs.kinds import KINDS
from jobs.models import Job, JobItemQuerySet, JobQuerySet
from knowledge.index_files import delete_index

CHUNK = 200
AnyModel = type[Model]


def goes_with(dataset: Dataset) -> list[tuple[str, int]]:
    """What is deleted with the dataset: kinds and numbers above 0."""
    counts = {
        "responses": dataset.responses.count(),
        "tasks": dataset.tasks.count(),
        "assignments": Assignment.objects.of(dataset).count(),
        "labels": Label.objects.filter(assignment__task__dataset=dataset).count(),
        "gold labels": GoldLabel.objects.filter(segment__response__dataset=dataset).count(),
        "gold versions": dataset.gold_versions.count(),
        "runs of evaluators": dataset.runs.count(),
        "benchmarks": dataset.benchmarks.count(),
        "knowledge sources of its own": dataset.owned_sources.count(),
        "members": dataset.memberships.count(),
    }
    return [(what, number) for what, number in counts.items() if number]


def stop_work(dataset: Dataset) -> bool:
    """Stop every job in the dataset. True once nobody works on an item of one."""
    is_idle = True
    for kind in KINDS.values():
        path = path_to_dataset(kind.items)
        if path is None:
            continue
        if kind.job is not None and (path_of_job := path_to_dataset(kind.job)):
            for job in JobQuerySet[Job](kind.job).active().filter(**{path_of_job: dataset}):
                job.stop()
        is_idle &= not JobItemQuerySet(kind.items).leased().filter(**{path: dataset}).exists()
    return is_idle


def delete_contents(dataset: Dataset) -> None:
    """Delete the dataset with all that belongs to it, in short transactions. It can be begun again after a failure."""
    sources = [owned.source for owned in dataset.owned_sources.select_related("source")]
    for model, path in _with_files():
        for row in model._default_manager.filter(**{path: dataset}):
            for field in (field for field in model._meta.fields if isinstance(field, FileField)):
                getattr(row, field.name).delete(save=False)
    large = (apps.get_model("annotate", name) for name in ("Response", "Task", "Prompt", "SourcePassage"))
    for model in [*_protecting(), *large]:
        delete_in_chunks(model._default_manager.filter(**{path_to_dataset(model) or "": dataset}))
    dataset.delete()
    for source in sources:
        delete_in_chunks(source.documents.all())
        transaction.on_commit(partial(delete_index, source.pk))
        source.delete()


def path_to_dataset(model: AnyModel) -> str | None:
    """The shortest path of foreign keys, none of them optional, that takes a row with the dataset ("task__dataset");
    None where there is none."""
    paths: dict[AnyModel, str] = {model: ""}
    waiting = [model]
    while waiting:
        here = waiting.pop(0)
        for field in _needed(here):
            there = field.related_model
            path = f"{paths[here]}__{field.name}".removeprefix("__")
            if there is Dataset:
                return path
            if isinstance(there, type) and there not in paths:
                paths[there] = path
                waiting.append(there)
    return None


def _needed(model: AnyModel) -> Iterator["ForeignKey[Model, Model]"]:
    for field in model._meta.fields:
        if isinstance(field, ForeignKey) and field.remote_field.on_delete in (CASCADE, PROTECT) and not field.null:
            yield field


def _protecting() -> list[AnyModel]:
    """Models whose rows keep other rows of the same dataset from being deleted: a row before what it keeps."""
    order: TopologicalSorter[AnyModel] = TopologicalSorter()
    keepers: set[AnyModel] = set()
    for model in apps.get_models():
        for field in model._meta.fields:
            kept = field.related_model
            if (
                isinstance(field, ForeignKey)
                and field.remote_field.on_delete is PROTECT
                and isinstance(kept, type)
                and path_to_dataset(model)
                and path_to_dataset(kept)
            ):
                order.add(kept, model)
                keepers.add(model)
    return [model for model in order.static_order() if model in keepers]


def _with_files() -> list[tuple[AnyModel, str]]:
    """Models with files whose rows belong to a dataset, and their paths to it."""
    found = ((model, path_to_dataset(model)) for model in apps.get_models())
    return [(m, path) for m, path in found if path and any(isinstance(field, FileField) for field in m._meta.fields)]


def delete_in_chunks(rows: "QuerySet[Any]") -> None:
    """Each chunk in a transaction of its own: a long one would keep other writers of SQLite waiting."""
    last = 0  # rows that stay are not looked through again
    while keys := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        last = keys[-1]
        rows.model._default_manager.filter(pk__in=keys).delete()
