"""The makers of a frozen version of gold, their agreement and their guidelines, as of then."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotate.agreement.read import independent_labels, read_labels, to_ratings
from annotate.agreement.report import Material, clusters_of, report_agreement
from annotate.gold.read import read_gold
from annotate.models import Adjudication, GoldLabel, GoldVersion, Guideline, Label, Response, Signature
from annotate.suggestions.told import RunSuggested, suggested_to
from stats.agreement import BINARY


@dataclass(frozen=True)
class ReleaseRole:
    """People in one role, both `title` and `what` they did in the singular, and how often it was done."""

    title: str
    people: tuple[str, ...]
    done: int
    what: str


def roles_of(version: GoldVersion) -> list[ReleaseRole]:
    """Annotators, adjudicators and reviewers up to the version, without empty roles.

    Of judgements those count that were made first: a revision, or a judgement taken back, is no further one. Of
    signatures those that were in force.
    """
    dataset, then = version.dataset, {"created_at__lte": version.created_at}
    labels = Label.objects.of(dataset).real().independent().filter(**then)
    decisions = Adjudication.objects.filter(segment__response__dataset=dataset, **then)
    in_force = Q(withdrawn_at__isnull=True) | Q(withdrawn_at__gt=version.created_at)
    signatures = Signature.objects.filter(in_force, response__dataset=dataset, **then)
    roles = [
        _role("annotator", labels.values_list("assignment__annotator__username"), "first judgement"),
        _role("adjudicator", decisions.values_list("who__username"), "decision"),
        _role("reviewer", signatures.values_list("who__username"), "signature"),
    ]
    return [role for role in roles if role.people]


def suggestions_of(version: GoldVersion) -> list[RunSuggested]:
    """Of the first judgements up to the version, those of units of which a run's suggestion could be shown."""
    labels = Label.objects.of(version.dataset).real().independent().filter(created_at__lte=version.created_at)
    return suggested_to(labels)


def _role(title: str, names: Any, what: str) -> ReleaseRole:
    counted = dict(names.order_by().annotate(Count("pk")))
    return ReleaseRole(title, tuple(sorted(counted)), sum(counted.values()), what)


def sources_of(version: GoldVersion, left_out: QuerySet[Response]) -> dict[str, int]:
    """Counts of the judgements by source, each with its title, without those of the responses that are left out."""
    gold = gold_of(version).exclude(segment__response__in=left_out)
    counted = Counter(dict(gold.order_by().values_list("source").annotate(Count("pk"))))
    return {label: counted[source] for source, label in GoldLabel.Source.choices if counted[source]}


def gold_of(version: GoldVersion) -> QuerySet[GoldLabel]:
    """The judgements of the version, without those of responses that were removed from the dataset."""
    return GoldLabel.objects.of(version.dataset).at(version.revision).without_removed(version.revision)


def guideline_of(version: GoldVersion) -> Guideline | None:
    """The guidelines in force when the version was frozen."""
    return version.dataset.guidelines.filter(created_at__lte=version.created_at).order_by("-version").first()


def agreement_of(version: GoldVersion) -> list[dict[str, Any]]:
    """Agreement before adjudication, of what had been submitted by then: the rows of `agreement` (docs/commands.md,
    `agreement`) that tell error from correct, "all" first; empty where no unit was judged twice."""
    dataset = version.dataset
    table = read_gold(dataset, version.name)
    values, types = read_labels(independent_labels(dataset).filter(created_at__lte=version.created_at))
    ratings = to_ratings(values, table)
    if not len(ratings.overlapping().response):
        return []
    document = report_agreement(dataset, Material(table, values, types, ratings, clusters_of([ratings], table)))
    return [row for row in document["results"] if row["values"] == BINARY]
