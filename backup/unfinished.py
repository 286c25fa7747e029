"""Files of a restore that was killed before its rows were there: the next restore deletes them."""

import json
from contextlib import suppress

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from backup.tables import named_files

NOTE = "unfinished_restore.json"


def note_files(names: list[str]) -> None:
    """Before the first of these files is written."""
    default_storage.save(NOTE, ContentFile(json.dumps(names).encode()))


def forget_files() -> None:
    """The restore has ended, whether or not it is there."""
    with suppress(OSError):
        default_storage.delete(NOTE)


def clear_files() -> None:
    """Delete what a killed restore left, but no file that a row names: it was killed after its rows were there."""
    if not default_storage.exists(NOTE):
        return
    with default_storage.open(NOTE) as file, suppress(ValueError):  # killed while it wrote the note: no file yet
        kept = {name for _, name in named_files()}
        for name in set(json.load(file)) - kept:
            default_storage.delete(name)
    default_storage.delete(NOTE)
