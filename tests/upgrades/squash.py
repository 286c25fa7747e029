"""Squashes the migrations of all rooms, so that a new database is made in seconds.

python -m tests.upgrades.squash       writes a last migration in each room, and the one that makes all tables

Run it before a version is released, and before `tests.upgrades.store`. The tables of all rooms are made by one
migration, for rooms refer to each other crosswise: a squashed migration a room could come neither before nor after
another. A database that has some of the older migrations goes on by these.
"""

import os
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
# The room of people: migrations of the libraries refer to its first.
FIRST = "annotate"
# In the names of what this writes, the migration that makes all tables and the last one of each room.
SQUASHED, LAST = "_squashed_", "_all_tables"


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from django.db.migrations import RunPython
    from django.db.migrations.loader import MigrationLoader

    from audit.triggers import create_in_migration, drop_in_migration
    from core.create_models import CreateTables, DescribeModels

    state = MigrationLoader(None).project_state()
    loader = MigrationLoader(None, replace_migrations=False)
    rooms = list(in_order(state))
    ours = sorted(key for key in loader.disk_migrations if key[0] in rooms)
    for room, name in ours:
        if is_written(name):
            remove(room, name, loader.disk_migrations[room, name].dependencies)
    steps = [key for key in ours if not is_written(key[1])]
    last, number = dict(steps), {room: int(name[:4]) for room, name in ours}
    # All names are new, also of rooms without a new step: a database has none of these before what they come after.
    if any(last[room] == name for room, name in dict(ours).items()):
        number = {room: place + 1 for room, place in number.items()}
    # The libraries first: their migrations cost least while Django knows of few models.
    before = [key for key in loader.graph.leaf_nodes() if key[0] not in rooms]
    described = []
    for room in rooms:
        creations = [creation_of(model) for (label, _), model in sorted(state.models.items()) if label == room]
        described.append((room, f"{number[room]:04}{LAST}"))
        write(described[-1], [DescribeModels(creations)], dependencies=[(room, last[room]), *before])
        before = described[-1:]
    write(
        (FIRST, f"0001{SQUASHED}{last[FIRST]}"),
        [CreateTables(described), RunPython(create_in_migration, drop_in_migration)],
        dependencies=sorted({parent.key for key in steps for parent in loader.graph.node_map[key].parents} - set(ours)),
        replaces=steps,
    )


def is_written(name: str) -> bool:
    """Whether this module has written the migration, and writes it anew."""
    return SQUASHED in name or name.endswith(LAST)


def remove(room: str, name: str, dependencies: list[tuple[str, str]]) -> None:
    """What came after it comes after the step before it. A database that has it stays as it is."""
    named = re.compile(rf"""(?<=['"]{room}['"], ['"]){name}\b""")
    for path in ROOT.glob("*/migrations/0*.py"):
        path.write_text(named.sub(str(dict(dependencies).get(room)), path.read_text("utf-8")), "utf-8")
    (ROOT / room / "migrations" / f"{name}.py").unlink()


def in_order(state: Any) -> Iterator[str]:
    """The rooms that have models, each after those that its models refer to; all may refer to people."""
    from django.apps import apps
    from django.conf import settings

    ours = {config.label for config in apps.get_app_configs() if Path(config.path).parent == ROOT}
    people = tuple(settings.AUTH_USER_MODEL.lower().split("."))
    before: dict[str, set[str]] = {room: set() for room, _ in sorted(state.models) if room in ours}
    for referred, referring in state.relations.items():
        if referred[0] in ours and referred != people:
            for room, _ in referring:
                before[room] |= {referred[0]} - {room}
    return TopologicalSorter({room: sorted(others) for room, others in before.items()}).static_order()


def creation_of(model: Any) -> Any:
    from django.db.migrations import CreateModel

    options = {name: value for name, value in model.options.items() if value}
    return CreateModel(model.name, list(model.fields.items()), options, model.bases, model.managers)


def write(key: tuple[str, str], operations: list[Any], **attributes: Any) -> None:
    from django.db.migrations import Migration
    from django.db.migrations.writer import MigrationWriter

    room, name = key
    migration = type("Migration", (Migration,), {"operations": operations, **attributes})(name, room)
    writer = MigrationWriter(migration, include_header=False)
    Path(writer.path).write_text(writer.as_string(), "utf-8")


if __name__ == "__main__":
    main()
