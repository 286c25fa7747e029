"""Zip files of a folder of rows, such as the package datasets saves, or of one file of rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from core.disk import is_full
from core.errors import DataError, RowError
from core.zips import BROKEN_ZIP, opened_zip, unpack

ENDING = ".zip"
# Files of a computer's own, beside what was packed.
HIDDEN = (".", "__MACOSX")


@contextmanager
def unzipped(path: Path) -> Iterator[Path]:
    """What a zip file holds, on this machine's disk for so long: its folder of rows, or its one file. A path without
    the ending .zip is given as it is. DataError: it is no zip, or more than is unpacked (core/zips.py)."""
    if path.suffix.lower() != ENDING or path.is_dir():
        yield path
        return
    with TemporaryDirectory() as outside:
        folder = Path(outside, path.name)
        folder.mkdir()
        _unpack(path, folder)
        yield _innermost(folder)


def _unpack(path: Path, folder: Path) -> None:
    try:
        with opened_zip(path) as (archive, entries):
            unpack(archive, entries, folder)
    except RowError as error:
        raise DataError(f"{path.name}: {error}.") from None
    except BROKEN_ZIP as error:
        raise DataError(f"{path.name} is no whole zip file ({error}).") from None
    except OSError as error:
        if is_full(error):
            raise
        raise DataError(f"{path.name} cannot be read: {error.strerror or error}.") from None


def _innermost(folder: Path) -> Path:
    """Past folders that hold one folder, or one file, and nothing else."""
    while folder.is_dir():
        inside = [path for path in folder.iterdir() if not path.name.startswith(HIDDEN)]
        if len(inside) != 1:
            break
        (folder,) = inside
    return folder
