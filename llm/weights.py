"""The weights of neural models: folders on this machine, in the layout of transformers, under WEIGHTS_DIR."""

import hashlib
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings

from jobs.errors import JobError

PACKAGES = ("torch", "transformers")
HASHES_KEPT = 64


class NotReadyError(JobError):
    """Why a method cannot judge on this machine, in a sentence: something that it needs is not there."""


def find_weights(name: str, parameter: str) -> Path:
    """The folder of this name in WEIGHTS_DIR.

    Quick: nothing is loaded. Raises NotReadyError where there is none, or the extra is not installed.
    """
    if not all(find_spec(package) for package in PACKAGES):
        raise NotReadyError('This needs the extra "neural", which is not installed: make neural.')
    if settings.WEIGHTS_DIR is None:
        raise NotReadyError("This needs weights on this machine: the variable WEIGHTS_DIR names no folder of them.")
    path = Path(name)
    if not name or path.is_absolute() or ".." in path.parts:
        raise NotReadyError(f"{parameter} is {name!r}; it must name a folder of weights in WEIGHTS_DIR.")
    folder: Path = settings.WEIGHTS_DIR / path
    if not (folder / "config.json").is_file():
        raise NotReadyError(f"{parameter} is {name!r}; the folder {folder} is to be filled: it has no config.json.")
    return folder


def hash_weights(folder: Path) -> str:
    """The SHA-256 over the folder's files and their names."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        stated = path.stat()
        digest.update(f"{path.relative_to(folder)} {_hash_file(path, stated.st_size, stated.st_mtime_ns)}\n".encode())
    return digest.hexdigest()


@lru_cache(maxsize=HASHES_KEPT)
def _hash_file(path: Path, size: int, changed: int) -> str:
    """Anew only where the file's size or time is another: there are gigabytes to read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
