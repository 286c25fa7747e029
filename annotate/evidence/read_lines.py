"""Documents in a file of JSON lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotate.evidence.rows import DocumentRow
from annotate.judgements.judgement import REFERENCE_LIMIT
from core.errors import RowError, at_line
from core.json_lines import read_objects
from core.row_fields import check_keys, check_text, filled_text, optional_text, outside_index, parse_date, texts
from knowledge.documents import LONGEST_KEY
from knowledge.titles import LONGEST_TITLE


def read_lines(path: Path) -> Iterator[DocumentRow]:
    """Rows {"title", "text", "url"?, "id"?, "redirects"?, "date"?}; a row's key is its id, else its title."""
    for line, fields in read_objects(path):
        try:
            yield _read_row(line, fields)
        except RowError as error:
            raise at_line(path, line, error) from None


def _read_row(line: int, fields: dict[str, Any]) -> DocumentRow:
    check_keys(fields, ("title", "text"), ("url", "id", "redirects", "date"))
    title = filled_text(fields, "title", LONGEST_TITLE)
    return DocumentRow(
        place=f"line {line}",
        key=outside_index(fields, LONGEST_KEY, "id") if "id" in fields else title,
        title=title,
        url=optional_text(fields, "url", REFERENCE_LIMIT),
        text=filled_text(fields, "text"),
        redirects=_redirects(fields),
        published=parse_date(fields["date"], "date") if "date" in fields else None,
    )


def _redirects(fields: dict[str, Any]) -> tuple[str, ...]:
    names = texts(fields, "redirects") if "redirects" in fields else []
    return tuple(check_text(name, "redirects", LONGEST_TITLE) for name in names if name.strip())
