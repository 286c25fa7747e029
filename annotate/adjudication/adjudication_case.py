"""One address as the adjudicator sees it: each annotator's label, in random order, and earlier decisions."""

from dataclasses import dataclass

from annotate.cases.addresses import Address, last_decision
from annotate.cases.order import in_case_order, in_comment_order
from annotate.gold.history import gold_at
from annotate.judgements.judgement import CitedReference
from annotate.models import Adjudication, Assignment, AtomicFact, GoldLabel, Label, Scheme, Segment


@dataclass(frozen=True)
class CaseSide:
    """One annotator's judgement at the address, or (`label` None) of the sentence's facts instead of it."""

    assignment: Assignment
    label: Label | None
    facts: tuple[Label, ...]

    @property
    def cards(self) -> tuple[CitedReference, ...]:
        """The cards that it cites."""
        return tuple(CitedReference.from_link(link) for link in self.label.references.all()) if self.label else ()


# The fields in which two sides can differ, besides the evidence, which is compared card by card.
COMPARED = ("value", "error_type", "irrelevance", "reason")


@dataclass(frozen=True)
class AdjudicationCase:
    """`of_sentence` is the gold in force of a fact's sentence as a whole: while it stands, the fact has none."""

    segment: Segment
    fact: AtomicFact | None
    sides: tuple[CaseSide, ...]
    decision: Adjudication | None
    gold: tuple[GoldLabel, ...]
    of_sentence: GoldLabel | None = None

    @property
    def whole_sentence(self) -> bool:
        """A sentence of atomic facts: it is irrelevant as a whole, or its facts are judged one by one."""
        return self.fact is None and self.segment.response.dataset.scheme == Scheme.FACTSCORE

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text

    @property
    def address(self) -> Address:
        return (self.segment.pk, self.fact.pk if self.fact else None)

    @property
    def key(self) -> str:
        """The address in a link."""
        return f"{self.segment.pk}.{self.fact.pk}" if self.fact else str(self.segment.pk)

    @property
    def differing(self) -> set[str]:
        """In which of COMPARED the sides do not say the same."""
        labels = [side.label for side in self.sides if side.label is not None]
        return {name for name in COMPARED if len({getattr(label, name) for label in labels}) > 1}

    @property
    def shared(self) -> Label | None:
        """A side's label to read from what all sides say alike; None where it takes two to agree."""
        labels = [side.label for side in self.sides]
        return labels[0] if len(labels) > 1 and None not in labels else None

    @property
    def verdict_differs(self) -> bool:
        return not self.differing.isdisjoint(COMPARED[:3])

    @property
    def shared_cards(self) -> tuple[CitedReference, ...]:
        """The cards that every side cites."""
        cards = [side.cards for side in self.sides]
        return tuple(card for card in cards[0] if all(card in each for each in cards)) if len(cards) > 1 else ()

    @property
    def shared_links(self) -> set[int]:
        """The primary keys of the links that hold a card which every side cites."""
        links = [link for side in self.sides if side.label is not None for link in side.label.references.all()]
        return {link.pk for link in links if CitedReference.from_link(link) in self.shared_cards}

    def label(self, pk: int) -> Label | None:
        """The judgement of that primary key, if it is one of the sides."""
        return next((side.label for side in self.sides if side.label is not None and side.label.pk == pk), None)


def read_case(segment: Segment, fact: AtomicFact | None) -> AdjudicationCase:
    """Sides come in an order drawn once and for all by the address: it tells nothing of their authors."""
    fact_key = fact.pk if fact else None
    return AdjudicationCase(
        segment,
        fact,
        tuple(in_case_order(_sides(segment, fact), segment.pk, fact_key)),
        last_decision((segment.pk, fact_key)),
        tuple(gold_at(segment.pk, fact_key)),
        next((each for each in gold_at(segment.pk, None) if each.superseded is None), None) if fact else None,
    )


def _sides(segment: Segment, fact: AtomicFact | None) -> list[CaseSide]:
    labels = (
        Label.objects.filter(segment=segment, assignment__state=Assignment.State.SUBMITTED)
        .real()
        .in_force()
        .select_related("assignment__annotator", "fact")
        .prefetch_related("references__document")
        .order_by("assignment__place", "fact__position")
    )
    by_assignment: dict[Assignment, list[Label]] = {}
    for label in labels:
        by_assignment.setdefault(label.assignment, []).append(label)
    sides = []
    for assignment, labels_here in by_assignment.items():
        own = next((label for label in labels_here if label.fact_id == (fact.pk if fact else None)), None)
        if own is not None:
            sides.append(CaseSide(assignment, own, ()))
        elif fact is None:
            sides.append(CaseSide(assignment, None, tuple(labels_here)))
    return sides


def comments_on(task: int | None) -> list[str]:
    """Comments of the task's annotators (its primary key) to the adjudicator, in an order that names nobody."""
    if task is None:
        return []
    submitted = Assignment.objects.real().filter(task=task, state=Assignment.State.SUBMITTED).exclude(comment="")
    return in_comment_order(submitted.order_by("place").values_list("comment", flat=True), task)
