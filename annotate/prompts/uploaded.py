"""An upload of a page as the file that the commands read."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.core.files.uploadedfile import UploadedFile

from core.json_lines import json_line


@contextmanager
def saved(file: "UploadedFile[bytes]") -> Iterator[Path]:
    """The uploaded file under its own name, as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(file.name or "file").name
        with path.open("wb") as copy:
            copy.writelines(file.chunks())
        yield path


@contextmanager
def written(name: str, rows: Iterable[Mapping[str, object]]) -> Iterator[Path]:
    """A file of that name with the rows as JSON lines, as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text("".join(f"{json_line(row)}\n" for row in rows), encoding="utf-8")
        yield path
