"""Zip files that people send in, opened within limits."""

import lzma
import os
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import BadZipFile, ZipFile, ZipInfo

from core.errors import RowError

# Reading raises these of a file that is broken, cut off, packed in an unknown way or encrypted.
BROKEN_ZIP = (BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error, lzma.LZMAError)

MOST_FILES = 5_000
# Unpacked: larger than any honest file (a million predictions take some 150 MB), and as often as it may be packed.
MOST_BYTES = 512 * 1024**2
MOST_PACKED = 200
SMALL = 1024**2
ENCRYPTED = 0x1

# The end of a zip file: its signature, and the number of files and bytes of the list of what it holds.
END = struct.Struct("<4s4xHHLL2x")
END_SIGN, LARGE_SIGN = b"PK\x05\x06", b"PK\x06\x07"
LONGEST_COMMENT = 2**16
LONGEST_ENTRY = 400


@contextmanager
def opened_zip(file: Path | IO[bytes]) -> Iterator[tuple[ZipFile, list[ZipInfo]]]:
    """The zip and what it lists. Raises RowError, one clause, where it is larger than it should be, holds a file twice,
    or is encrypted; BROKEN_ZIP; OSError."""
    with file.open("rb") if isinstance(file, Path) else _again(file) as opened:
        _check_list(opened)
        with ZipFile(opened) as archive:
            _check(archive.infolist())
            yield archive, archive.infolist()


def unpack(archive: ZipFile, entries: list[ZipInfo], folder: Path) -> None:
    """Write the files of an opened zip into the folder. RowError: one of them would stand outside of it; BROKEN_ZIP;
    OSError."""
    for entry in entries:
        name = PurePosixPath(entry.filename)
        if name.is_absolute() or ".." in name.parts:
            raise RowError("a file of it stands outside of its folder")
        if entry.is_dir():
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # The entry's own size bounds what is read, however much it would unpack to.
        with archive.open(entry) as packed, target.open("wb") as file:
            shutil.copyfileobj(packed, file, 1024 * 1024)


@contextmanager
def _again(file: IO[bytes]) -> Iterator[IO[bytes]]:
    yield file


def _check_list(file: IO[bytes]) -> None:
    """Before the list is read: each of its entries takes ten times the memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(-min(size, LONGEST_COMMENT + END.size + 20), os.SEEK_END)
    tail = file.read()
    file.seek(0)
    end = tail.rfind(END_SIGN)
    if end < 0 or len(tail) < end + END.size:
        raise BadZipFile("it has no end")
    _, _, files, list_bytes, _ = END.unpack_from(tail, end)
    is_large = end >= 20 and tail[end - 20 : end].startswith(LARGE_SIGN)
    if is_large or files > MOST_FILES or list_bytes > MOST_FILES * LONGEST_ENTRY:
        raise RowError(f"it holds more than {MOST_FILES} files")


def _check(entries: list[ZipInfo]) -> None:
    if len(entries) > MOST_FILES:
        raise RowError(f"it holds more than {MOST_FILES} files")
    if len({entry.filename for entry in entries}) != len(entries):
        raise RowError("a file is in it twice")
    if any(entry.flag_bits & ENCRYPTED for entry in entries):
        raise RowError("it is encrypted")
    swollen = (entry.file_size > SMALL and entry.file_size > MOST_PACKED * entry.compress_size for entry in entries)
    if sum(entry.file_size for entry in entries) > MOST_BYTES or any(swollen):
        raise RowError("unpacked it would be far larger than it should be")
