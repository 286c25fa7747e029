"""The rows of a file that an import skipped, as they stood there."""

import json
from collections.abc import Iterable, Iterator

from django.db import transaction

from annotate.corpus.inserting import insert_rows
from annotate.corpus.refused import Refused
from annotate.corpus.rows import SourceRow
from annotate.models import Import, SkippedRow
from core.chunks import in_chunks
from core.errors import RowError

CHUNK = 200


def write_skipped(imported: Import, rows: Iterable[SourceRow], refused: Refused) -> None:
    """Keep those of the file's rows that were refused."""
    found = ((number, row) for number, row in rows if number in refused.rows) if refused.rows else iter(())
    for chunk in in_chunks(found, CHUNK):
        with transaction.atomic():
            insert_rows(
                SkippedRow,
                ("imported", "number", "kind", "cause", "content"),
                [(imported.pk, number, *refused.rows[number], _content(row)) for number, row in chunk],
            )


def _content(row: dict[str, object] | RowError) -> str:
    """In ASCII, so that every database takes what it holds."""
    return "" if isinstance(row, RowError) else json.dumps(row, default=str)


def skipped_lines(imported: Import) -> Iterator[str]:
    """A file of them, a JSON line a row: its number, kind and cause, and what it holds; null where it is no row."""
    for row in imported.skipped_rows.order_by("number").iterator(chunk_size=CHUNK):
        content = json.loads(row.content) if row.content else None
        line = {"row": row.number, "kind": row.kind, "cause": row.cause, "content": content}
        yield json.dumps(line) + "\n"
