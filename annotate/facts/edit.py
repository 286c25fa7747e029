"""Saving the facts that people write, as a draft until they say that it is finished."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from annotate.facts.sheet import FactDraft, FactSheet, read_sheet
from annotate.models import AtomicFact, FactSet, Proposal, Response, Segment, User
from annotate.segments.untouched import lock_untouched

Changes = Mapping[int, Sequence[FactDraft]]  # by the primary key of the segment: all of its facts


class SheetError(Exception):
    """The request cannot be the facts of this response; the message is one sentence for a person."""


class StaleFactsError(Exception):
    """Somebody saved since the page was opened. `sheet`: what stands now."""

    def __init__(self, sheet: FactSheet) -> None:
        super().__init__("Somebody else saved these facts meanwhile.")
        self.sheet = sheet


@transaction.atomic
def save(response: Response, author: User, version: int, changes: Changes, *, finish: bool = False) -> FactSheet:
    """Write the facts of the sentences that changed since `version`, and return all as they now stand.

    The first save keeps the model's proposals for the other sentences. A finished set that is changed is a draft
    again, and a draft is not judged. What the author's last save stored already is a save whose answer got lost on the
    way, and is not written again. Raises FixedError where something hangs on the response, StaleFactsError, SheetError.
    """
    locked = lock_untouched(response, Proposal.Kind.FACTS)
    sheet = read_sheet(locked)
    if sheet.version == version + 1 and _was_stored(sheet, author, changes, finish):
        return sheet
    if sheet.version != version:
        raise StaleFactsError(sheet)
    _check(sheet, changes)
    written = dict(changes)
    if sheet.people is None:
        written = {sentence.segment.pk: sentence.pieces for sentence in sheet.sentences} | written
    people = sheet.people or FactSet(response=locked, origin=FactSet.Origin.HUMAN)
    people.author, people.draft, people.version = author, not finish, version + 1
    people.save()
    _write(people, written)
    saved = read_sheet(locked)
    _note_sentences_without_facts(saved, finish)
    return saved


def _was_stored(sheet: FactSheet, author: User, changes: Changes, finish: bool) -> bool:
    """Whether the last save was the author's, and this one would change nothing in what stands."""
    if sheet.people is None or sheet.people.author != author or sheet.finished != finish:
        return False
    stands = {each.segment.pk: _comparable(each.pieces) for each in sheet.sentences}
    return all(stands.get(segment) == _comparable(pieces) for segment, pieces in changes.items())


def _comparable(pieces: Sequence[FactDraft]) -> list[tuple[str, set[int]]]:
    return [(piece.text, set(piece.derived_from)) for piece in pieces]


def _check(sheet: FactSheet, changes: Changes) -> None:
    proposed = {each.segment.pk: {fact.pk for fact in each.proposed} for each in sheet.sentences}
    for segment, pieces in changes.items():
        if segment not in proposed:
            raise SheetError("These facts belong to a sentence that the response does not have.")
        if any(set(piece.derived_from) - proposed[segment] for piece in pieces):
            raise SheetError("A fact is said to come from one that was not proposed for its sentence.")


def _write(people: FactSet, written: Changes) -> None:
    people.facts.filter(segment__in=written).delete()
    pieces = [
        (AtomicFact(fact_set=people, segment_id=segment, position=position, text=piece.text), piece.derived_from)
        for segment, of_sentence in written.items()
        for position, piece in enumerate(of_sentence)
    ]
    AtomicFact.objects.bulk_create(fact for fact, _ in pieces)
    link = AtomicFact.derived_from.through
    link._default_manager.bulk_create(
        link(from_atomicfact_id=fact.pk, to_atomicfact_id=source) for fact, sources in pieces for source in sources
    )


def _note_sentences_without_facts(sheet: FactSheet, finish: bool) -> None:
    """The answer to judged.py: people found no fact in a sentence, so that a model's facts are not judged instead."""
    for place, sentence in enumerate(sheet.sentences, start=1):
        if finish and any(not piece.text.strip() for piece in sentence.pieces):
            raise SheetError(f"Sentence {place} has an empty fact: write it or take it away.")
        extra = {key: value for key, value in sentence.segment.extra.items() if key != "human_facts"}
        if finish and not sentence.pieces:
            extra["human_facts"] = "empty"
        if extra != sentence.segment.extra:
            Segment.objects.filter(pk=sentence.segment.pk).update(extra=extra)
