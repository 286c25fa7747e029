"""The first pass over a file: every row read and checked, nothing stored; and the comparison with the stored rows."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path

from annotate.corpus.formats import Format
from annotate.corpus.rows import PromptRow, ResponseRow
from annotate.models import Dataset, Prompt
from core.errors import RowError, at_line, describe
from core.json_lines import read_objects

PREVIEWED = 5

Warnings = list[dict[str, object]]


@dataclass
class CheckedRows:
    """A sound file: the key and content of each row, and a preview of the whole.

    lines, indexes, contents: a row's line, its index (None: it names none) and its content hash (32 bytes), held as
    tightly as this because a file may have a hundred thousand rows. The rows themselves are not held.
    prompts: of a format that shares them, key → (line that has it first, what must be the same in every row).
    """

    lines: "array[int]" = field(default_factory=lambda: array("I"))
    indexes: list[str | None] = field(default_factory=list)
    contents: bytearray = field(default_factory=bytearray)
    prompts: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    warnings: Warnings = field(default_factory=list)
    preview: list[ResponseRow] = field(default_factory=list)

    def add(self, line: int, row: ResponseRow) -> None:
        self.lines.append(line)
        self.indexes.append(row.index)
        self.contents += bytes.fromhex(row.content_hash)
        self.warnings.extend({"line": line, "message": message} for message in row.warnings)
        if len(self.preview) < PREVIEWED:
            self.preview.append(row)

    def __len__(self) -> int:
        return len(self.lines)

    def content(self, place: int) -> bytes:
        """The content hash of the row at that place of the file, from 0."""
        return bytes(self.contents[32 * place : 32 * place + 32])


def read_rows(path: Path, format: Format, subject: str) -> Iterator[tuple[int, ResponseRow]]:
    """The checked rows with their line numbers; DataError names the line at fault."""
    for line, fields in read_objects(path):
        try:
            yield line, format.read_row(fields, subject)
        except RowError as error:
            raise at_line(path, line, error) from None


def check_file(path: Path, format: Format, subject: str) -> CheckedRows:
    """Read the whole file. DataError for the first row that is not sound or repeats another's key."""
    checked = CheckedRows()
    lines: dict[str, int] = {}
    for line, row in read_rows(path, format, subject):
        if row.index is not None and lines.setdefault(row.index, line) != line:
            raise at_line(path, line, f"the index {describe(row.index)} is already that of line {lines[row.index]}")
        if format.shares_prompts:
            key, about = prompt_key(row.prompt), _prompt_about(row.prompt)
            first, other = checked.prompts.setdefault(key, (line, about))
            if other != about:
                raise at_line(path, line, f"the input is that of line {first}, with another topic or category")
        checked.add(line, row)
    return checked


def new_indexes(path: Path, checked: CheckedRows, dataset: Dataset | None) -> list[str | None]:
    """For each row of the file the index that it gets in the dataset; None for a row that is there already.

    DataError for a row whose index is there with other content. A row that names no index takes its line number as one;
    where that belongs to another row, "<line>-2", "<line>-3" and so on.
    """
    there: dict[str, bytes] = {}
    if dataset is not None:
        _check_prompts(path, checked, dataset)
        there = _contents(dataset)
    taken = set(checked.indexes) if None in checked.indexes else set()
    new: list[str | None] = []
    for place, (line, index) in enumerate(zip(checked.lines, checked.indexes, strict=True)):
        content = checked.content(place)
        if index is None:
            index = next(
                name for name in _line_names(line) if name not in taken and there.get(name, content) == content
            )
            taken.add(index)
        if there.get(index, content) != content:
            raise at_line(path, line, f"the index {describe(index)} is already in the dataset with other content")
        new.append(None if index in there else index)
    return new


def prompt_key(prompt: PromptRow | Prompt) -> bytes:
    """The identity of a shared prompt: its text."""
    return sha256(prompt.text.encode()).digest()


def _prompt_about(prompt: PromptRow | Prompt) -> bytes:
    """The fields of a shared prompt that must be the same in every row."""
    return sha256("\0".join((prompt.topic, prompt.frequency, prompt.nationality)).encode()).digest()


def _check_prompts(path: Path, checked: CheckedRows, dataset: Dataset) -> None:
    """DataError for a shared prompt that the dataset has with another topic or category."""
    for prompt in dataset.prompts.iterator(chunk_size=2000) if checked.prompts else ():
        line, about = checked.prompts.get(prompt_key(prompt), (0, b""))
        if line and about != _prompt_about(prompt):
            raise at_line(path, line, "the input is already in the dataset with another topic or category")


def _contents(dataset: Dataset) -> dict[str, bytes]:
    """Index → content hash of every response that is there."""
    rows = dataset.responses.visible().values_list("index", "content_hash").iterator(chunk_size=5000)
    return {index: bytes.fromhex(content) for index, content in rows}


def _line_names(line: int) -> Iterator[str]:
    yield str(line)
    for n in count(2):
        yield f"{line}-{n}"
