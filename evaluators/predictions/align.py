"""The units that the rows of a file of predictions are about."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from annotate.judgements.judgement import JudgementError, check_value
from annotate.labels.rows import Address
from annotate.models import Dataset
from core.chunks import in_chunks
from core.csv import harmless_text
from core.errors import RowError
from evaluators.predictions.sent_rows import SentRow, same_text
from evaluators.runs.cases import read_segments, read_units

# Keeps `IN (...)` below the number of parameters that every database takes.
CHUNK = 500

# A unit's text, in the response of an index or, where that is None, in any.
TextKey = tuple[str | None, str]


@dataclass(frozen=True)
class Place:
    """The place of an address in the database, by primary keys."""

    response: int
    segment: int
    fact: int | None


def align(dataset: Dataset, rows: Sequence[SentRow]) -> tuple[dict[Place, SentRow], list[tuple[int, str]]]:
    """The row of each place, and the faults of the rows that have none or one that an earlier row has."""
    places = read_places(dataset, {row.address[0] for row in rows if row.address is not None})
    by_text = _read_texts(dataset, {(row.index, row.text) for row in rows if row.address is None})
    placed: dict[Place, SentRow] = {}
    faults = []
    for row in rows:
        try:
            check_value(row.predicted.value or "", dataset)
            place = _at(dataset, places, row) if row.address else _with_text(dataset, by_text, row)
            if (earlier := placed.setdefault(place, row)) is not row:
                raise RowError(f"this address has its prediction in line {earlier.number} already")
        except (RowError, JudgementError) as error:
            faults.append((row.number, str(error)))
    return placed, faults


def _at(dataset: Dataset, places: dict[Address, tuple[Place, str]], row: SentRow) -> Place:
    assert row.address is not None  # noqa: S101 - the caller has looked
    if row.address not in places:
        raise RowError(f"{say_address(row.address)} is not in {dataset.name}")
    place, text = places[row.address]
    if row.text and row.text not in (same_text(text), same_text(harmless_text(text))):
        raise RowError(f"{say_address(row.address)} has another text in {dataset.name}")
    return place


def _with_text(dataset: Dataset, by_text: dict[TextKey, list[Place]], row: SentRow) -> Place:
    found = by_text.get((row.index, row.text), [])
    where = dataset.name if row.index is None else f"response {row.index!r} of {dataset.name}"
    if not found:
        raise RowError(f"no unit of {where} has this text")
    if len(found) > 1:
        raise RowError(f"{len(found)} units of {where} have this text: name the segment")
    return found[0]


def places_of(dataset: Dataset, indexes: Iterable[str]) -> dict[Address, Place]:
    """Everything in the responses of these indexes that can be predicted: segments, and judged facts."""
    return {address: place for address, (place, _) in read_places(dataset, indexes).items()}


def read_places(dataset: Dataset, indexes: Iterable[str]) -> dict[Address, tuple[Place, str]]:
    """As places_of, each with its text."""
    places: dict[Address, tuple[Place, str]] = {}
    for chunk in in_chunks(sorted(indexes), CHUNK):
        index_of = dict(dataset.responses.visible().filter(index__in=chunk).values_list("pk", "index"))
        segments = read_segments(list(index_of))
        for units in (segments, read_units(dataset, segments)):
            for response, index in index_of.items():
                for unit in units[response]:
                    place = Place(response, unit.segment_id, unit.fact_id)
                    places[index, unit.segment, unit.fact] = place, unit.text
    return places


def _read_texts(dataset: Dataset, wanted: Set[TextKey]) -> dict[TextKey, list[Place]]:
    """The judged units (segments, or facts) with these texts."""
    found: dict[TextKey, list[Place]] = defaultdict(list)
    responses = dataset.responses.visible().order_by("position").values_list("pk", "index")
    in_any = any(index is None for index, _ in wanted)
    named = {index for index, _ in wanted}
    for chunk in in_chunks(((pk, index) for pk, index in responses if in_any or index in named), CHUNK):
        units = read_units(dataset, read_segments([pk for pk, _ in chunk]))
        for response, index in chunk:
            for unit in units[response]:
                text = same_text(unit.text)
                for key in {(index, text), (None, text)} & wanted:
                    found[key].append(Place(response, unit.segment_id, unit.fact_id))
    return found


def say_address(address: Address) -> str:
    index, segment, fact = address
    of_response = f"segment {segment} of response {index!r}"
    return of_response if fact is None else f"fact {fact} of {of_response}"
