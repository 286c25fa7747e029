"""Stores a database of this version with rows in every table, for the upgrade tests of the versions after it.

python -m tests.upgrades.store       writes tests/upgrades/VERSION.sql.xz and the hashes of the migrations in frozen.txt

Run it once, as the last step before a version is released: later code cannot make this database again.
"""

import hashlib
import io
import lzma
import os
import re
import sqlite3
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.upgrades.squash import ROOT, is_written

FOLDER = Path(__file__).resolve().parent
FROZEN = FOLDER / "frozen.txt"
ITEMS = 2
# Tables of Django and of django-allauth, which nothing of Touchstone writes to.
UNUSED = {"account", "admin", "auth", "contenttypes", "mfa", "sessions", "usersessions"}
# Columns that may be null or have a default, and that a constraint asks for.
ASKED_FOR: dict[str, dict[str, Any]] = {
    "annotate.Qualification": {"right": 1, "units": 1},
    "annotate.SampleItem": {"response_id": 1},
    "annotate.SampleRating": {"reliable": True},
    "factor.CompletionSettlement": {"non_factual": False, "error_type": ""},
}


def migrations() -> dict[str, str]:
    """The SHA-256 of every migration, by its path, but those that the next squash writes anew."""
    paths = sorted(path for path in ROOT.glob("*/migrations/0*.py") if not is_written(path.stem))
    return {path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def read_frozen() -> dict[str, str]:
    """The SHA-256 of every migration of the released versions, by its path."""
    lines = (line.split() for line in FROZEN.read_text("ascii").splitlines())
    return {path: digest for digest, path in lines}


def main() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings", OPENAI_API_KEY="a key for tests")
        make_database()
        script = dump(Path(folder) / "db.sqlite3")
    (FOLDER / f"{version}.sql.xz").write_bytes(lzma.compress(script.encode(), preset=9))
    FROZEN.write_text("".join(f"{digest}  {path}\n" for path, digest in migrations().items()), "ascii")


def make_database() -> None:
    """The demo, a job of every kind that has ended, and one row in each table that is still empty."""
    from tests.fake_openai import fake_openai

    with fake_openai() as server:
        os.environ["OPENAI_BASE_URL"] = server.base_url
        os.environ["LLM_ALLOW"] = "127.0.0.1"
        os.environ["SNAPSHOT_ALLOW"] = re.sub("^http://|/v1$", "", server.base_url)
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("demo", stdout=io.StringIO())
        work_on_every_kind()
    for model in empty_models():
        fill(model)
    assert not list(empty_models()), "these tables are empty"


def work_on_every_kind() -> None:
    from jobs.kinds import KINDS
    from jobs.work import work_to_the_end
    from tests.jobs.kinds import EXAMPLES

    for name, example in EXAMPLES.items():
        kind = KINDS[name]()
        row = example.make(ITEMS)
        key = type(row)._default_manager.filter(pk=row.pk).values_list("pk" if kind.job else kind.key, flat=True).get()
        work_to_the_end(kind, key)


def empty_models() -> Iterator[Any]:
    from django.apps import apps

    for config in apps.get_app_configs():
        if config.label not in UNUSED:
            for model in config.get_models(include_auto_created=True):
                if not model._default_manager.exists() and not model._meta.proxy:
                    yield model


def fill(model: Any) -> None:
    """One row, with a value of its type in each column that needs one."""
    columns = {field.name: value_for(field) for field in model._meta.concrete_fields if needed(field)}
    model._default_manager.create(**columns | ASKED_FOR.get(model._meta.label, {}))


def needed(field: Any) -> bool:
    return not (field.primary_key or field.null or field.has_default() or getattr(field, "auto_now_add", False))


def value_for(field: Any) -> Any:
    from django.db import models
    from django.utils import timezone

    if field.is_relation:
        if not field.related_model._default_manager.exists():
            fill(field.related_model)
        return field.related_model._default_manager.order_by("pk").last()
    if field.choices:
        return field.choices[0][0]
    for kind, value in (
        (models.BooleanField, False),
        (models.DateTimeField, timezone.now()),
        (models.DateField, timezone.now().date()),
        (models.DurationField, timedelta(seconds=1)),
        (models.JSONField, {}),
        (models.BinaryField, b"\x00" * 4),
        (models.GenericIPAddressField, "127.0.0.1"),
        (models.IntegerField | models.FloatField | models.DecimalField, 1),
    ):
        if isinstance(field, kind):
            return value
    return f"kept {field.name}"[: field.max_length]


def dump(database: Path) -> str:
    """The SQL that makes the database again; no password can be used."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("update annotate_user set password = '!'")
        connection.commit()
        return "\n".join(connection.iterdump()) + "\n"


if __name__ == "__main__":
    main()
