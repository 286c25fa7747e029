"""The contents of an export: responses in their order, with gold as it is or as it was in a version."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import reset_queries
from django.db.models import Prefetch, QuerySet

from annotate.facts.judged import has_no_facts
from annotate.links.frozen import with_snapshots
from annotate.models import (
    AtomicFact,
    ClaimPassage,
    Dataset,
    FactSet,
    GoldEdit,
    GoldLabel,
    Removal,
    Response,
    Scheme,
    Segment,
)
from annotate.models.work import LabelQuerySet
from annotate.people.names import Names

# Responses held in memory at once.
CHUNK = 200

# Called with the index of a response that the format cannot express, and why.
LeftOut = Callable[[str, str], None]


@dataclass(frozen=True)
class Asked:
    """What an export is to hold, and for whom.

    responses: those that are wanted; labels: the judgements in force that the reader may read; names: how annotators
    are called; with_comments: whether the reader is one to whom annotators write their comments.
    """

    dataset: Dataset
    revision: int
    responses: QuerySet[Response]
    labels: LabelQuerySet
    names: Names
    with_comments: bool
    left_out: LeftOut

    def read(self) -> Iterator[Response]:
        """The responses with all that exports write of them (read_responses)."""
        return read_responses(self.dataset, self.revision, self.responses, self.left_out)


def read_responses(
    dataset: Dataset, revision: int, wanted: QuerySet[Response], left_out: LeftOut
) -> Iterator[Response]:
    """The responses in their order, with prompt, references, segments, facts or passages, gold and corrections fetched
    in chunks.

    Those that were removed from the dataset are left out.
    """
    last = -1
    removed = set(
        Removal.objects.removed(revision).filter(response__dataset=dataset).values_list("response", flat=True)
    )
    of_claims = dataset.scheme == Scheme.CLAIMS
    while chunk := list(_with_all(wanted.filter(position__gt=last), revision, of_claims)[:CHUNK]):
        for response in chunk:
            if response.pk in removed:
                left_out(response.index, "it was removed from the dataset")
            else:
                yield response
        last = chunk[-1].position
        # With DEBUG on Django keeps the text of every query: hundreds of megabytes in a long export.
        reset_queries()


def _with_all(responses: QuerySet[Response], revision: int, of_claims: bool) -> QuerySet[Response]:
    gold = GoldLabel.objects.at(revision).prefetch_related(with_snapshots())
    facts = AtomicFact.objects.for_labelling().select_related("fact_set").order_by("position", "pk")
    passages = Prefetch("segments__passages", ClaimPassage.objects.select_related("passage").order_by("position"))
    return (
        responses.order_by("position")
        .select_related("prompt")
        .prefetch_related(
            "references",
            "segments",
            Prefetch("segments__gold", gold, to_attr="gold_then"),
            Prefetch("segments__facts", facts, to_attr="labelled_facts"),
        )
        .prefetch_related(Prefetch("segments__gold_edits", GoldEdit.objects.at(revision), to_attr="edits_then"))
        .prefetch_related(*([passages] if of_claims else []))
    )


@dataclass(frozen=True)
class ExportSentence:
    """A segment as it is to be written: its own gold, and its facts, people's and a model's, each with its gold.

    correction: how it reads when it is made right, "" where it is to be removed; None where nobody settled that.
    """

    segment: Segment
    gold: GoldLabel | None
    correction: str | None
    human: list[tuple[AtomicFact, GoldLabel | None]]
    model: list[tuple[AtomicFact, GoldLabel | None]]

    def judged(self) -> list[tuple[AtomicFact, GoldLabel | None]]:
        """The facts that are judged: people's, or a model's where people wrote none."""
        return self.human if self.human or has_no_facts(self.segment) else self.model


def sentences_of(response: Response) -> list[ExportSentence]:
    """The segments of a response that read_responses gave."""
    return [_sentence(segment) for segment in response.segments.all()]


def cited_by(gold: GoldLabel) -> list[str]:
    """The addresses that a label of read_responses cites; of a document without one its title."""
    return [text for link in gold.references.all() if (text := link.location)]


def _sentence(segment: Segment) -> ExportSentence:
    then: list[GoldLabel] = segment.gold_then  # type: ignore[attr-defined]  # set by the prefetch
    edits: list[GoldEdit] = segment.edits_then  # type: ignore[attr-defined]  # likewise; one at most is in force
    gold = {label.fact_id: label for label in then}
    facts: list[AtomicFact] = segment.labelled_facts  # type: ignore[attr-defined]  # likewise
    of = {
        origin: [(fact, gold.get(fact.pk)) for fact in facts if fact.fact_set.origin == origin]
        for origin in FactSet.Origin
    }
    return ExportSentence(
        segment,
        gold.get(None),
        next((edit.text for edit in edits), None),
        human=of[FactSet.Origin.HUMAN],
        model=of[FactSet.Origin.MODEL],
    )
