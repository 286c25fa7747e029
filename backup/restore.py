"""A backup is restored into an empty database, of either kind."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection, transaction

from audit.models import Action
from audit.record import record
from audit.triggers import create_triggers, drop_triggers
from backup.archive import FILES, KEY, Manifest, check_entries, hash_of, open_archive, read_manifest
from backup.make import check_migrated
from backup.secret_key import is_stored, key_fingerprint, replace_key
from backup.tables import applied_migrations, column_names, empty_tables, filled_tables, finish_rows, models, write_rows
from backup.unfinished import clear_files, forget_files, note_files
from core.errors import DataError, RowError


@dataclass(frozen=True)
class Restored:
    """What came back. has_key: whether the SECRET_KEY of the site is that of the backup, at its next start at least."""

    manifest: Manifest
    has_key: bool


def restore_backup(path: Path, replace: bool = False, passphrase: str = "") -> Restored:
    """Everything of the archive into the database and the storage of files, or nothing. Raises DataError.

    replace: whether rows that are there may be deleted. passphrase: of an encrypted archive. The archive's SECRET_KEY
    becomes that of the site where the site keeps its own in DATA_DIR. A restore that was killed is mended by the next.
    """
    check_migrated()
    try:
        with path.open("rb") as file, open_archive(file, passphrase) as archive:
            manifest = read_manifest(archive)
            _check_tables(manifest)
            check_entries(archive, manifest)
            _check_empty(replace)
            clear_files()
            new = _new_files(archive, manifest)
            _write(archive, manifest, new)
            takes_key = KEY in manifest.sha256 and is_stored()
            if takes_key:
                replace_key(archive.read(KEY).decode())
            return Restored(manifest, takes_key or manifest.key == key_fingerprint())
    except OSError as error:
        raise DataError(f"{path} cannot be restored: {error.strerror or error}.") from None
    except DataError as error:
        raise DataError(f"{path} cannot be restored: {str(error).removesuffix('.')}.") from None


def _check_tables(manifest: Manifest) -> None:
    columns = {model._meta.db_table: column_names(model) for model in models()}
    if manifest.migrations != applied_migrations() or manifest.columns != columns:
        raise DataError(
            f"it is of version {manifest.version} with other tables than this one: "
            "restore it with that version, then upgrade"
        )


def _check_empty(replace: bool) -> None:
    if not replace and (filled := filled_tables()):
        raise DataError(f"the database is not empty ({', '.join(filled[:3])}): --replace deletes what is in it")


def _new_files(archive: ZipFile, manifest: Manifest) -> list[str]:
    """The names of files that the storage does not have yet."""
    new = []
    for entry, expected in manifest.sha256.items():
        if entry.startswith(FILES):
            name = entry.removeprefix(FILES)
            try:
                there = default_storage.exists(name)
            except SuspiciousFileOperation:
                raise DataError(f"{entry} in it lies outside the folder of files") from None
            if not there:
                new.append(name)
                continue
            with default_storage.open(name) as file:
                if hash_of(file) != expected:
                    raise DataError(f"{name} is there already with other content: move it away")
    return new


def _write(archive: ZipFile, manifest: Manifest, new: list[str]) -> None:
    written: list[str] = []
    note_files(new)
    try:
        with transaction.atomic():
            _write_tables(archive)
            record(None, Action.RESTORED, f"backup of {manifest.made_at}")
            for name in new:
                written.append(name)
                with archive.open(f"{FILES}{name}") as content:
                    default_storage.save(name, File(content))
    except BaseException:
        for name in written:
            with suppress(OSError):
                default_storage.delete(name)
        raise
    finally:
        forget_files()


def _write_tables(archive: ZipFile) -> None:
    # The triggers keep the audit log from being emptied: they are away for this transaction alone.
    drop_triggers(connection)
    empty_tables()
    for model in models():
        table = model._meta.db_table
        try:
            write_rows(model, _lines(archive, table))
        except (RowError, DatabaseError) as error:
            raise DataError(f"table {table}: {' '.join(str(error).split())}") from None
    try:
        finish_rows()
    except DatabaseError as error:
        raise DataError(" ".join(str(error).split())) from None
    create_triggers(connection)


def _lines(archive: ZipFile, table: str) -> Iterator[bytes]:
    with archive.open(f"tables/{table}.jsonl") as lines:
        yield from lines
