"""The candidates and the documents of a making, by what became of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet, TextChoices

from factor.models import Candidate, ErrorType, Making, MakingItem
from factor.validation.reading import Reading, read_for

# Of each field that a list can be narrowed by, what it is called on the page, and its values.
Fields = Mapping[str, tuple[str, type[TextChoices]]]
OF_CANDIDATES: Fields = {
    "outcome": ("Outcome", Candidate.Outcome),
    "reason": ("Reason", Candidate.Reason),
    "error_type": ("Error type", ErrorType),
}
OF_DOCUMENTS: Fields = {
    "outcome": ("Outcome", MakingItem.Outcome),
    "reason": ("Reason", MakingItem.Reason),
    "stage": ("Stage", MakingItem.Stage),
    "state": ("State", MakingItem.State),
}


@dataclass(frozen=True)
class Choice:
    """A field to choose by: values with their labels; chosen: "" for all."""

    name: str
    label: str
    options: list[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class Shown:
    """A candidate as it is read, beside its original; reading: None where it has no text."""

    candidate: Candidate
    reading: Reading | None


def choices(fields: Fields, asked: Mapping[str, str]) -> list[Choice]:
    """The fields with what the query string asks for; a value that is not known counts as none."""
    return [
        Choice(name, label, kind.choices, asked[name] if asked.get(name) in kind.values else "")
        for name, (label, kind) in fields.items()
    ]


def candidates_listed(making: Making, chosen: list[Choice]) -> QuerySet[Candidate]:
    listed = Candidate.objects.of(making).filter(_narrowed(chosen)).select_related("item__document")
    return listed.defer("item__document__text").order_by("item__position", "pk")


def documents_listed(making: Making, chosen: list[Choice]) -> QuerySet[MakingItem]:
    return making.items.filter(_narrowed(chosen)).select_related("document").defer("document__text")


def shown(candidate: Candidate) -> Shown:
    return Shown(candidate, read_for("", candidate.item.sentence, candidate.text) if candidate.text else None)


def _narrowed(chosen: list[Choice]) -> Q:
    return Q(**{choice.name: choice.chosen for choice in chosen if choice.chosen})
