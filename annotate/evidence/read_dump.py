"""Documents in a dump of an encyclopaedia as FActScore publishes it: SQLite with a table documents(title, text).

A text is its passages, parted by a separator; a sentence begins with <s> and ends with </s>. A passage that was full in
the middle of a sentence goes on in the next one, so there no marker stands.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from annotate.evidence.rows import DocumentRow, at_place
from core.errors import DataError, RowError
from core.row_fields import check_text
from knowledge.passages import Span
from knowledge.titles import LONGEST_TITLE

SEPARATOR = "####SPECIAL####SEPARATOR####"
MARKER = re.compile(r"</?s>")


def read_dump(path: Path) -> Iterator[DocumentRow]:
    """The pages in the order of the table, one at a time; their keys are their titles.

    A page without text is there too, with the text "". DataError: there is no such table, or a page is not sound.
    """
    with opened(path) as dump:
        for number, (title, text) in enumerate(dump.execute("SELECT title, text FROM documents"), start=1):
            yield read_page(path, number, title, text)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The dump, to be read where it lies; its texts come as bytes. DataError: there is no such table."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as dump:
            # The file may be anybody's: nothing that it defines is run, and bytes are decoded here.
            dump.execute("PRAGMA trusted_schema = OFF")
            dump.text_factory = bytes
            _check_table(path, dump)
            yield dump
    except sqlite3.Error as error:
        raise DataError(f"{path.name}: it is not an SQLite database that can be read: {error}.") from None


def _check_table(path: Path, dump: sqlite3.Connection) -> None:
    tables = dump.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'documents'").fetchall()
    columns = {row[1].decode() for row in dump.execute("PRAGMA table_info(documents)")} if tables else set()
    if not {"title", "text"} <= columns:
        raise DataError(f"{path.name}: it has no table documents(title, text).")


def read_page(path: Path, number: int, title: object, text: object) -> DocumentRow:
    """The page of that number in the file. DataError: it is not sound."""
    try:
        return _read_page(title, text)
    except RowError as error:
        raise at_place(path.name, f"page {number}", error) from None


def _read_page(title: object, text: object) -> DocumentRow:
    name = check_text(_decoded(title, "title"), "title", LONGEST_TITLE).strip()
    if not name:
        raise RowError("title is empty")
    plain, cuts = unmark(check_text(_decoded(text, "text"), "text"))
    return DocumentRow(f"page {name!a}", name, name, "", plain, cuts=cuts)


def _decoded(value: object, name: str) -> object:
    if not isinstance(value, bytes):
        return "" if value is None else value
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise RowError(f"{name} is not UTF-8 text (byte {error.start + 1})") from None


def unmark(text: str) -> tuple[str, tuple[Span, ...]]:
    """The text without separators and markers, and the half-open offsets of its passages; blank ones are left out.

    A space parts two sentences, unless white space does already. Where the dump marks no sentences one parts passages.
    """
    plain = ""
    cuts = []
    apart = unmarked = MARKER.search(text) is None
    for passage in text.split(SEPARATOR):
        start = len(plain)
        pieces = MARKER.split(passage)
        for number, piece in enumerate(pieces):
            apart = apart or number > 0
            if piece:
                plain = _joined(plain, piece, apart)
                apart = unmarked
        cuts.append((start, len(plain)))
    spans = (_stripped(plain, start, end) for start, end in cuts)
    return plain, tuple(span for span in spans if span[0] < span[1])


def _joined(plain: str, piece: str, apart: bool) -> str:
    if not plain:
        return piece
    blank = " " if apart and not plain[-1].isspace() and not piece[0].isspace() else ""
    return plain + blank + piece


def _stripped(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends."""
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip())
    return start, start + len(inner.strip())
