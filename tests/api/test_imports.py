"""Imports by the API: sent and checked, confirmed, followed, discarded."""

import json

import pytest

from annotate.corpus.upload_job import UploadJob
from annotate.datasets.create import set_right
from annotate.models import Dataset, Response, Role, Upload, User
from jobs.work import work_on
from tests.annotate.corpus.files import felm_row
from tests.api.conftest import ApiClient, client_of
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


def as_lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def moon() -> Dataset:
    return make_dataset("moon")


@pytest.fixture
def dora(moon: Dataset) -> User:
    return make_person("dora", moon, Role.ADJUDICATOR)


@pytest.fixture
def api(dora: User) -> ApiClient:
    return client_of(dora)


def test_a_file_is_checked_confirmed_and_followed_to_its_end(api: ApiClient, moon: Dataset) -> None:
    sent = api.upload(f"datasets/{moon.pk}/imports/", as_lines(felm_row(), felm_row("8")), format="felm")
    assert sent.status_code == 201
    address = sent["Location"]
    report = sent.json()["report"]
    assert (sent.json()["state"], report["created"], report["unchanged"], report["makes_dataset"]) == (
        "checked",
        2,
        0,
        False,
    )
    assert report["rows"][0]["segments"][1] == {
        "text": "It is made of cheese.",
        "value": "not_supported",
        "facts": 0,
    }
    assert Response.objects.count() == 0

    started = api.post(f"{address}confirm/")
    assert (started.status_code, started["Location"], started.json()["state"]) == (202, address, "waiting")
    work_on(UploadJob(), sent.json()["id"])
    done = api.get(address).json()
    assert (done["state"], done["progress"], done["dataset"], done["error"]) == ("done", 1.0, moon.pk, "")
    assert Response.objects.visible().count() == 2
    assert api.delete(address).status_code == 409


def test_a_file_makes_a_new_dataset(api: ApiClient, dora: User) -> None:
    rows = as_lines(felm_row())
    assert api.upload("imports/", rows, dataset_name="sun", format="felm").status_code == 422
    set_right(dora, True)
    sent = client_of(dora).upload("imports/", rows, dataset_name="sun", format="felm")
    assert (sent.status_code, sent.json()["report"]["makes_dataset"]) == (201, True)


def test_each_fault_of_a_file_is_named_with_its_line(api: ApiClient, moon: Dataset) -> None:
    rows = as_lines(felm_row(), felm_row("8", labels=[True]), {}, *[{"index": "x"}] * 30)
    answer = api.upload(f"datasets/{moon.pk}/imports/", rows, format="felm")
    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert [each["line"] for each in problem["errors"]] == list(range(2, 22))
    assert problem["errors"][1] == {"pointer": "/file", "detail": "the key 'index' is missing", "line": 3}
    assert not Upload.objects.exists()


def test_wrong_fields_are_named(api: ApiClient, moon: Dataset) -> None:
    problem = api.upload(f"datasets/{moon.pk}/imports/", b"", format="poetry").json()
    assert [each["pointer"] for each in problem["errors"]] == ["/file", "/format"]


def test_a_file_that_is_too_large_is_refused(api: ApiClient, moon: Dataset, settings) -> None:  # type: ignore[no-untyped-def]
    settings.UPLOAD_LIMIT_BYTES = 100
    answer = api.upload(f"datasets/{moon.pk}/imports/", as_lines(felm_row()), format="felm")
    assert answer.status_code == 422
    assert "come by this page" in answer.json()["detail"]
    settings.UPLOAD_LIMIT_BYTES = 0
    answer = api.upload(f"datasets/{moon.pk}/imports/", b" " * 1_100_000, format="felm")
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/problem+json")


def test_a_checked_file_is_discarded(api: ApiClient, moon: Dataset) -> None:
    address = api.upload(f"datasets/{moon.pk}/imports/", as_lines(felm_row()), format="felm")["Location"]
    assert api.delete(address).status_code == 204
    assert not Upload.objects.exists()
    assert api.get(address).status_code == 404


def test_ones_own_files_are_listed_the_newest_first(api: ApiClient, moon: Dataset, dora: User) -> None:
    address = f"datasets/{moon.pk}/imports/"
    first, second = (api.upload(address, as_lines(felm_row(key)), format="felm").json() for key in ("8", "9"))
    client_of(make_person("dan", moon, Role.ADJUDICATOR)).upload(address, as_lines(felm_row("7")), format="felm")
    api.post(f"imports/{second['id']}/confirm/")
    found = api.get("imports/?page_size=1").json()
    assert [(each["id"], each["state"], each["dataset_name"]) for each in found["results"]] == [
        (second["id"], "waiting", "moon")
    ]
    (older,) = api.get(found["next"].removeprefix("http://testserver")).json()["results"]
    assert (older["id"], older["state"], "report" in older) == (first["id"], "checked", False)
    assert client_of(dora, dataset=make_dataset("sun")).get("imports/").json()["results"] == []


def test_a_file_that_is_sent_twice_under_a_key_is_taken_once(api: ApiClient, moon: Dataset) -> None:
    api.client.defaults["HTTP_IDEMPOTENCY_KEY"] = "k1"
    first, again = (api.upload(f"datasets/{moon.pk}/imports/", as_lines(felm_row()), format="felm") for _ in range(2))
    other = api.upload(f"datasets/{moon.pk}/imports/", as_lines(felm_row("9")), format="felm")
    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 422)
    assert first.json() == again.json()
    assert Upload.objects.count() == 1


def test_a_token_of_another_dataset_knows_nothing_of_a_file(api: ApiClient, moon: Dataset, dora: User) -> None:
    sun = make_dataset("sun")
    sun.memberships.create(user=dora, role=Role.ADJUDICATOR)
    address = api.upload(f"datasets/{moon.pk}/imports/", as_lines(felm_row()), format="felm")["Location"]
    assert client_of(dora, dataset=moon).get(address).status_code == 200
    assert client_of(dora, dataset=sun).get(address).status_code == 404
    assert client_of(dora, dataset=moon).upload("imports/", b"", dataset_name="moon").status_code == 403
