"""The first pass over a file: every row read and checked, nothing stored; and the comparison with what is there."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path

from annotate.corpus.formats import Format
from annotate.corpus.lines import RowError, at_line, describe, read_objects
from annotate.corpus.rows import PromptRow, Row
from annotate.models import Dataset, Prompt

PREVIEWED = 5

Warnings = list[dict[str, object]]


@dataclass
class Checked:
    """A sound file: the key and content of each row by line number, and what a person may want to see of it.

    keys: line → (index or None, content hash as bytes); the rows themselves are not held.
    prompts: of a format that shares them, key → (line that has it first, what must be the same in every row).
    """

    keys: dict[int, tuple[str | None, bytes]] = field(default_factory=dict)
    prompts: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    warnings: Warnings = field(default_factory=list)
    preview: list[Row] = field(default_factory=list)


def read_rows(path: Path, format: Format, subject: str) -> Iterator[tuple[int, Row]]:
    """The checked rows with their line numbers; DataError names the line at fault."""
    for line, fields in read_objects(path):
        try:
            yield line, format.read_row(fields, subject)
        except RowError as error:
            raise at_line(path, line, error) from None


def check_file(path: Path, format: Format, subject: str) -> Checked:
    """Read the whole file. DataError for the first row that is not sound or repeats another's key."""
    checked = Checked()
    lines: dict[str, int] = {}
    for line, row in read_rows(path, format, subject):
        if row.index is not None and lines.setdefault(row.index, line) != line:
            raise at_line(path, line, f"the index {describe(row.index)} is already that of line {lines[row.index]}")
        if format.shares_prompts:
            key, about = prompt_key(row.prompt), _prompt_about(row.prompt)
            first, other = checked.prompts.setdefault(key, (line, about))
            if other != about:
                raise at_line(path, line, f"the input is that of line {first}, with another topic or category")
        checked.keys[line] = row.index, bytes.fromhex(row.content_hash)
        checked.warnings.extend({"line": line, "message": message} for message in row.warnings)
        if len(checked.preview) < PREVIEWED:
            checked.preview.append(row)
    return checked


def new_rows(path: Path, checked: Checked, dataset: Dataset | None) -> dict[int, str]:
    """The lines whose rows are not in the dataset yet, each with the index it gets there.

    DataError for a row whose index is there with other content. A row that names no index takes its line number as one;
    where that belongs to another row, "<line>-2", "<line>-3" and so on.
    """
    there: dict[str, bytes] = {}
    if dataset is not None:
        _check_prompts(path, checked, dataset)
        there = _contents(dataset)
    taken = {index for index, _ in checked.keys.values() if index is not None}
    new: dict[int, str] = {}
    for line, (index, content) in checked.keys.items():
        if index is None:
            index = next(
                name for name in _line_names(line) if name not in taken and there.get(name, content) == content
            )
            taken.add(index)
        if index not in there:
            new[line] = index
        elif there[index] != content:
            raise at_line(path, line, f"the index {describe(index)} is already in the dataset with other content")
    return new


def prompt_key(prompt: PromptRow | Prompt) -> bytes:
    """What makes two prompts one where they are shared: the text."""
    return sha256(prompt.text.encode()).digest()


def _prompt_about(prompt: PromptRow | Prompt) -> bytes:
    """What a shared prompt must have the same in every row."""
    return sha256("\0".join((prompt.topic, prompt.frequency, prompt.nationality)).encode()).digest()


def _check_prompts(path: Path, checked: Checked, dataset: Dataset) -> None:
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
