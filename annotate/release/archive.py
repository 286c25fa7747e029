"""A folder as one zip file that is the same, byte for byte, whenever the files in it are."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

# The first moment that a zip file can name: times of writing are no part of its contents.
NO_TIME = (1980, 1, 1, 0, 0, 0)
READABLE = 0o644 << 16


def pack(folder: Path, names: Sequence[str], target: Path) -> None:
    """The named files below the folder, in this order, into the zip file `target`."""
    with ZipFile(target, "w") as archive:
        for name in names:
            entry = ZipInfo(name, NO_TIME)
            entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, READABLE, 3
            entry.file_size = (folder / name).stat().st_size
            with (folder / name).open("rb") as source, archive.open(entry, "w") as packed:
                shutil.copyfileobj(source, packed, 1024 * 1024)
