"""Which gold a page or a command is asked to measure against."""

from django.db.models import QuerySet
from django.http import Http404

from annotate.access import MemberRequest
from annotate.models import Dataset, GoldVersion
from core.errors import DataError


def asked_version(request: MemberRequest, dataset: Dataset) -> GoldVersion | None:
    """The frozen gold that `?gold=` names, None for gold in force; Http404: there is no such version."""
    try:
        return find_version(dataset, request.GET.get("gold", ""))
    except DataError as error:
        raise Http404(str(error)) from error


def find_version(dataset: Dataset, name: str | None) -> GoldVersion | None:
    """The frozen gold of that name, None for gold in force where there is no name. DataError: no such version."""
    if not name:
        return None
    version = versions_of(dataset).filter(name=name).first()
    if version is None:
        raise DataError(f"{dataset} has no gold version {name!r}.")
    return version


def versions_of(dataset: Dataset) -> "QuerySet[GoldVersion]":
    """The newest first."""
    return dataset.gold_versions.order_by("-created_at")
