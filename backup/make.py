"""A backup is made while the site is in use."""

import os
import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from backup.archive import FILES, KEY, Manifest, add_entry, add_manifest, new_archive, pieces_of
from backup.secret_key import is_stored, key_fingerprint
from backup.tables import applied_migrations, column_names, models, named_files, read_rows, snapshot
from core.errors import DataError


def make_backup(path: Path, passphrase: str = "") -> Manifest:
    """Write the archive to a new file, for its owner alone. Raises DataError; then no file is left.

    passphrase: what encrypts it, "" for nothing. Without one the SECRET_KEY is left out.
    """
    check_migrated()
    if path.exists():
        raise DataError(f"{path} is there already: name a new file.")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.touch(mode=0o600, exist_ok=False)
        with part.open("wb") as file:
            with new_archive(file, passphrase) as archive, snapshot():
                manifest = _fill(archive, with_key=bool(passphrase))
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            part.unlink()
    return manifest


def check_migrated() -> None:
    """Raises DataError where the tables of the database are not those of this version."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise DataError("The database is not that of this version: run `migrate` first.")


def version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def _fill(archive: ZipFile, with_key: bool) -> Manifest:
    manifest = Manifest(version(), datetime.now(UTC).isoformat(), key_fingerprint(), applied_migrations())
    # Files first: work that is under way deletes its own when it ends. Which they are is the snapshot's first read.
    for field, name in named_files():
        _add_file(archive, manifest, field, name)
    for model in models():
        manifest.columns[model._meta.db_table] = column_names(model)
        add_entry(archive, manifest, f"tables/{model._meta.db_table}.jsonl", read_rows(model))
    if with_key and is_stored():
        add_entry(archive, manifest, KEY, [settings.SECRET_KEY.encode()])
    add_manifest(archive, manifest)
    return manifest


def _add_file(archive: ZipFile, manifest: Manifest, field: Any, name: str) -> None:
    try:
        with field.storage.open(name) as file:
            add_entry(archive, manifest, f"{FILES}{name}", pieces_of(file))
    except FileNotFoundError:
        manifest.missing.append(name)
