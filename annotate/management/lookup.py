"""Rows that commands look up by name."""

from django.core.management.base import CommandError

from annotate.evidence.source import sources_of
from annotate.models import Dataset
from knowledge.models import KnowledgeSource


def dataset_named(name: str) -> Dataset:
    """CommandError: no dataset of that name has been imported to its end."""
    dataset = Dataset.objects.ready().filter(name=name).first()
    if dataset is None:
        raise CommandError(f"there is no dataset {name!r}")
    return dataset


def source_named(dataset: Dataset, name: str) -> KnowledgeSource:
    """CommandError: the dataset may read no knowledge source of that name."""
    source = sources_of(dataset).filter(name=name).first()
    if source is None:
        raise CommandError(f"there is no knowledge source {name!r} for {dataset}")
    return source
