"""A file of all units of a dataset, to be filled in with an evaluator's predictions."""

from collections.abc import Iterator

from annotate.models import Dataset
from core.csv import BYTE_ORDER_MARK, csv_line
from core.json_lines import json_line
from evaluators.methods.base import Unit
from evaluators.predictions.sent_rows import OPEN
from evaluators.runs.cases import judgeable, read_segments, read_units

COLUMNS = ("index", "segment", "fact", "text", "value", "score", "rationale")
RESPONSES_AT_ONCE = 200


def template_as_csv(dataset: Dataset) -> Iterator[str]:
    """The header, then a line a unit, each with its end. `value` is "open": such a row is left out by the import."""
    yield BYTE_ORDER_MARK + csv_line(COLUMNS) + "\r\n"
    for index, unit in _units(dataset):
        fact = "" if unit.fact is None else unit.fact
        yield csv_line((index, unit.segment, fact, unit.text, OPEN, "", "")) + "\r\n"


def template_as_json_lines(dataset: Dataset) -> Iterator[str]:
    """An object a unit likewise."""
    for index, unit in _units(dataset):
        values = (index, unit.segment, unit.fact, unit.text, OPEN, None, "")
        yield json_line(dict(zip(COLUMNS, values, strict=True))) + "\n"


def _units(dataset: Dataset) -> Iterator[tuple[str, Unit]]:
    """Each unit with its response's index, in reading order."""
    indexes = dict(judgeable(dataset).values_list("pk", "index"))
    keys = list(indexes)
    for start in range(0, len(keys), RESPONSES_AT_ONCE):
        some = keys[start : start + RESPONSES_AT_ONCE]
        units = read_units(dataset, read_segments(some))
        yield from ((indexes[pk], unit) for pk in some for unit in units[pk])
