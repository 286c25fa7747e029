"""The segments that a page of the editor sends."""

from collections.abc import Mapping

from annotate.segments.cutting import CutError, Span, check, cut, pieces_of, separator_for
from core.errors import RowError
from core.json_limits import parse_json


def read_spans(posted: Mapping[str, str], text: str) -> list[Span]:
    """The script sends offsets, the plain form the text with separators. Raises CutError."""
    if "spans" not in posted:
        return cut(text, pieces_of(posted.get("pieces", ""), separator_for(text)))
    try:
        spans = parse_json(posted["spans"])
    except (ValueError, RowError):
        spans = None
    if not isinstance(spans, list) or not all(_is_span(span) for span in spans):
        raise CutError("what was sent are no segments")
    return check(text, spans)


def _is_span(span: object) -> bool:
    return isinstance(span, list) and len(span) == 2 and all(type(offset) is int for offset in span)
