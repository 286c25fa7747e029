"""Which gold a page is asked to measure against."""

from django.db.models import QuerySet
from django.http import Http404

from annotate.access import MemberRequest
from annotate.models import Dataset, GoldVersion


def asked_version(request: MemberRequest, dataset: Dataset) -> GoldVersion | None:
    """The frozen gold that `?gold=` names, None for gold in force; Http404: there is no such version."""
    name = request.GET.get("gold", "")
    if not name:
        return None
    version = versions_of(dataset).filter(name=name).first()
    if version is None:
        raise Http404("No such version of gold.")
    return version


def versions_of(dataset: Dataset) -> "QuerySet[GoldVersion]":
    """The newest first."""
    return dataset.gold_versions.order_by("-created_at")
