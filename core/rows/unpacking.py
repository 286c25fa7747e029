"""Parquet, Arrow and spreadsheets, unpacked by a process of its own, which may take so much memory and time.

`python -m core.rows.unpacking PATH BYTES KIND` is that process: it writes each row as a line of JSON. A file made to
choke its reader ends that process, and no web server or worker.
"""

import json
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, time
from pathlib import Path
from typing import Any

from core.errors import DataError, RowError, at_line
from core.json_lines import LONGEST_LINE, parse_object
from core.rows.cells import read_table

PARQUET_MAGIC = b"PAR1"
# Of the file format; the stream format, which datasets saves, has none.
ARROW_MAGIC = b"ARROW1"
ROOT = Path(__file__).resolve().parent.parent.parent
MEMORY_BYTES = 2 * 1024**3
CPU_SECONDS = 600
# Few: one text may stand in every row, and is written out for each.
BATCH = 8
# A column in which pandas keeps row numbers.
PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def read_parquet(path: Path, notes: list[str]) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The rows as name → value, with their numbers, from 1. The notes say what is left out. DataError where the file is
    no Parquet, or takes too much memory or time."""
    return _without_index(_unpack(path, "Parquet"), notes)


def read_arrow(path: Path, notes: list[str]) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """As read_parquet, of a file in Arrow's file format, or in its stream format, which datasets saves."""
    return _without_index(_unpack(path, "Arrow"), notes)


def read_spreadsheet(path: Path, notes: list[str]) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The rows of the first sheet that has any, as name → cell, numbered as the spreadsheet numbers them. The notes say
    which sheet that is, where there are others, and what is left out. DataError as read_parquet."""
    rows = _unpack(path, "spreadsheet")
    _, about = next(rows, (0, {}))
    if isinstance(about, dict) and about.get("others"):
        notes.append(f"the sheet “{about['sheet']}” is read, and not {', '.join(about['others'])}")
    yield from read_table(path, _numbered_cells(path, rows), notes)


def _numbered_cells(
    path: Path, rows: Iterator[tuple[int, dict[str, Any] | RowError]]
) -> Iterator[tuple[int, list[str]]]:
    for number, row in rows:
        if isinstance(row, RowError):
            raise at_line(path, number, row, "row")
        yield row["row"], row["cells"]


def _without_index(
    rows: Iterator[tuple[int, dict[str, Any] | RowError]], notes: list[str]
) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    for number, row in rows:
        if isinstance(row, dict):
            for name in [name for name in row if PANDAS_INDEX.fullmatch(name)]:
                del row[name]
                note = f"the column {name} is left out: pandas keeps row numbers there"
                if note not in notes:
                    notes.append(note)
        yield number, row


def _unpack(path: Path, kind: str) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    command = [sys.executable, "-X", "utf8", "-m", __name__, str(path.resolve()), str(MEMORY_BYTES), kind]
    # The system's own allocator: the other ones reserve more than they use.
    environment = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
    with subprocess.Popen(  # noqa: S603 - no shell, and the path is a single argument
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        number = 0
        try:
            while line := process.stdout.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    raise at_line(path, number, f"longer than {LONGEST_LINE // 1024**2} MB", "row")
                yield number, _parse(line)
            finished = process.wait()
        finally:
            process.kill()
    if finished:
        raise DataError(f"{path.name}: it is no {kind} file, is damaged, or takes too much memory to unpack.")


def _parse(line: bytes) -> dict[str, Any] | RowError:
    try:
        return parse_object(line)
    except RowError as error:
        return error


def write_rows(path: Path, kind: str) -> None:
    batches = {"Parquet": _parquet_batches, "Arrow": _arrow_batches, "spreadsheet": _spreadsheet_batches}
    for rows in batches[kind](path):
        for row in rows:
            sys.stdout.write(json.dumps(row, default=_as_text) + "\n")


# Here: only the process that unpacks loads pyarrow, or the reader of spreadsheets.
def _parquet_batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    from pyarrow.parquet import ParquetFile

    for batch in ParquetFile(path).iter_batches(batch_size=BATCH, use_threads=False):
        yield batch.to_pylist()


def _arrow_batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    from pyarrow import ipc, memory_map

    with memory_map(str(path)) as file:
        is_stream = file.read(len(ARROW_MAGIC)) != ARROW_MAGIC
        file.seek(0)
        with (ipc.open_stream if is_stream else ipc.open_file)(file) as reader:
            batches = reader if is_stream else (reader.get_batch(place) for place in range(reader.num_record_batches))
            for batch in batches:
                for start in range(0, batch.num_rows, BATCH):
                    yield batch.slice(start, BATCH).to_pylist()


def _spreadsheet_batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    """First which sheet is read and the names of the others, then its rows as texts."""
    from python_calamine import CalamineWorkbook

    workbook = CalamineWorkbook.from_path(str(path))
    sheets = [name for name in workbook.sheet_names if workbook.get_sheet_by_name(name).height]
    if not sheets:
        return
    yield [{"sheet": sheets[0], "others": sheets[1:]}]
    sheet = workbook.get_sheet_by_name(sheets[0])
    first = (sheet.start or (0, 0))[0] + 1
    for number, cells in enumerate(sheet.to_python(skip_empty_area=True), first):
        yield [{"row": number, "cells": [_cell_text(cell) for cell in cells]}]


def _cell_text(cell: object) -> str:
    """A number as short as it can be written; a date as ISO 8601."""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, date | time) else str(cell)


def _as_text(value: object) -> str:
    """Columns of bytes hold texts where their writer did not say so."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def main(path: str, memory: str, kind: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    with suppress(ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    write_rows(Path(path), kind)


if __name__ == "__main__":
    main(*sys.argv[1:])
