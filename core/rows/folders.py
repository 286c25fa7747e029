"""Folders of data files: what the package datasets saves to disk, or files of rows that belong together."""

import json
from collections.abc import Iterator
from pathlib import Path

from core.errors import DataError

ARROW_ENDINGS = (".arrow", ".feather")
ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".xlsx", ".ods")
STATE, SPLITS = "state.json", "dataset_dict.json"
LARGEST_STATE = 1024**2


def data_files(folder: Path) -> list[Path]:
    """The files with rows, in the order of their rows. DataError: there is none, the files are of several kinds, or it
    is a folder of splits of which one must be chosen."""
    if (folder / SPLITS).is_file():
        splits = sorted(path.name for path in folder.iterdir() if (path / STATE).is_file())
        raise DataError(f"{folder.name} has the splits {', '.join(splits)}: name the folder of one of them.")
    if (folder / STATE).is_file():
        return list(_saved_files(folder))
    endings = (*ARROW_ENDINGS, *ENDINGS)
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in endings and _is_shown(path, folder))
    kinds = sorted({path.suffix.lower() for path in files})
    if not files:
        raise DataError(f"{folder.name}: the folder has no file of rows ({', '.join(endings)}).")
    if len(kinds) > 1:
        raise DataError(f"{folder.name} has files of several kinds ({', '.join(kinds)}): give those of one kind.")
    return files


def _is_shown(path: Path, folder: Path) -> bool:
    return path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _saved_files(folder: Path) -> Iterator[Path]:
    """The files that `save_to_disk` wrote, in the order that it notes."""
    path = folder / STATE
    try:
        if path.stat().st_size > LARGEST_STATE:
            raise ValueError
        names = [each["filename"] for each in json.loads(path.read_bytes())["_data_files"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(f"{folder.name}/{STATE} does not name the files of the folder.") from None
    for name in names:
        if not isinstance(name, str) or Path(name).name != name or not (folder / name).is_file():
            raise DataError(f"{folder.name}/{STATE} names a file that is not in the folder.")
        yield folder / name
