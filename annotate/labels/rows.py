"""One line of a labels file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotate.corpus.rows import LONGEST_INDEX
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.models import User
from annotate.models.values import FELM_SPELLING
from core.errors import DataError, RowError, at_line, describe
from core.json_lines import read_objects
from core.row_fields import Fields, check_keys, check_text, filled_text, outside_index, text, texts

REQUIRED = ("index", "segment", "annotator", "value")
# Snapshots are what an export tells of pages that were frozen: this side freezes pages of its own. The probability is
# that of a draw on the other side.
OPTIONAL = ("fact", "error_type", "reason", "references", "snapshots", "probability")
LONGEST_NAME = 150
_OUR_SPELLING = {spelled: ours.value for ours, spelled in FELM_SPELLING.items()}

Address = tuple[str, int, int | None]


@dataclass(frozen=True)
class LabelRow:
    """A judgement by a named annotator at (response's index, segment, fact or None).

    place: the word for the number `line`, "line" or "row"; origin: begins the message of an error.
    """

    path: Path
    line: int
    address: Address
    annotator: str
    judgement: UnitJudgement
    place: str = "line"
    origin: str = ""

    def error(self, cause: object) -> DataError:
        return at_line(self.path, self.line, f"{self.origin}{cause}", self.place)


def read_labels(path: Path) -> Iterator[LabelRow]:
    """The rows of the file, each checked on its own; error types may be spelled as in FELM's file. Raises DataError."""
    for line, fields in read_objects(path):
        try:
            check_keys(fields, REQUIRED, OPTIONAL)
            yield LabelRow(path, line, read_address(fields), _annotator(fields), _judged(fields))
        except RowError as error:
            raise at_line(path, line, error) from error


def read_address(fields: Fields) -> Address:
    """The row's address, which predictions share; a missing fact is null. Raises RowError."""
    fact = None if fields.get("fact") is None else check_count(fields, "fact")
    return outside_index(fields, LONGEST_INDEX), check_count(fields, "segment"), fact


def _annotator(fields: Fields) -> str:
    """The name as it is kept when the person is made, so that they are found by it again."""
    name = User.normalize_username(filled_text(fields, "annotator"))
    # Measured as it is kept: a ligature becomes several letters.
    return check_text(name, "annotator", LONGEST_NAME)


def _judged(fields: Fields) -> UnitJudgement:
    error_type = _text_or_null(fields, "error_type")
    return UnitJudgement(
        value=text(fields, "value"),
        error_type=_OUR_SPELLING.get(error_type, error_type),
        reason=_text_or_null(fields, "reason"),
        references=tuple(CitedReference(link) for link in texts(fields, "references"))
        if fields.get("references") is not None
        else (),
    )


def _text_or_null(fields: Fields, key: str) -> str:
    return "" if fields.get(key) is None else check_text(fields[key], key)


def check_count(fields: Fields, key: str) -> int:
    """A number that counts from 0. Raises RowError."""
    number = fields[key]
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise RowError(f"{key} counts from 0; {describe(number)} is no such number")
    return number
