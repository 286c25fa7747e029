"""A file of documents into a knowledge source: checked whole, then written in short transactions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotate.corpus.fields import UNSTORABLE, check_keys, filled_text, optional_text, outside_index
from annotate.corpus.lines import DataError, RowError, at_line, describe, read_objects
from annotate.evidence.passages import passages_of
from annotate.labels.judgement import REFERENCE_LIMIT
from knowledge.documents import LONGEST_KEY, LONGEST_TITLE, NewDocument, content_hash, contents
from knowledge.models import KnowledgeSource
from knowledge.writing import SourceBusyError, writing_into

# What is written in one transaction: so many documents, or fewer once they have so many characters.
CHUNK = 100
CHUNK_CHARACTERS = 1_000_000
LONGEST_NAME = 100

# Called with (written, to write) after every chunk.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class ImportedDocuments:
    """Rows that became documents, and rows that were there already."""

    source: KnowledgeSource
    created: int
    unchanged: int


@dataclass(frozen=True)
class Row:
    key: str
    title: str
    url: str
    text: str

    @property
    def content(self) -> bytes:
        return bytes.fromhex(content_hash(self.title, self.url, self.text))


def import_documents(path: Path, source_name: str, progress: Progress | None = None) -> ImportedDocuments:
    """Make the knowledge source, or extend it, with a file of JSON lines {"title", "text", "url"?, "id"?}.

    A row's key is its id, else its title. A row that is there already with the same content is unchanged.
    DataError: one sentence that names file, line and cause, for a row that is not sound, or whose key is there with
    other content; nothing of the file is then kept. It is also raised where another import has the source.
    """
    _check_name(source_name)
    lines = _check_file(path)
    try:
        with writing_into(source_name) as writer:
            new = _new_keys(path, lines, contents(writer.source))
            for chunk in _chunks(_documents(path, lines, new)):
                writer.write(chunk)
                if progress is not None:
                    progress(writer.written, len(new))
    except SourceBusyError as error:
        raise DataError(f"{path.name}: {error}.") from None
    rows = sum(rows for _, _, rows in lines.values())
    return ImportedDocuments(writer.source, len(new), rows - len(new))


# Key → (line that has it first, content hash, how many rows have it).
Lines = dict[str, tuple[int, bytes, int]]


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or UNSTORABLE.search(name):
        raise DataError(
            f"A knowledge source's name must be plain text of 1 to {LONGEST_NAME} characters, without white space at "
            "its ends."
        )


def _check_file(path: Path) -> Lines:
    """Read the whole file; of each row only the key and the hash are held."""
    lines: Lines = {}
    for line, row in _read_rows(path):
        first, content, rows = lines.get(row.key, (line, row.content, 0))
        if content != row.content:
            raise at_line(path, line, f"{describe(row.key)} is already the key of line {first}, with other content")
        lines[row.key] = (first, content, rows + 1)
    return lines


def _read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    for line, fields in read_objects(path):
        try:
            yield line, _read_row(fields)
        except RowError as error:
            raise at_line(path, line, error) from None


def _read_row(fields: dict[str, Any]) -> Row:
    check_keys(fields, ("title", "text"), ("url", "id"))
    title = filled_text(fields, "title", LONGEST_TITLE)
    key = outside_index(fields, LONGEST_KEY, "id") if "id" in fields else title
    return Row(key, title, optional_text(fields, "url", REFERENCE_LIMIT), filled_text(fields, "text"))


def _new_keys(path: Path, lines: Lines, there: dict[str, bytes]) -> set[str]:
    """The keys that the source does not have yet."""
    for key, (line, content, _) in lines.items():
        if there.get(key, content) != content:
            raise at_line(path, line, f"{describe(key)} is already in the source with other content")
    return lines.keys() - there.keys()


def _documents(path: Path, lines: Lines, new: set[str]) -> Iterator[NewDocument]:
    """The new rows, cut into passages; read from the file again, so that none need be held."""
    left = set(new)
    for line, row in _read_rows(path):
        if row.key not in lines or lines[row.key][1] != row.content:
            raise at_line(path, line, "the file changed while it was read")
        if row.key in left:
            left.remove(row.key)
            yield NewDocument(row.key, row.title, row.url, row.text, tuple(passages_of(row.text)))
    if left:
        raise DataError(f"{path.name}: the file changed while it was read.")


def _chunks(documents: Iterable[NewDocument]) -> Iterator[list[NewDocument]]:
    chunk: list[NewDocument] = []
    characters = 0
    for document in documents:
        chunk.append(document)
        characters += len(document.text)
        if len(chunk) == CHUNK or characters >= CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk
