"""A subject model's other answers to the same prompts, for self-checking (FActScore §4.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from annotate.corpus.inserting import insert_rows
from annotate.corpus.rows import LONGEST_INDEX
from annotate.models import Dataset, SubjectSample
from core import row_fields as fields
from core.errors import RowError, at_line, describe
from core.json_lines import read_objects

CHUNK = 500


@dataclass(frozen=True)
class ImportedSamples:
    """Responses that got samples, and those that had the same ones already."""

    created: int
    unchanged: int


@transaction.atomic
def import_samples(dataset: Dataset, path: Path) -> ImportedSamples:
    """Give each response that the file names its samples: {"index", "samples": [text, …]}, one response a line.

    Nothing is written if any line is at fault: an index that is not in the dataset or stands twice, or a response that
    has other samples already. Raises DataError.
    """
    responses = dict(dataset.responses.visible().values_list("index", "pk"))
    there = _samples_of(dataset)
    lines: dict[str, int] = {}
    new: list[tuple[int, list[str]]] = []
    for line, row in read_objects(path):
        try:
            index, samples = _read_row(row)
            if lines.setdefault(index, line) != line:
                raise RowError(f"the index {describe(index)} is already that of line {lines[index]}")
            if index not in responses:
                raise RowError(f"there is no response {describe(index)} in {dataset.name}")
            known = there.get(responses[index])
            if known is not None and known != samples:
                raise RowError(f"the response {describe(index)} has other samples already")
        except RowError as error:
            raise at_line(path, line, error) from None
        if known is None:
            new.append((responses[index], samples))
    insert_samples(new)
    return ImportedSamples(created=len(new), unchanged=len(lines) - len(new))


def insert_samples(samples: Iterable[tuple[int, Sequence[str]]]) -> None:
    """Store the samples of responses (primary keys) that have none yet."""
    insert_rows(
        SubjectSample,
        ("response", "position", "text"),
        ((response, position, text) for response, texts in samples for position, text in enumerate(texts)),
    )


def _read_row(row: fields.Fields) -> tuple[str, list[str]]:
    fields.check_keys(row, ("index", "samples"))
    samples = fields.texts(row, "samples")
    if not samples:
        raise RowError("samples is empty")
    return fields.outside_index(row, LONGEST_INDEX), samples


def _samples_of(dataset: Dataset) -> dict[int, list[str]]:
    there: dict[int, list[str]] = {}
    rows = SubjectSample.objects.filter(response__dataset=dataset).order_by("response", "position")
    for response, text in rows.values_list("response", "text").iterator(chunk_size=CHUNK):
        there.setdefault(response, []).append(text)
    return there
