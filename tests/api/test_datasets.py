"""Datasets by the API, and what every address shares: tokens, scopes, problems, repeated requests, versions."""

from datetime import timedelta

import pytest
from django.test import Client

from annotate.datasets.create import set_right
from annotate.models import Dataset, Role
from api.models import Token
from audit.models import AuditEntry
from tests.api.conftest import client_of
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


def test_one_sees_ones_own_datasets() -> None:
    numbers, _ = make_dataset("numbers"), make_dataset("letters")
    rhea = client_of(make_person("rhea", numbers, Role.RESEARCHER))
    found = rhea.get("datasets/").json()
    assert [each["name"] for each in found["results"]] == ["numbers"]
    assert (found["next"], found["previous"]) == (None, None)


def test_a_list_comes_in_pages_that_follow_one_another() -> None:
    first = make_dataset("d0")
    dora = make_person("dora", first, Role.ADJUDICATOR)
    for number in range(1, 5):
        make_dataset(f"d{number}").memberships.create(user=dora, role=Role.ADJUDICATOR)
    api, names = client_of(dora), []
    address: str | None = "datasets/?page_size=2"
    while address:
        page = api.get(address.removeprefix("http://testserver")).json()
        names += [each["name"] for each in page["results"]]
        address = page["next"]
    assert names == ["d0", "d1", "d2", "d3", "d4"]


def test_some_fields_are_asked_for() -> None:
    dataset = make_dataset("numbers")
    rhea = client_of(make_person("rhea", dataset, Role.RESEARCHER))
    assert rhea.get("datasets/?fields=id,name").json()["results"] == [{"id": dataset.pk, "name": "numbers"}]
    answer = rhea.get("datasets/?fields=colour")
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert "no field colour" in answer.json()["detail"]


def test_without_a_valid_token_nothing_opens() -> None:
    dora = make_person("dora", make_dataset("numbers"), Role.ADJUDICATOR)
    expired = client_of(dora, lifetime=timedelta(seconds=-1))
    revoked = client_of(dora)
    Token.objects.filter(name="test").update(revoked_at="2026-01-01T00:00Z")
    web = Client()
    web.force_login(dora)
    for answer in (expired.get("datasets/"), revoked.get("datasets/"), web.get("/api/v1/datasets/")):
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == "Bearer"
        assert answer.json()["title"] == "Unauthorized"


def test_a_token_without_the_scope_does_not_write() -> None:
    dataset = make_dataset("numbers")
    reader = client_of(make_person("dora", dataset, Role.ADJUDICATOR), "read")
    answer = reader.patch(f"datasets/{dataset.pk}/", {"name": "letters"}, if_match="*")
    assert (answer.status_code, answer.json()["detail"]) == (403, "This token lacks the scope “manage”.")


def test_a_token_of_one_dataset_opens_no_other() -> None:
    numbers, letters = make_dataset("numbers"), make_dataset("letters")
    dora = make_person("dora", numbers, Role.ADJUDICATOR)
    letters.memberships.create(user=dora, role=Role.ADJUDICATOR)
    set_right(dora, True)
    api = client_of(dora, dataset=numbers)
    assert [each["name"] for each in api.get("datasets/").json()["results"]] == ["numbers"]
    assert api.get(f"datasets/{letters.pk}/").status_code == 404
    answer = api.post("datasets/", {"name": "colours", "scheme": "felm"})
    assert (answer.status_code, answer.json()["detail"]) == (403, "This token opens one dataset only.")


def test_a_dataset_is_created_and_the_audit_log_names_the_token() -> None:
    dora = make_person("dora", make_dataset("numbers"), Role.ADJUDICATOR)
    set_right(dora, True)
    answer = client_of(dora).post("datasets/", {"name": "letters", "scheme": "felm", "description": "From A to Z."})
    made = Dataset.objects.get(name="letters")
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/datasets/{made.pk}/")
    assert made.memberships.get().user == dora
    entry = AuditEntry.objects.get(action="dataset-created")
    assert (entry.person, entry.by_token) == (dora, "test")


def test_who_may_create_none_is_refused() -> None:
    rhea = client_of(make_person("rhea", make_dataset("numbers"), Role.RESEARCHER))
    answer = rhea.post("datasets/", {"name": "letters", "scheme": "felm"})
    assert (answer.status_code, Dataset.objects.count()) == (403, 1)


def test_wrong_values_are_named_with_their_places() -> None:
    dora = make_person("dora", make_dataset("numbers"), Role.ADJUDICATOR)
    set_right(dora, True)
    problem = client_of(dora).post("datasets/", {"name": "numbers", "scheme": "poetry"}).json()
    assert problem["status"] == 422
    assert [each["pointer"] for each in problem["errors"]] == ["/name", "/scheme"]


def test_a_repeated_request_is_done_once() -> None:
    dora = make_person("dora", make_dataset("numbers"), Role.ADJUDICATOR)
    set_right(dora, True)
    api, sent = client_of(dora), {"name": "letters", "scheme": "felm"}
    first, again = (api.post("datasets/", sent, idempotency_key="k1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert (again["Location"], again["Idempotency-Replayed"]) == (first["Location"], "true")
    assert Dataset.objects.filter(name="letters").count() == 1
    other = api.post("datasets/", {**sent, "name": "colours"}, idempotency_key="k1")
    assert (other.status_code, Dataset.objects.filter(name="colours").exists()) == (422, False)


def test_a_refused_request_can_be_sent_again_under_its_key() -> None:
    dora = make_person("dora", make_dataset("numbers"), Role.ADJUDICATOR)
    api, sent = client_of(dora), {"name": "letters", "scheme": "felm"}
    assert api.post("datasets/", sent, idempotency_key="k1").status_code == 403
    set_right(dora, True)
    assert api.post("datasets/", sent, idempotency_key="k1").status_code == 201


def test_a_change_needs_the_version_that_was_read() -> None:
    dataset = make_dataset("numbers")
    api = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    address = f"datasets/{dataset.pk}/"
    assert api.patch(address, {"name": "odd"}).status_code == 428
    read = api.get(address)["ETag"]
    changed = api.patch(address, {"name": "odd"}, if_match=read)
    assert (changed.status_code, changed.json()["name"]) == (200, "odd")
    assert api.patch(address, {"name": "even"}, if_match=read).status_code == 412
    assert api.patch(address, {"name": "even"}, if_match=changed["ETag"]).status_code == 200


def test_errors_outside_the_views_are_problems_too() -> None:
    dataset = make_dataset("numbers")
    api = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    for answer, status in (
        (api.get("nothing/"), 404),
        (api.put("datasets/", {}), 405),
        (api.patch(f"datasets/{dataset.pk}/", {"description": "x" * 11_000_000}), 413),
        (api.client.generic("POST", "/api/v1/datasets/", b"[", content_type="application/json"), 401),
    ):
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
        assert answer.json()["status"] == status


def test_a_token_of_somebody_who_left_opens_nothing() -> None:
    dora = make_person("dora", make_dataset("numbers"), Role.ADJUDICATOR)
    api = client_of(dora)
    dora.is_active = False
    dora.save()
    assert api.get("datasets/").status_code == 401
