"""The candidates and the documents of a build, by their outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet, TextChoices

from factor.benchmarks.example_detail import EditPiece, pieces
from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate, FactorErrorType

# Of each field of a list's filter, its label on the page and its values.
Fields = Mapping[str, tuple[str, type[TextChoices]]]
OF_CANDIDATES: Fields = {
    "outcome": ("Outcome", Candidate.Outcome),
    "reason": ("Reason", Candidate.Reason),
    "error_type": ("Error type", FactorErrorType),
}
OF_DOCUMENTS: Fields = {
    "outcome": ("Outcome", BenchmarkBuildItem.Outcome),
    "reason": ("Reason", BenchmarkBuildItem.Reason),
    "stage": ("Stage", BenchmarkBuildItem.Stage),
    "state": ("State", BenchmarkBuildItem.State),
}
# Contradictions dropped for these reasons are compared with nothing.
NO_SENTENCE = (Candidate.Reason.UNREADABLE, Candidate.Reason.NOT_APPLICABLE)


@dataclass(frozen=True)
class FilterField:
    """A field to choose by: values with their labels; chosen: "" for all."""

    name: str
    label: str
    options: list[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class CandidateRow:
    """A candidate, and where it differs from its original: in one piece where it is no sentence at all."""

    candidate: Candidate
    pieces: list[EditPiece]


def choices(fields: Fields, query: Mapping[str, str]) -> list[FilterField]:
    """The fields with the values of the query string; an unknown value counts as none."""
    return [
        FilterField(name, label, kind.choices, query[name] if query.get(name) in kind.values else "")
        for name, (label, kind) in fields.items()
    ]


def candidates_listed(build: BenchmarkBuild, chosen: list[FilterField]) -> QuerySet[Candidate]:
    listed = Candidate.objects.of(build).filter(_narrowed(chosen)).select_related("item__document")
    return listed.defer("item__document__text").order_by("item__position", "pk")


def documents_listed(build: BenchmarkBuild, chosen: list[FilterField]) -> QuerySet[BenchmarkBuildItem]:
    return build.items.filter(_narrowed(chosen)).select_related("document").defer("document__text")


def shown(candidate: Candidate) -> CandidateRow:
    if candidate.reason in NO_SENTENCE:
        return CandidateRow(candidate, [EditPiece(candidate.text)])
    return CandidateRow(candidate, pieces(candidate.item.sentence, candidate.text) if candidate.text else [])


def _narrowed(chosen: list[FilterField]) -> Q:
    return Q(**{choice.name: choice.chosen for choice in chosen if choice.chosen})
