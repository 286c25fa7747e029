"""One address as the adjudicator sees it: what each annotator said, in random order, and what was decided before."""

import random
from dataclasses import dataclass

from annotate.adjudication.addresses import last_decision
from annotate.gold.history import gold_at
from annotate.models import Adjudication, Assignment, AtomicFact, GoldLabel, Label, Scheme, Segment


@dataclass(frozen=True)
class Side:
    """One annotator's judgement at the address, or (`label` None) of the sentence's facts instead of it."""

    assignment: Assignment
    label: Label | None
    facts: tuple[Label, ...]


@dataclass(frozen=True)
class Hearing:
    segment: Segment
    fact: AtomicFact | None
    sides: tuple[Side, ...]
    decision: Adjudication | None
    gold: tuple[GoldLabel, ...]

    @property
    def whole_sentence(self) -> bool:
        """A sentence of atomic facts: it is irrelevant as a whole, or its facts are judged one by one."""
        return self.fact is None and self.segment.response.dataset.scheme == Scheme.FACTSCORE

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text

    @property
    def key(self) -> str:
        """The address in a link."""
        return f"{self.segment.pk}.{self.fact.pk}" if self.fact else str(self.segment.pk)

    def label(self, pk: int) -> Label | None:
        """The judgement of that primary key, if it is one of the sides."""
        return next((side.label for side in self.sides if side.label is not None and side.label.pk == pk), None)


def hear(segment: Segment, fact: AtomicFact | None) -> Hearing:
    """Sides come in an order drawn once and for all by the address: it tells nothing of who said what."""
    sides = _sides(segment, fact)
    random.Random(f"{segment.pk}.{fact.pk if fact else ''}").shuffle(sides)  # noqa: S311 - an order, no secret
    fact_key = fact.pk if fact else None
    return Hearing(
        segment, fact, tuple(sides), last_decision((segment.pk, fact_key)), tuple(gold_at(segment.pk, fact_key))
    )


def _sides(segment: Segment, fact: AtomicFact | None) -> list[Side]:
    labels = (
        Label.objects.filter(segment=segment, assignment__state=Assignment.State.SUBMITTED)
        .real()
        .in_force()
        .select_related("assignment__annotator", "fact")
        .prefetch_related("references")
        .order_by("assignment__place", "fact__position")
    )
    by_assignment: dict[Assignment, list[Label]] = {}
    for label in labels:
        by_assignment.setdefault(label.assignment, []).append(label)
    sides = []
    for assignment, said in by_assignment.items():
        own = next((label for label in said if label.fact_id == (fact.pk if fact else None)), None)
        if own is not None:
            sides.append(Side(assignment, own, ()))
        elif fact is None:
            sides.append(Side(assignment, None, tuple(said)))
    return sides
