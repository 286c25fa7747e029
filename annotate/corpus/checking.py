"""The first pass over a file: every row read and checked, nothing stored; and the comparison with the stored rows."""

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from typing import Any

from annotate.corpus.formats import FORMATS, Format
from annotate.corpus.mapped_counts import MappedCounts
from annotate.corpus.recipe import JoinedFile
from annotate.corpus.refused import Refused
from annotate.corpus.released_sentences import REPAIRED
from annotate.corpus.rows import PromptRow, ReadRow, ResponseRow, SourceRow
from annotate.corpus.segmenting import uncut_words
from annotate.corpus.unread import unread_keys
from annotate.models import Dataset, Import, Prompt, Scheme
from core.errors import DataError, FaultsError, RowError, describe
from core.json_limits import parse_json
from core.row_fields import Fields
from core.rows.files import RowFile, open_rows
from core.rows.joining import completed

PREVIEWED = 10
# Rows after which the number of those that were looked at is told.
TOLD_EVERY = 500

Warnings = list[dict[str, object]]
# Told how many responses of the file were looked at.
Seen = Callable[[int], object]


@dataclass
class CheckedRows:
    """A file that was looked through: the key and content of each row that is taken, and a preview of the whole.

    place: the word for a row's number, "line" or "row". refused: the rows that are not taken.
    lines, indexes, contents: a row's number, its index (None: it names none) and its content hash (32 bytes), held as
    tightly as this because a file may have a hundred thousand rows. The rows themselves are not held.
    prompts: of a format that shares them, key → (line that has it first, what must be the same in every row).
    mapped: counts of what a recipe makes of the rows; None without one. clashing: how many of the rows the dataset has
    with other content.
    """

    place: str
    refused: Refused
    lines: "array[int]" = field(default_factory=lambda: array("I"))
    indexes: list[str | None] = field(default_factory=list)
    contents: bytearray = field(default_factory=bytearray)
    prompts: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    warnings: Warnings = field(default_factory=list)
    preview: list[ResponseRow] = field(default_factory=list)
    mapped: MappedCounts | None = None
    clashing: int = 0

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


@dataclass
class FormatReader:
    """The rows of a file in a format. They are read from the beginning with each iteration. left_out: how many of those
    that were read a recipe's conditions leave out. most: no more rows are read, None for all."""

    path: Path
    format: Format
    subject: str
    notes: list[str] = field(default_factory=list)
    left_out: int = 0
    most: int | None = None

    def __iter__(self) -> Iterator[ReadRow]:
        """Each response with the number of its row; in place of one that is not sound its fault. After the last one
        `notes` are those of the file (core/rows/files.py). DataError where the file cannot be read to its end."""
        file = open_format(self.path, self.format)
        self.notes, self.left_out = file.notes, 0
        yield from self.format.read_rows(self._rows(file), self.subject)

    def _rows(self, file: RowFile) -> Iterator[SourceRow]:
        recipe = self.format.recipe
        for number, row in islice(file.rows, self.most):
            try:
                found = row if isinstance(row, RowError) else fields_of(file, row, self.format)
                is_taken = recipe is None or isinstance(found, RowError) or recipe.takes(found)
            except RowError as error:
                found, is_taken = error, True
            self.left_out += not is_taken
            if is_taken:
                yield number, found


def open_format(path: Path, format: Format) -> RowFile:
    """The file, its rows where the format's recipe says that they are. DataError: it is of another kind than that
    says."""
    recipe = format.recipe
    file = open_files(path, recipe.file, recipe.joined, recipe.rows) if recipe else open_rows(path)
    if recipe and recipe.format and recipe.format != file.kind:
        raise DataError(f"{path.name} is {file.kind}, and the recipe {recipe.title} is for {recipe.format}.")
    return file


def open_files(path: Path, name: str, joined: Sequence[JoinedFile], key: str = "") -> RowFile:
    """The file of that name in a folder ("": all files), its rows completed by those of the joined ones; a path that is
    no folder is that file itself. key: as open_rows has it. Raises DataError."""
    if not path.is_dir():
        return open_rows(path, key)
    file = open_rows(file_inside(path, name) if name else path, key)
    for each in joined:
        file = replace(file, rows=completed(file.rows, file_inside(path, each.file), each.by, each.there))
    return file


def file_inside(folder: Path, name: str) -> Path:
    """A file in the folder, or in one of its folders. DataError: there is none."""
    found = sorted(each for each in folder.rglob(name) if each.is_file())
    if not found:
        raise DataError(f"{folder.name} has no file {name}, which the recipe names.")
    return found[0]


def fields_of(file: RowFile, row: Fields, format: Format) -> Fields:
    """A table has empty cells for what a row lacks; and cells of text hold lists as JSON, or an item a line."""
    if file.has_cells:
        row = {key: _list_of(key, cell) if key in format.lists else cell for key, cell in row.items()}
    if file.is_table:
        row = {key: value for key, value in row.items() if key not in format.optional or value not in (None, "")}
    return row


def _list_of(key: str, cell: str) -> Any:
    if not cell.strip():
        return None
    if not cell.lstrip().startswith("["):
        return [line.strip() for line in cell.splitlines() if line.strip()]
    try:
        return parse_json(cell)
    except ValueError:
        raise RowError(f"{key} begins as JSON and is none: write a JSON list, or one item a line") from None


