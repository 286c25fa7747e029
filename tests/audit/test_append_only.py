"""The audit log only grows: neither the ORM nor the database changes or deletes an entry."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError

from annotate.models import User
from audit.models import Action, AppendOnlyError, AuditEntry
from audit.record import record
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def entry() -> AuditEntry:
    record(None, Action.EXPORTED, make_person("ada"))
    return AuditEntry.objects.get()


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry.save(),
        lambda entry: entry.delete(),
        lambda entry: AuditEntry.objects.update(detail="else"),
        lambda entry: AuditEntry.objects.filter(pk=entry.pk).delete(),
        lambda entry: AuditEntry.objects.bulk_update([entry], ["detail"]),
    ],
    ids=["save", "delete", "update", "delete many", "update many"],
)
def test_the_orm_refuses(entry: AuditEntry, change) -> None:
    entry.detail = "else"
    with pytest.raises(AppendOnlyError):
        change(entry)
    assert AuditEntry.objects.get().detail == ""


@pytest.mark.parametrize("statement", ["UPDATE audit_auditentry SET detail = 'else'", "DELETE FROM audit_auditentry"])
def test_the_database_refuses(entry: AuditEntry, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert AuditEntry.objects.get().detail == ""


def test_whoever_is_in_the_log_is_deactivated_and_not_deleted(rf) -> None:
    ada = make_person("ada")
    request = rf.get("/")
    request.user = ada
    record(request, Action.LOGIN, ada)
    with pytest.raises(ProtectedError):
        ada.delete()
    User.objects.update(is_active=False)
    assert AuditEntry.objects.get().person == ada


def test_an_entry_goes_with_the_transaction_of_what_it_is_about() -> None:
    try:
        with transaction.atomic():
            record(None, Action.EXPORTED, "a file")
            raise ValueError
    except ValueError:
        pass
    assert not AuditEntry.objects.exists()


def test_a_command_has_no_person_and_no_address() -> None:
    record(None, Action.EXPORTED, "x" * 500, detail="y" * 500)
    entry = AuditEntry.objects.get()
    assert (entry.by_command, entry.person, entry.address) == (True, None, None)
    assert (len(entry.object_name), len(entry.detail)) == (200, 300)
