"""What is recorded, by whom, and in which words."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Membership, Role, User
from audit.models import Action, AuditEntry
from llm.models import Endpoint
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db
SECRET = "a secret that stands in no log"


@pytest.fixture
def lab() -> Dataset:
    dataset = make_dataset("lab")
    make_person("dora", dataset, Role.ADJUDICATOR)
    make_person("ada", dataset)
    return dataset


@pytest.fixture
def dora(lab: Dataset, client: Client) -> Client:
    client.force_login(User.objects.get(username="dora"))
    return client


def recorded(*actions: Action) -> list[tuple[str | None, str, str, str]]:
    """Who did what to what, and the detail; log-ins and log-outs left out unless asked for."""
    entries = AuditEntry.objects.order_by("pk").select_related("person")
    return [
        (entry.person and entry.person.username, entry.action, entry.object_name, entry.detail)
        for entry in entries
        if not actions or entry.action in actions
    ]


def test_members_and_their_roles(dora: Client, lab: Dataset) -> None:
    make_person("ben")
    dora.post(reverse("member-add", args=[lab.pk]), {"name": "ben", "role": "annotator"})
    member = Membership.objects.get(user__username="ben")
    dora.post(reverse("member-change", args=[member.pk]), {"role": "researcher"})
    dora.post(reverse("member-remove", args=[member.pk]))
    assert recorded() == [
        ("dora", "member-added", "ben", "lab: annotator"),
        ("dora", "role-changed", "ben", "lab: annotator to researcher"),
        ("dora", "member-removed", "ben", "lab: researcher"),
    ]
    assert set(AuditEntry.objects.values_list("address", "by_command")) == {("127.0.0.1", False)}


def test_a_change_that_is_refused_is_not_recorded(dora: Client, lab: Dataset) -> None:
    dora.post(reverse("member-add", args=[lab.pk]), {"name": "nobody", "role": "annotator"})
    dora.post(reverse("member-remove", args=[Membership.objects.get(user__username="dora").pk]), {"sure": "1"})
    assert recorded() == []


def test_gold_versions_and_releases_on_pages_and_by_commands(dora: Client, lab: Dataset, tmp_path) -> None:
    add_gold(make_response(lab, segments=["One."]).segments.get(), "supported")
    dora.post(reverse("gold", args=[lab.pk]), {"name": "v1"})
    dora.post(reverse("releases", args=[lab.pk]), {"version": "v1", "licence": "CC-BY-4.0"})
    call_command("freeze_gold", "lab", "v2", stdout=StringIO())
    call_command("export_dataset", "lab", format="labels", output=tmp_path / "labels.jsonl")
    assert [(who, action, detail.split(",")[0]) for who, action, _, detail in recorded()] == [
        ("dora", "gold-frozen", "lab"),
        ("dora", "released", "lab"),
        (None, "gold-frozen", "lab"),
        (None, "exported", "labels"),
    ]
    assert list(AuditEntry.objects.order_by("pk").values_list("by_command", flat=True)) == [False, False, True, True]


def test_downloads_with_their_file_and_without_their_query(dora: Client, lab: Dataset) -> None:
    address = reverse("oversight-pay", args=[lab.pk])
    list(dora.get(address, {"q": SECRET}).streaming_content)
    assert recorded() == [("dora", "downloaded", f"work-{lab.pk}.csv", address)]


def test_pages_are_no_downloads(dora: Client, lab: Dataset) -> None:
    dora.get(reverse("people", args=[lab.pk]))
    assert recorded() == []


def test_endpoints_are_recorded_without_what_was_typed(lab: Dataset, client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", password="root"))
    fields = {
        "name": "here",
        "base_url": f"https://one.example/{SECRET.replace(' ', '-')}",
        "key_variable": "OPENAI_API_KEY",
    }
    sent = {**fields, "concurrency": "4", "attempts": "3"}
    client.post(reverse("endpoints", args=[lab.pk]), sent)
    endpoint = Endpoint.objects.get(name="here")
    client.post(reverse("endpoint", args=[lab.pk, endpoint.pk]), {**sent, "name": "there"})
    assert recorded() == [
        ("root", "endpoint-added", "here", ""),
        ("root", "endpoint-changed", "there", recorded()[1][3]),
    ]
    assert "name" in recorded()[1][3]
    assert SECRET.replace(" ", "-") not in str(recorded())


def test_the_admin_pages_record_names_of_fields_and_no_values(lab: Dataset, client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", password="root"))
    ben = make_person("ben")
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00", "is_active": "on"}
    client.post(
        reverse("admin:annotate_user_change", args=[ben.pk]), {"username": "ben", "first_name": SECRET, **joined}
    )
    client.post(reverse("admin:annotate_user_delete", args=[ben.pk]), {"post": "yes"})
    assert recorded() == [
        ("root", "admin-changed", "ben", "Changed First name and Date joined."),
        ("root", "deleted", "ben", ""),
    ]


def test_a_log_out_is_recorded(dora: Client) -> None:
    dora.post(reverse("account_logout"))
    assert recorded() == [("dora", "logout", "dora", "")]
