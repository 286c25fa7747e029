"""One line of a predictions file."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from annotate.labels.rows import Address, read_address
from annotate.models import Value
from core.errors import DataError, RowError, at_line, describe
from core.json_lines import read_objects
from core.row_fields import Fields, check_keys, check_text, plain_value

REQUIRED = ("index", "segment", "value")
OPTIONAL = ("fact", "score", "rationale")
NOTHING = ("", "null", "none", "nan", "n/a", "na", "-", "unparsed")  # as other programs write null


@dataclass(frozen=True)
class Predicted:
    """A prediction: value None means that it could not be parsed; score is the probability of *supported*."""

    value: str | None
    score: float | None = None
    rationale: str = ""


@dataclass(frozen=True)
class PredictionRow:
    """A prediction at (response's index, segment, fact or None)."""

    path: Path
    line: int
    address: Address
    predicted: Predicted

    def error(self, cause: object) -> DataError:
        return at_line(self.path, self.line, cause)


def read_predictions(path: Path) -> list[PredictionRow]:
    """The rows of the file, each checked, no address twice. Raises DataError."""
    first: dict[Address, PredictionRow] = {}
    for row in _read_rows(path):
        earlier = first.setdefault(row.address, row)
        if earlier is not row:
            raise row.error(f"this address has its prediction in line {earlier.line} already")
    return list(first.values())


def _read_rows(path: Path) -> Iterator[PredictionRow]:
    for line, fields in read_objects(path):
        try:
            check_keys(fields, REQUIRED, OPTIONAL)
            yield PredictionRow(path, line, read_address(fields), read_predicted(fields))
        except RowError as error:
            raise at_line(path, line, error) from error


def read_predicted(fields: Fields) -> Predicted:
    rationale = fields.get("rationale")
    return Predicted(
        value=_read_value(fields["value"]),
        score=_read_score(fields.get("score")),
        rationale="" if rationale is None else check_text(rationale, "rationale"),
    )


class SaidValues:
    """What the values of another program mean here, by its own ("True", "S", "1"), in any case."""

    def __init__(self, ours: Mapping[str, str]) -> None:
        self._ours = {plain_value(value): (value, ours[value]) for value in ours}
        self._is_used = not ours

    def translate(self, value: object) -> object:
        """Ours of a value that was named; any other as it is."""
        self._is_used |= plain_value(value) in self._ours
        return self._ours.get(plain_value(value), (value, value))[1]

    def check_used(self, path: Path) -> None:
        """Raises DataError where the file has none of those named. Some may be absent: "I" where all are "C"."""
        if not self._is_used:
            value, ours = next(iter(self._ours.values()))
            raise DataError(f"{path.name}: {value}={ours} changes nothing: no row has the value {describe(value)}.")


def _read_value(value: object) -> str | None:
    named = re.sub(r"[\s-]+", "_", value.strip().lower().rstrip(".")) if isinstance(value, str) else value
    named = None if named in NOTHING else named
    if named is None or (isinstance(named, str) and named in Value.values):
        return named
    raise RowError(
        f"value must be one of {', '.join(Value.values)}, or null where it could not be parsed, not {describe(value)}"
    )


def _read_score(score: object) -> float | None:
    """0.9 may be written as "0,9" or "90%"."""
    if isinstance(score, str):
        text = score.strip()
        percent = 100 if text.endswith("%") else 1
        try:
            score = None if text.lower() in NOTHING else float(text.rstrip("% ").replace(",", ".")) / percent
        except ValueError:
            raise RowError("score is no number") from None
    if score is None:
        return None
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise RowError("score must be a probability from 0 to 1, or null")
    return float(score)
