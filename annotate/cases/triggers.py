"""The triggers by which the database notes each task whose cases may have changed.

They note it in the transaction of the change, whoever makes it. SQLite drops triggers with a table that a migration
makes anew, and refuses to rename a table that a trigger names: so there they are away during a migration, and after it
the tasks that may have cases count as changed.
"""

from typing import Any

from django.db import connections

# Tasks of a row, {row} being OLD or NEW.
OF_RESPONSE = "SELECT task_id FROM annotate_response WHERE id = {row}.response_id"
OF_SEGMENT = (
    "SELECT r.task_id FROM annotate_segment s JOIN annotate_response r ON r.id = s.response_id "
    "WHERE s.id = {row}.segment_id"
)
EVER_SUBMITTED = ("OLD.state = 'submitted' OR NEW.state = 'submitted'", "state, submitted_at, rebutted_at, task_id")
# By table: the tasks, and for each statement its columns ("" for all) and a condition on the row.
SOURCES: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "label": (
        "SELECT task_id FROM annotate_assignment WHERE id = {row}.assignment_id",
        {"INSERT": ("", ""), "DELETE": ("", ""), "UPDATE": ("value, error_type, withdrawn, revision", "")},
    ),
    "assignment": (
        "SELECT {row}.task_id AS task_id",
        {
            "INSERT": ("", "NEW.state = 'submitted'"),
            "DELETE": ("", "OLD.state = 'submitted'"),
            "UPDATE": (EVER_SUBMITTED[1], EVER_SUBMITTED[0]),
        },
    ),
    "task": (
        "SELECT {row}.id AS task_id",
        {"UPDATE": ("kind, wants, known_since, rebuttal_at, rebuttal_ended_at, closed_at", "")},
    ),
    "response": ("SELECT {row}.task_id AS task_id", {"DELETE": ("", ""), "UPDATE": ("task_id, imported_id", "")}),
    "import": (
        "SELECT task_id FROM annotate_response WHERE imported_id = {row}.id",
        {"UPDATE": ("finished_at", "")},
    ),
    "segment": (OF_RESPONSE, {"INSERT": ("", ""), "DELETE": ("", ""), "UPDATE": ("relevant, extra, response_id", "")}),
    "factset": (OF_RESPONSE, {"DELETE": ("", ""), "UPDATE": ("draft, origin", "")}),
    "atomicfact": (
        OF_SEGMENT,
        {"INSERT": ("", ""), "DELETE": ("", ""), "UPDATE": ("segment_id, fact_set_id", "")},
    ),
    "goldlabel": (OF_SEGMENT, {"INSERT": ("", ""), "DELETE": ("", ""), "UPDATE": ("superseded", "")}),
    "adjudication": (OF_SEGMENT, {"INSERT": ("", ""), "DELETE": ("", "")}),
    "goldedit": (OF_SEGMENT, {"INSERT": ("", ""), "DELETE": ("", "")}),
}
NOTE = "INSERT INTO annotate_casechange (task_id) SELECT task_id FROM ({tasks}) AS t WHERE task_id IS NOT NULL"
ROWS = {"INSERT": ["NEW"], "DELETE": ["OLD"], "UPDATE": ["OLD", "NEW"]}
NAMES = [f"cases_{table}_{event.lower()}" for table, (_, events) in SOURCES.items() for event in events]
ALL_CHANGED = """
    INSERT INTO annotate_casechange (task_id)
    SELECT id FROM annotate_task WHERE kind <> 'work'
    UNION SELECT task_id FROM annotate_assignment WHERE state = 'submitted'
    UNION SELECT task_id FROM annotate_casecount
"""


NUMBER = {
    "sqlite": "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'cases_%%'",
    "postgresql": "SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'cases_%%'",
}


def are_there(connection: Any) -> bool:
    """Whether every change is noted now."""
    with connection.cursor() as cursor:
        cursor.execute(NUMBER[connection.vendor])
        return bool(cursor.fetchone()[0] == len(NAMES))


def is_all_counted(connection: Any) -> bool:
    """Whether every change is noted now, and none waits to be counted; in one query."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT ({NUMBER[connection.vendor]}), EXISTS (SELECT 1 FROM annotate_casechange)")  # noqa: S608
        number, waits = cursor.fetchone()
        return bool(number == len(NAMES) and not waits)


def before_migration(plan: list[Any], using: str, **_: object) -> None:
    connection = connections[using]
    if plan and connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for name in NAMES:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def after_migration(using: str, **_: object) -> None:
    """Makes the triggers if the table of changes is there and they are not."""
    connection = connections[using]
    if "annotate_casechange" not in connection.introspection.table_names() or are_there(connection):
        return
    with connection.cursor() as cursor:
        for table, (tasks, events) in SOURCES.items():
            for event, (columns, condition) in events.items():
                for statement in _statements(connection.vendor, table, tasks, event, columns, condition):
                    cursor.execute(statement)
    note_all(connection)


def note_all(connection: Any) -> None:
    """Every task that may have cases is to be counted anew."""
    with connection.cursor() as cursor:
        cursor.execute(ALL_CHANGED)


def _statements(vendor: str, table: str, tasks: str, event: str, columns: str, condition: str) -> list[str]:
    name = f"cases_{table}_{event.lower()}"
    notes = " ".join(f"{NOTE.format(tasks=tasks.format(row=row))};" for row in ROWS[event])
    when = f" WHEN ({condition})" if condition else ""
    on = f"AFTER {event}{f' OF {columns}' if columns else ''} ON annotate_{table} FOR EACH ROW{when}"
    if vendor == "sqlite":
        return [f"DROP TRIGGER IF EXISTS {name}", f"CREATE TRIGGER {name} {on} BEGIN {notes} END"]
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {notes} RETURN NULL; END $$",
        f"DROP TRIGGER IF EXISTS {name} ON annotate_{table}",
        f"CREATE TRIGGER {name} {on} EXECUTE FUNCTION {name}()",
    ]
