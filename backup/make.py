"""A backup is made while the site is in use."""

import os
import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.crypto import salted_hmac

from backup.archive import Manifest, add_entry, add_manifest, pieces_of
from backup.tables import applied_migrations, column_names, file_fields, models, read_rows, snapshot
from core.errors import DataError


def make_backup(path: Path) -> Manifest:
    """Write the archive to a new file, for its owner alone. Raises DataError; then no file is left."""
    check_migrated()
    if path.exists():
        raise DataError(f"{path} is there already: name a new file.")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.touch(mode=0o600, exist_ok=False)
        with part.open("wb") as file:
            with ZipFile(file, "w", ZIP_DEFLATED) as archive, snapshot():
                manifest = _fill(archive)
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


def key_fingerprint() -> str:
    """Tells whether two sites have one SECRET_KEY, and nothing else of it."""
    return salted_hmac("backup.key", "fingerprint", algorithm="sha256").hexdigest()


def version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def _fill(archive: ZipFile) -> Manifest:
    manifest = Manifest(version(), datetime.now(UTC).isoformat(), key_fingerprint(), applied_migrations())
    # Files first: work that is under way deletes its own when it ends. Which they are is the snapshot's first read.
    for field, name in _named_files():
        _add_file(archive, manifest, field, name)
    for model in models():
        manifest.columns[model._meta.db_table] = column_names(model)
        add_entry(archive, manifest, f"tables/{model._meta.db_table}.jsonl", read_rows(model))
    add_manifest(archive, manifest)
    return manifest


def _named_files() -> list[tuple[Any, str]]:
    """The file columns and the names in them, each name once."""
    found: dict[str, Any] = {}
    for model, field in file_fields():
        for name in model._base_manager.exclude(**{field.attname: ""}).values_list(field.attname, flat=True):
            found[name] = field
    return [(field, name) for name, field in sorted(found.items())]


def _add_file(archive: ZipFile, manifest: Manifest, field: Any, name: str) -> None:
    try:
        with field.storage.open(name) as file:
            add_entry(archive, manifest, f"files/{name}", pieces_of(file))
    except FileNotFoundError:
        manifest.missing.append(name)
