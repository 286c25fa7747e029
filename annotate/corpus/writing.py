"""Rows into tables, in bulk: a chunk of responses with all that hangs on them in one short transaction."""

from collections.abc import Sequence
from itertools import chain

from annotate.corpus.checking import prompt_key
from annotate.corpus.rows import FactRow, Judged, PromptRow, Row, SegmentRow
from annotate.models import AtomicFact, Dataset, FactSet, GoldLabel, Import, Prompt, ReferenceLink, Response, Segment
from annotate.segments.locate import Span, locate
from annotate.segments.sentences import sentences


class Writer:
    """Writes chunks of rows for one import.

    It knows the next free position, the gold revision that the import's labels get, and the prompts that
    subjects share.
    """

    def __init__(self, imported: Import, position: int, revision: int, shares_prompts: bool) -> None:
        self.imported = imported
        self.dataset: Dataset = imported.dataset
        self.position = position
        self.revision = revision
        self.prompts = _known_prompts(self.dataset) if shares_prompts else None

    def write(self, rows: Sequence[tuple[str, Row]]) -> None:
        """Store the rows under the indexes that go with them."""
        prompts = self._write_prompts([row.prompt for _, row in rows])
        responses = Response.objects.bulk_create(
            self._response(index, row, prompt, self.position + place)
            for place, ((index, row), prompt) in enumerate(zip(rows, prompts, strict=True))
        )
        self.position += len(rows)
        contents = [row for _, row in rows]
        segments = _write_segments(responses, contents)
        facts = _write_facts(segments)
        self._write_gold(segments, facts)
        ReferenceLink.objects.bulk_create(
            ReferenceLink(response_id=response.pk, position=place, url=reference.url, content=reference.content)
            for response, row in zip(responses, contents, strict=True)
            for place, reference in enumerate(row.references)
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

    def _response(self, index: str, row: Row, prompt: int, position: int) -> Response:
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
        )

    def _write_gold(
        self, segments: Sequence[tuple[SegmentRow, Segment]], facts: Sequence[tuple[FactRow, AtomicFact]]
    ) -> None:
        of_segments = (self._gold(row.judged, segment.pk, None) for row, segment in segments if row.judged)
        of_facts = (self._gold(row.judged, fact.segment_id, fact.pk) for row, fact in facts if row.judged)
        GoldLabel.objects.bulk_create(chain(of_segments, of_facts))

    def _gold(self, judged: Judged, segment: int, fact: int | None) -> GoldLabel:
        return GoldLabel(
            segment_id=segment,
            fact_id=fact,
            value=judged.value,
            error_type=judged.error_type,
            reason=judged.reason,
            source=GoldLabel.Source.IMPORT,
            revision=self.revision,
        )


def _known_prompts(dataset: Dataset) -> dict[bytes, int]:
    prompts = dataset.prompts.only("pk", "text").iterator(chunk_size=2000)
    return {prompt_key(prompt): prompt.pk for prompt in prompts}


def _write_segments(responses: Sequence[Response], rows: Sequence[Row]) -> list[tuple[SegmentRow, Segment]]:
    """The segments of all responses, each beside the row it came from."""
    written: list[tuple[SegmentRow, Segment]] = []
    for response, row in zip(responses, rows, strict=True):
        segments = segments_of(row)
        spans = locate(row.text, [segment.text for segment in segments])
        written.extend(
            (segment, _segment(response, place, segment, span))
            for place, (segment, span) in enumerate(zip(segments, spans, strict=True))
        )
    Segment.objects.bulk_create(segment for _, segment in written)
    return written


def _segment(response: Response, position: int, row: SegmentRow, span: Span | None) -> Segment:
    start, end = span or (None, None)
    return Segment(
        response_id=response.pk,
        position=position,
        text=row.text,
        start=start,
        end=end,
        relevant=row.relevant,
        extra=row.extra,
    )


def segments_of(row: Row) -> Sequence[SegmentRow]:
    """Those of the row, or where it gives none the sentences of its text."""
    return row.segments if row.segments is not None else [SegmentRow(sentence) for sentence in sentences(row.text)]


def _write_facts(
    segments: Sequence[tuple[SegmentRow, Segment]],
) -> list[tuple[FactRow, AtomicFact]]:
    """People's and a model's facts of all responses, each beside the row it came from."""
    written: list[tuple[FactRow, AtomicFact]] = []
    for origin in FactSet.Origin:
        with_facts = {segment.response_id for row, segment in segments if _facts_of(row, origin)}
        sets = FactSet.objects.bulk_create(FactSet(response_id=pk, origin=origin) for pk in sorted(with_facts))
        set_of = {fact_set.response_id: fact_set.pk for fact_set in sets}
        written.extend(
            (
                fact,
                AtomicFact(
                    fact_set_id=set_of[segment.response_id], segment_id=segment.pk, position=place, text=fact.text
                ),
            )
            for row, segment in segments
            for place, fact in enumerate(_facts_of(row, origin))
        )
    AtomicFact.objects.bulk_create(fact for _, fact in written)
    return written


def _facts_of(row: SegmentRow, origin: str) -> tuple[FactRow, ...]:
    return row.human_facts if origin == FactSet.Origin.HUMAN else row.model_facts
