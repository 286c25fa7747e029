"""Responses as rows: what a page of the list, one response, JSON lines and Parquet give."""

from collections.abc import Iterable, Iterator
from typing import Any

from annotate.judgements.units import ResponseReading, Sentence, read_with_passages
from annotate.models import Dataset, Response
from core.chunks import in_chunks
from core.parquet import JSON, Columns

CHUNK = 500  # responses that are read at a time
TEXT, KEY, NUMBER, FLAG = "string", "int64", "int32", "bool"

COLUMNS: Columns = {
    "id": KEY,
    "index": TEXT,
    "position": NUMBER,
    "domain": TEXT,
    "source": TEXT,
    "topic": TEXT,
    "frequency": TEXT,
    "nationality": TEXT,
    "subject": TEXT,
    "prompt": TEXT,
    "response": TEXT,
    "abstained": FLAG,
    "state": TEXT,
    "details": JSON,
    "segments": [
        {
            "id": KEY,
            "position": NUMBER,
            "text": TEXT,
            "start": NUMBER,
            "end": NUMBER,
            "relevant": FLAG,
            "facts": [{"id": KEY, "position": NUMBER, "text": TEXT}],
            "passages": [{"title": TEXT, "url": TEXT, "text": TEXT}],
        }
    ],
}


def response_rows(dataset: Dataset, responses: Iterable[Response]) -> Iterator[dict[str, Any]]:
    """Rows with COLUMNS. The responses have their prompt and their state (annotate/corpus/finding.py)."""
    for chunk in in_chunks(responses, CHUNK):
        for reading in read_with_passages(dataset, chunk):
            yield _row(reading)


def _row(reading: ResponseReading) -> dict[str, Any]:
    response, prompt = reading.response, reading.response.prompt
    return {
        "id": response.pk,
        "index": response.index,
        "position": response.position,
        "domain": prompt.domain,
        "source": prompt.source,
        "topic": prompt.topic,
        "frequency": prompt.frequency,
        "nationality": prompt.nationality,
        "subject": response.subject,
        "prompt": prompt.text,
        "response": response.text,
        "abstained": response.abstained,
        "state": vars(response)["state"],
        "details": response.details or None,
        "segments": [_segment(sentence) for sentence in reading.sentences],
    }


def _segment(sentence: Sentence) -> dict[str, Any]:
    segment = sentence.whole.segment
    return {
        "id": segment.pk,
        "position": segment.position,
        "text": segment.text,
        "start": segment.start,
        "end": segment.end,
        "relevant": segment.relevant,
        "facts": [
            {"id": unit.fact.pk, "position": unit.fact.position, "text": unit.fact.text}
            for unit in sentence.facts
            if unit.fact is not None
        ],
        "passages": [
            {"title": passage.title, "url": passage.url, "text": passage.text} for passage in sentence.whole.passages
        ],
    }
