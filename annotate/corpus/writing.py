"""Rows into tables, in bulk: a chunk of responses with all that hangs on them in one short transaction."""

import json
from collections.abc import Iterable, Sequence
from itertools import chain

from django.db import connection
from django.utils import timezone

from annotate.corpus.checking import prompt_key
from annotate.corpus.inserting import insert_rows
from annotate.corpus.locate import Span, locate
from annotate.corpus.passages import write_passages
from annotate.corpus.rows import FactRow, PromptRow, ResponseRow, SegmentRow
from annotate.corpus.samples import insert_samples
from annotate.corpus.segmenting import segments_of
from annotate.models import AtomicFact, Dataset, FactSet, GoldLabel, Import, Prompt, ReferenceLink, Response, Segment

# A segment's row with the keys of its response and of itself; a fact's with the keys of its segment and of itself.
Written = tuple[SegmentRow, int, int]
WrittenFact = tuple[FactRow, int, int]


class ResponseWriter:
    """Writes chunks of rows for one import.

    It knows the next free position, the gold revision that the import's labels get, the prompts that subjects share,
    and the profile by which texts without segments are cut into sentences.
    """

    def __init__(self, imported: Import, position: int, revision: int, shares_prompts: bool, profile: str) -> None:
        self.imported = imported
        self.dataset: Dataset = imported.dataset
        self.position = position
        self.revision = revision
        self.profile = profile
        self.prompts = _known_prompts(self.dataset) if shares_prompts else None

    def write(self, rows: Sequence[tuple[str, ResponseRow]]) -> None:
        """Store the rows under the indexes that go with them."""
        prompts = self._write_prompts([row.prompt for _, row in rows])
        responses = Response.objects.bulk_create(
            self._response(index, row, prompt, self.position + place)
            for place, ((index, row), prompt) in enumerate(zip(rows, prompts, strict=True))
        )
        self.position += len(rows)
        contents = [row for _, row in rows]
        segments = _write_segments(responses, contents, self.profile)
        facts = _write_facts(segments)
        self._write_gold(segments, facts)
        _write_cards(segments, facts)
        if any(segment.passages for segment, _, _ in segments):
            write_passages(self.dataset, [(pk, segment.passages) for segment, _, pk in segments])
        insert_samples((response.pk, row.samples) for response, row in zip(responses, contents, strict=True))
        insert_rows(
            ReferenceLink,
            ("response", "position", "url", "content"),
            (
                (response.pk, place, reference.url, reference.content)
                for response, row in zip(responses, contents, strict=True)
                for place, reference in enumerate(row.references)
            ),
        )

    def _write_prompts(self, rows: Sequence[PromptRow]) -> list[int]:
        """The key of each row's prompt: its own, or where prompts are shared that of the first with its text."""
        if self.prompts is None:
            return [prompt.pk for prompt in Prompt.objects.bulk_create(self._prompt(row) for row in rows)]
        new = {prompt_key(row): row for row in rows if prompt_key(row) not in self.prompts}
        created = Prompt.objects.bulk_create(self._prompt(row) for row in new.values())
        self.prompts.update((key, prompt.pk) for key, prompt in zip(new, created, strict=True))
        return [self.prompts[prompt_key(row)] for row in rows]

    def _prompt(self, row: PromptRow) -> Prompt:
        return Prompt(
            dataset=self.dataset,
            text=row.text,
            domain=row.domain,
            source=row.source,
            topic=row.topic,
            frequency=row.frequency,
            nationality=row.nationality,
        )

    def _response(self, index: str, row: ResponseRow, prompt: int, position: int) -> Response:
        return Response(
            dataset=self.dataset,
            imported=self.imported,
            prompt_id=prompt,
            index=index,
            position=position,
            subject=row.subject,
            text=row.text,
            abstained=row.abstained,
            content_hash=row.content_hash,
            extra=row.extra,
            details=row.details,
        )

    def _write_gold(self, segments: Sequence[Written], facts: Sequence[WrittenFact]) -> None:
        of_segments = ((row.judged, pk, None) for row, _, pk in segments)
        of_facts = ((row.judged, segment, pk) for row, segment, pk in facts)
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        insert_rows(
            GoldLabel,
            ("segment", "fact", "value", "error_type", "reason", "source", "revision", "created_at"),
            (
                (segment, fact, gold.value, gold.error_type, gold.reason, GoldLabel.Source.IMPORT, self.revision, now)
                for gold, segment, fact in chain(of_segments, of_facts)
                if gold is not None
            ),
        )


