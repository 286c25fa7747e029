"""The triggers by which the database itself keeps the audit log append-only."""

from typing import Any

SQLITE = [
    "CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_auditentry "
    "BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END",
    "CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_auditentry "
    "BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END",
]
SQLITE_DROP = ["DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete"]
POSTGRESQL = [
    "CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'The audit log is append-only.' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit_auditentry "
    "FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
    "CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_auditentry "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
]
POSTGRESQL_DROP = [
    "DROP TRIGGER audit_no_change ON audit_auditentry",
    "DROP TRIGGER audit_no_truncate ON audit_auditentry",
    "DROP FUNCTION audit_refuse",
]


def create_triggers(connection: Any) -> None:
    _run(connection, SQLITE, POSTGRESQL)


def drop_triggers(connection: Any) -> None:
    _run(connection, SQLITE_DROP, POSTGRESQL_DROP)


def create_in_migration(_: Any, editor: Any) -> None:
    create_triggers(editor.connection)


def drop_in_migration(_: Any, editor: Any) -> None:
    drop_triggers(editor.connection)


def _run(connection: Any, of_sqlite: list[str], of_postgresql: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in of_sqlite if connection.vendor == "sqlite" else of_postgresql:
            cursor.execute(statement)
