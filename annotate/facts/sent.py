"""The request of the editor: JSON from its script, or as lines from its plain form."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict, RawPostDataException

from annotate.facts.edit import SheetError
from annotate.facts.sheet import FactDraft, FactSheet, SheetSentence
from core.errors import RowError, not_saved
from core.json_limits import parse_json
from core.numbers import read_number
from core.row_fields import check_text

LONGEST_FACT = 2000
MOST_FACTS = 200  # of a sentence


@dataclass(frozen=True)
class FactsPayload:
    """`version`: of the facts that the page had seen; `changes`: by segment; `finish`: they are all right now."""

    version: int
    changes: dict[int, list[FactDraft]]
    finish: bool


def read_sent(request: HttpRequest) -> FactsPayload:
    """The body of the script's save. Raises SheetError."""
    try:
        body = parse_json(request.body)
    except (ValueError, RowError, RawPostDataException):  # the last: it was read, as a form
        raise SheetError("What was sent is not JSON.") from None
    if not isinstance(body, dict) or not isinstance(body.get("sentences"), dict):
        raise SheetError("What was sent is not a sheet of facts.")
    return FactsPayload(
        version=_version(body.get("version")),
        changes={_key(segment): _pieces(pieces) for segment, pieces in body["sentences"].items()},
        finish=body.get("finish") is True,
    )


def read_form(form: QueryDict, sheet: FactSheet) -> FactsPayload:
    """The plain form: one fact a line of each sentence. A line that stood there before keeps its origin; any
    other counts as added, for without the script nobody saw how it came about. Raises SheetError."""
    return FactsPayload(
        version=_version(form.get("version")),
        changes={each.segment.pk: _lines(form, each) for each in sheet.sentences},
        finish="finish" in form,
    )


def _lines(form: QueryDict, sentence: SheetSentence) -> list[FactDraft]:
    before = {piece.text: piece.derived_from for piece in sentence.pieces}
    lines = (line.strip() for line in form.get(f"sentence-{sentence.segment.pk}", "").splitlines())
    return _counted([FactDraft(_text(line), before.get(line, ())) for line in lines if line])


def _pieces(sent: Any) -> list[FactDraft]:
    if not isinstance(sent, list):
        raise SheetError("The facts of a sentence must be a list.")
    return _counted([_piece(one) for one in sent])


def _piece(sent: Any) -> FactDraft:
    if not isinstance(sent, dict) or not isinstance(sent.get("from"), list):
        raise SheetError("A fact must have a text, and the facts it comes from.")
    return FactDraft(_text(sent.get("text")), tuple(dict.fromkeys(_whole(source) for source in sent["from"])))


def _text(sent: object) -> str:
    try:
        return " ".join(check_text(sent, "a fact", LONGEST_FACT).split())
    except RowError as error:
        raise SheetError(not_saved(error)) from None


def _counted(pieces: list[FactDraft]) -> list[FactDraft]:
    if len(pieces) > MOST_FACTS:
        raise SheetError(f"A sentence may have {MOST_FACTS} facts at most.")
    return pieces


def _version(sent: object) -> int:
    return _key(sent) if isinstance(sent, str) else _whole(sent)


def _key(sent: str) -> int:
    number = read_number(sent)
    if number is None:
        raise SheetError("What was sent names a sentence or version that cannot be.")
    return number


def _whole(sent: object) -> int:
    if not isinstance(sent, int) or isinstance(sent, bool) or not 0 <= sent < 2**53:
        raise SheetError("What was sent names a fact or version that cannot be.")
    return sent