def _known_prompts(dataset: Dataset) -> dict[bytes, int]:
    prompts = dataset.prompts.only("dataset", "text").iterator(chunk_size=2000)
    return {prompt_key(prompt): prompt.pk for prompt in prompts}


def _write_cards(segments: Sequence[Written], facts: Sequence[WrittenFact]) -> None:
    """Store the evidence of gold that was just written."""
    of_segments = ((row.judged, pk, None) for row, _, pk in segments)
    of_facts = ((row.judged, segment, pk) for row, segment, pk in facts)
    cards = {
        (segment, fact): judged.cards
        for judged, segment, fact in chain(of_segments, of_facts)
        if judged is not None and judged.cards
    }
    if not cards:
        return
    stored = GoldLabel.objects.filter(segment__in={segment for segment, _ in cards}, superseded=None)
    insert_rows(
        ReferenceLink,
        ("gold", "position", "url", "quote", "stance"),
        (
            (pk, place, card.url, card.text, card.stance)
            for segment, fact, pk in stored.values_list("segment", "fact", "pk")
            for place, card in enumerate(cards.get((segment, fact), ()))
        ),
    )


def _write_segments(responses: Sequence[Response], rows: Sequence[ResponseRow], profile: str) -> list[Written]:
    """Store the segments of all responses."""
    cut = [
        (response.pk, place, segment, span)
        for response, row in zip(responses, rows, strict=True)
        for place, (segment, span) in enumerate(_located(row, profile))
    ]
    insert_rows(
        Segment,
        ("response", "position", "text", "start", "end", "relevant", "extra"),
        (
            (response, place, segment.text, *(span or (None, None)), segment.relevant, json.dumps(segment.extra))
            for response, place, segment, span in cut
        ),
    )
    stored = Segment.objects.filter(response__in=responses).values_list("response", "position", "pk")
    keys = {(response, place): pk for response, place, pk in stored}
    return [(segment, response, keys[response, place]) for response, place, segment, _ in cut]


def _located(row: ResponseRow, profile: str) -> Iterable[tuple[SegmentRow, Span | None]]:
    segments = segments_of(row, profile)
    return zip(segments, locate(row.text, [segment.text for segment in segments]), strict=True)


def _write_facts(segments: Sequence[Written]) -> list[WrittenFact]:
    """Store people's and a model's facts of all segments; those of people are returned, for they carry gold."""
    _write_facts_of(FactSet.Origin.MODEL, [(row.model_facts, response, pk) for row, response, pk in segments])
    human = [(row.human_facts, response, pk) for row, response, pk in segments]
    sets = _write_facts_of(FactSet.Origin.HUMAN, human)
    if not sets:
        return []
    stored = AtomicFact.objects.filter(fact_set__in=sets.values()).values_list("segment", "position", "pk")
    keys = {(segment, place): pk for segment, place, pk in stored}
    return [(fact, pk, keys[pk, place]) for facts, _, pk in human for place, fact in enumerate(facts)]


def _write_facts_of(origin: str, facts: Sequence[tuple[Sequence[FactRow], int, int]]) -> dict[int, int]:
    """Store the facts of (facts, response, segment); the fact set of each response that has any."""
    with_facts = dict.fromkeys(response for rows, response, _ in facts if rows)
    created = FactSet.objects.bulk_create(FactSet(response_id=response, origin=origin) for response in with_facts)
    sets = {fact_set.response_id: fact_set.pk for fact_set in created}
    insert_rows(
        AtomicFact,
        ("fact_set", "segment", "position", "text", "extra"),
        (
            (sets[response], segment, place, fact.text, json.dumps(fact.extra) if fact.extra else None)
            for rows, response, segment in facts
            for place, fact in enumerate(rows)
        ),
    )
    return sets
