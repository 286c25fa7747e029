"""Rows that commands look up by name."""

from django.core.management.base import CommandError

from annotate.models import Dataset


def dataset_named(name: str) -> Dataset:
    """CommandError: no dataset of that name has been imported to its end."""
    dataset = Dataset.objects.ready().filter(name=name).first()
    if dataset is None:
        raise CommandError(f"there is no dataset {name!r}")
    return dataset