def check_file(
    path: Path,
    format: Format,
    subject: str,
    profile: str = REPAIRED,
    skip: Collection[str] = (),
    seen: Seen | None = None,
) -> CheckedRows:
    """Read the whole file. profile, skip: those of import_file's `sentences` and `skip`. FaultsError for rows that are
    not sound or repeat another's key, where these are not skipped; it names the format that the file looks like."""
    place = open_format(path, format).place
    checked = CheckedRows(place, Refused(path, place, skip))
    if format.recipe is not None:
        checked.mapped = MappedCounts(
            facts=format.scheme == Scheme.FACTSCORE,
            unread=unread_keys(format.recipe, open_format(path, format).rows),
        )
    try:
        reader = FormatReader(path, format, subject)
        _check_rows(reader, checked, profile, seen)
        if checked.mapped is not None:
            checked.mapped.left_out = reader.left_out
        checked.refused.check(len(checked))
        checked.warnings[:0] = [{"line": 1, "message": note} for note in reader.notes]
    except FaultsError as error:
        raise FaultsError(error.name, error.place, error.found, _likely_format(path, format, subject)) from None
    except DataError as error:
        checked.refused.faults.check_with(error)
        raise
    return checked


def _likely_format(path: Path, chosen: Format, subject: str) -> str:
    """A sentence, where the first row is at fault in the chosen format alone."""

    def is_read(format: Format) -> bool:
        first = next(iter(FormatReader(path, format, subject)), None)
        return first is not None and not isinstance(first[1], RowError)

    titles = [Import.Format(name).label for name, format in FORMATS.items() if format is not chosen and is_read(format)]
    if not titles or is_read(chosen):
        return ""
    return f"This looks like the format {' or '.join(titles)}."


def _check_rows(reader: FormatReader, checked: CheckedRows, profile: str, seen: Seen | None) -> None:
    lines: dict[str, int] = {}
    for place, (line, row) in enumerate(reader):
        if seen is not None and place % TOLD_EVERY == 0:
            seen(place)
        fault = row if isinstance(row, RowError) else _clash(reader.format, line, row, checked, lines)
        if fault is not None:
            checked.refused.add(line, fault)
            checked.refused.places.add(place)
        if fault is not None or isinstance(row, RowError):
            continue
        checked.add(line, row)
        if words := uncut_words(row, profile):
            message = f"the response stays one segment of {words} words: check its language, or cut it by hand"
            checked.warnings.append({"line": line, "message": message})
        if checked.mapped is not None:
            checked.mapped.add(row, profile)


def _clash(format: Format, line: int, row: ResponseRow, checked: CheckedRows, lines: dict[str, int]) -> RowError | None:
    """The fault of a row that is sound by itself, but not beside an earlier one. lines: by index, of those."""
    if row.index is not None and lines.setdefault(row.index, line) != line:
        cause = f"the index {describe(row.index)} is already that of {checked.place} {lines[row.index]}"
        return RowError(cause, "index twice")
    if format.shares_prompts:
        key, about = prompt_key(row.prompt), _prompt_about(row.prompt)
        first, other = checked.prompts.setdefault(key, (line, about))
        if other != about:
            cause = f"the input is that of {checked.place} {first}, with another topic or category"
            return RowError(cause, "input with another topic or category")
    return None


def new_indexes(path: Path, checked: CheckedRows, dataset: Dataset | None) -> list[str | None]:
    """For each row that is taken the index that it gets in the dataset; None for a row that is there already, and for
    one that is skipped because it does not fit to the dataset's.

    FaultsError for rows whose index is there with other content, where these are not skipped. A row that names no
    index takes its number as one; where that belongs to another row, "<number>-2", "<number>-3" and so on.
    """
    there: dict[str, bytes] = {}
    if dataset is not None:
        _check_prompts(checked, dataset)
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
            cause = f"the index {describe(index)} is already in the dataset with other content"
            checked.refused.add(line, RowError(cause, "index in the dataset"))
            checked.clashing += 1
        new.append(None if index in there else index)
    checked.refused.check(len(checked) - checked.clashing)
    return new


def prompt_key(prompt: PromptRow | Prompt) -> bytes:
    """The identity of a shared prompt: its text."""
    return sha256(prompt.text.encode()).digest()


def _prompt_about(prompt: PromptRow | Prompt) -> bytes:
    """The fields of a shared prompt that must be the same in every row."""
    return sha256("\0".join((prompt.topic, prompt.frequency, prompt.nationality)).encode()).digest()


def _check_prompts(checked: CheckedRows, dataset: Dataset) -> None:
    """Note the shared prompts that the dataset has with another topic or category."""
    for prompt in dataset.prompts.iterator(chunk_size=2000) if checked.prompts else ():
        line, about = checked.prompts.get(prompt_key(prompt), (0, b""))
        if line and about != _prompt_about(prompt):
            checked.refused.faults.add(line, "the input is already in the dataset with another topic or category")
    checked.refused.faults.check()


def _contents(dataset: Dataset) -> dict[str, bytes]:
    """Index → content hash of every response that is there."""
    rows = dataset.responses.complete().values_list("index", "content_hash").iterator(chunk_size=5000)
    return {index: bytes.fromhex(content) for index, content in rows}


def _line_names(line: int) -> Iterator[str]:
    yield str(line)
    for n in count(2):
        yield f"{line}-{n}"
