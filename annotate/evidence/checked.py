"""What a first reading of a file of documents found, kept in a temporary file: millions of keys take no memory."""

import sqlite3
from collections.abc import Iterable
from datetime import date
from enum import IntEnum

from annotate.evidence.rows import DocumentRow
from core.errors import RowError, describe

# The part of the file that is held in memory, in KiB.
HELD = 16_384


class Standing(IntEnum):
    """Of a key, beside the documents that the source has."""

    NEW = 0
    THERE = 1
    CHANGED = 2
    WRITTEN = 3


class CheckedDocuments:
    """Content and date of each key, the number of rows, and of rows without text; `dated`: a row has a date."""

    def __init__(self) -> None:
        # Without a name it is a file that SQLite deletes when it is closed.
        self._file = sqlite3.connect("", isolation_level=None)
        self._file.executescript(f"""
            PRAGMA journal_mode = OFF;
            PRAGMA cache_size = -{HELD};
            CREATE TABLE keys (key TEXT PRIMARY KEY, content BLOB, published TEXT, standing INT) WITHOUT ROWID;
            BEGIN;
        """)
        self.rows = 0
        self.blank = 0
        self.dated = False

    def close(self) -> None:
        self._file.close()

    def add(self, row: DocumentRow) -> None:
        """Raises RowError where an earlier row of the same key says otherwise."""
        published = row.published.isoformat() if row.published else None
        values = (row.key, row.content, published, Standing.NEW)
        if not self._file.execute("INSERT OR IGNORE INTO keys VALUES (?, ?, ?, ?)", values).rowcount:
            [(content, dated)] = self._file.execute("SELECT content, published FROM keys WHERE key = ?", (row.key,))
            if content != row.content:
                raise RowError(f"{describe(row.key)} is the key of an earlier row with other content")
            if dated and published and dated != published:
                raise RowError(f"{describe(row.key)} is the key of an earlier row with another date")
            self._file.execute("UPDATE keys SET published = ? WHERE key = ?", (dated or published, row.key))
        self.rows += 1
        self.dated = self.dated or published is not None

    def compare(self, there: Iterable[tuple[str, bytes]]) -> None:
        """Note the standing of each key; there: keys and contents of the documents that the source has."""
        changed = "UPDATE keys SET standing = iif(content = ?, ?, ?) WHERE key = ?"
        rows = ((content, Standing.THERE, Standing.CHANGED, key) for key, content in there)
        self._file.executemany(changed, rows)

    def number(self, standing: Standing) -> int:
        [(number,)] = self._file.execute("SELECT count(*) FROM keys WHERE standing = ?", (standing,))
        return int(number)

    def standing_of(self, row: DocumentRow) -> Standing | None:
        """None where no row of this key and content was found."""
        found = "SELECT standing FROM keys WHERE key = ? AND content = ?"
        standing = self._file.execute(found, (row.key, row.content)).fetchone()
        return Standing(standing[0]) if standing else None

    def note_written(self, key: str) -> None:
        self._file.execute("UPDATE keys SET standing = ? WHERE key = ?", (Standing.WRITTEN, key))

    def date_of(self, key: str) -> date | None:
        """None where no row gives it one."""
        found = self._file.execute("SELECT published FROM keys WHERE key = ?", (key,)).fetchone()
        return date.fromisoformat(found[0]) if found and found[0] else None
