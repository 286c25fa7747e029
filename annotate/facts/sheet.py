"""The facts of a response as people write them, for the editor."""

from collections import defaultdict
from dataclasses import dataclass

from annotate.models import AtomicFact, FactSet, Response, Segment

Origin = FactSet.Origin


@dataclass(frozen=True)
class FactDraft:
    """A fact being written, and the model's facts (primary keys) that it was made of: none if it was added."""

    text: str
    derived_from: tuple[int, ...] = ()


@dataclass(frozen=True)
class SheetSentence:
    """A sentence with the model's facts and those that people make of them, which begin as the model's."""

    segment: Segment
    proposed: tuple[AtomicFact, ...]
    pieces: tuple[FactDraft, ...]


@dataclass(frozen=True)
class FactSheet:
    """people: the set they write, None before their first save. version: 0 then. Irrelevant sentences are left out:
    nobody judges their facts one by one (docs/statistics.md, FActScore of a subject model)."""

    people: FactSet | None
    model: FactSet | None
    sentences: tuple[SheetSentence, ...]

    @property
    def version(self) -> int:
        return self.people.version if self.people else 0

    @property
    def finished(self) -> bool:
        return self.people is not None and not self.people.draft

    @property
    def standing(self) -> str:
        """The state of the people's set and the user of the last save; "" before the first."""
        if self.people is None:
            return ""
        how_far = "Finished" if self.finished else "A draft, not judged yet"
        return f"{how_far}, last saved by {self.people.author.username}." if self.people.author else f"{how_far}."


def read_sheet(response: Response) -> FactSheet:
    """The response's facts, in a handful of queries."""
    sets = {fact_set.origin: fact_set for fact_set in response.fact_sets.select_related("author")}
    people, model = sets.get(Origin.HUMAN), sets.get(Origin.MODEL)
    proposed = _by_segment(model)
    written = _by_segment(people)
    return FactSheet(
        people,
        model,
        tuple(
            SheetSentence(
                segment,
                tuple(proposed[segment.pk]),
                tuple(_piece(fact) for fact in written[segment.pk])
                if people
                else tuple(FactDraft(fact.text, (fact.pk,)) for fact in proposed[segment.pk]),
            )
            for segment in response.segments.filter(relevant=True)
        ),
    )


def _piece(fact: AtomicFact) -> FactDraft:
    return FactDraft(fact.text, tuple(source.pk for source in fact.derived_from.all()))


def _by_segment(fact_set: FactSet | None) -> dict[int, list[AtomicFact]]:
    facts: dict[int, list[AtomicFact]] = defaultdict(list)
    if fact_set is not None:
        for fact in fact_set.facts.order_by("segment", "position").prefetch_related("derived_from"):
            facts[fact.segment_id].append(fact)
    return facts
