"""The page of the audit log: who may see it, search, filters, CSV."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotate.models import User
from audit.models import Action, AuditEntry
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", password="root"))
    return client


@pytest.fixture
def entries() -> None:
    ada, ben = make_person("ada"), make_person("ben")
    AuditEntry.objects.create(person=ada, action=Action.LOGIN, address="192.0.2.1", object_name="ada")
    AuditEntry.objects.create(person=ben, action=Action.DOWNLOADED, address="192.0.2.2", object_name="gold.zip")
    AuditEntry.objects.create(by_command=True, action=Action.EXPORTED, object_name="=lab", detail="felm")


def texts(client: Client, **query: str) -> list[str]:
    page = client.get(reverse("audit-log"), query).content.decode()
    return [word for word in ("192.0.2.1", "gold.zip", "=lab") if word in page]


@pytest.mark.parametrize("name", ["audit-log", "audit-log-export"])
def test_the_log_is_for_superusers(client: Client, name: str) -> None:
    client.force_login(make_person("ada"))
    assert client.get(reverse(name)).status_code == 403


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["192.0.2.1", "gold.zip", "=lab"]),
        ({"q": "ben"}, ["gold.zip"]),
        ({"q": "192.0.2.1"}, ["192.0.2.1"]),
        ({"q": "FELM"}, ["=lab"]),
        ({"action": "login"}, ["192.0.2.1"]),
        ({"action": "unknown"}, ["192.0.2.1", "gold.zip", "=lab"]),
        ({"first": "2000-01-01", "last": "2000-01-02"}, []),
        ({"first": "no day", "last": "2026-02-31"}, ["192.0.2.1", "gold.zip", "=lab"]),
    ],
)
def test_entries_are_searched_and_filtered(
    root: Client, entries: None, query: dict[str, str], found: list[str]
) -> None:
    assert texts(root, **query) == found


def test_both_days_are_included(root: Client, entries: None) -> None:
    today = timezone.now().date()
    day = today.isoformat()
    assert len(texts(root, first=day, last=day)) == 3
    assert texts(root, first=(today + timedelta(days=1)).isoformat()) == []


def test_the_csv_holds_what_was_asked_for_and_no_formula(root: Client, entries: None) -> None:
    answer = root.get(reverse("audit-log-export"), {"q": "felm"})
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [(row["by_command"], row["action"], row["object_name"]) for row in rows] == [("yes", "exported", "'=lab")]


def test_the_page_asks_no_more_the_more_entries_there_are(root: Client, entries: None) -> None:
    root.get(reverse("audit-log"))  # the number in the navigation is counted once a minute
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            root.get(reverse("audit-log"))
        counts.append(len(queries))
        for person in User.objects.all():
            AuditEntry.objects.create(person=person, action=Action.LOGOUT)
    assert counts[0] == counts[1]


def test_the_page_says_dataset() -> None:
    assert not [label for label in Action.labels if "data set" in label.lower()]
