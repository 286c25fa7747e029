"""Imports by the API: sent and checked, confirmed, followed, discarded."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from annotate.corpus import importing
from annotate.corpus.upload_job import UploadJob
from annotate.corpus.uploads import checked
from annotate.datasets.create import set_right
from annotate.models import Dataset, GoldLabel, Response, Role, Upload, User
from api.benchmarks import views as benchmarks
from api.predictions import views as predictions
from api.responses import views as responses
from evaluators.models import Prediction
from jobs.work import work_on
from tests.annotate.corpus.files import felm_row
from tests.annotate.corpus.recipes import claims_recipe, claims_row
from tests.api.conftest import ApiClient, client_of
from tests.api.test_predictions import ROWS, lines, push
from tests.factor.csv_format.files import BEES, HEADER
from tests.factories import make_dataset, make_person, make_response

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
        "claims": [],
    }
    assert Response.objects.count() == 0

    started = api.post(f"{address}confirm/")
    assert (started.status_code, started["Location"], started.json()["state"]) == (202, address, "waiting")
    work_on(UploadJob(), sent.json()["id"])
    done = api.get(address).json()
    assert (done["state"], done["progress"], done["dataset"], done["error"]) == ("done", 1.0, moon.pk, "")
    assert Response.objects.visible().count() == 2
    assert api.delete(address).status_code == 409


def test_rows_that_cannot_be_taken_are_left_out_by_kind(api: ApiClient, moon: Dataset) -> None:
    rows = as_lines(felm_row(), felm_row("8", prompt=None))
    address = f"datasets/{moon.pk}/imports/"
    assert api.upload(address, rows, format="felm").status_code == 422
    sent = api.upload(address, rows, format="felm", skip="null prompt").json()
    assert sent["report"]["refused"] == [
        {
            "kind": "null prompt",
            "count": 1,
            "rows": [2],
            "cause": "prompt must be text, not null",
            "said": None,
        }
    ]
    api.post(f"imports/{sent['id']}/confirm/")
    work_on(UploadJob(), sent["id"])
    assert Response.objects.visible().count() == 1


def test_the_rule_that_cuts_sentences_is_chosen(api: ApiClient, moon: Dataset) -> None:
    row = as_lines({"prompt": "Who was he?", "response": "Wow! He ran home. She left."})
    sent = api.upload(f"datasets/{moon.pk}/imports/", row, format="responses", sentences="released-code").json()
    assert sent["sentences"] == "released-code"
    assert [each["text"] for each in sent["report"]["rows"][0]["segments"]] == ["Wow! He ran home.", "She left."]
    api.post(f"imports/{sent['id']}/confirm/")
    work_on(UploadJob(), sent["id"])
    assert moon.responses.get().segments.count() == 2
    refused = api.upload(f"datasets/{moon.pk}/imports/", row, format="responses", sentences="by eye")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/sentences")


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


def test_a_file_is_imported_by_a_recipe(api: ApiClient, dora: User) -> None:
    set_right(dora, True)
    api = client_of(dora)
    rows = as_lines(claims_row())
    sent = api.upload("imports/", rows, dataset_name="claims", format="mapped", recipe=json.dumps(claims_recipe()))
    report = sent.json()["report"]
    assert (sent.status_code, sent.json()["recipe"]["title"]) == (201, "Moon claims")
    assert (report["mapped"]["units"], report["mapped"]["share_aligned"]) == (2, 1.0)
    assert report["rows"][0]["segments"][1]["claims"] == [
        {"text": "The moon is made of cheese.", "value": "not_supported", "said": "", "evidence": 0}
    ]
    api.post(f"{sent['Location']}confirm/")
    work_on(UploadJob(), sent.json()["id"])
    assert set(GoldLabel.objects.values_list("fact__text", "value")) == {
        ("The moon goes round the earth.", "supported"),
        ("The moon is made of cheese.", "not_supported"),
    }


def test_a_recipe_is_named_or_sent(api: ApiClient, moon: Dataset, dora: User) -> None:
    address, rows = f"datasets/{moon.pk}/imports/", as_lines({"q": "Why?", "a": "So.", "l": 1})
    whole = {"prompt": "q", "text": "a", "label": {"at": "l", "values": {"1": "supported"}}}
    dora.recipes.create(name="mine", document={"recipe": 1, "title": "Mine", "responses": whole})
    assert api.upload(address, rows, format="mapped", recipe="mine").status_code == 201
    for recipe, cause in (
        ("", "Name a recipe, or send one as JSON."),
        ("none-such", "There is no recipe 'none-such'"),
        ("{}", "recipe: the key 'recipe' is missing."),
    ):
        problem = api.upload(address, rows, format="mapped", recipe=recipe).json()
        assert problem["errors"][0]["pointer"] == "/recipe"
        assert problem["errors"][0]["detail"].startswith(cause)
    problem = api.upload(address, rows, format="felm", recipe="mine").json()
    assert problem["errors"][0]["pointer"] == "/recipe"


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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["imports", "predictions", "prompts", "benchmarks"])
def test_others_write_while_a_file_is_checked(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that is done once has a transaction, and SQLite lets one of them write: the check stands before it."""
    moon = make_dataset("moon")
    make_response(moon)
    api = client_of(make_person("dora", moon, Role.ADJUDICATOR))
    wrote = []

    def write(name: str) -> None:
        """In a connection of its own, in the middle of what the name says."""
        other = connection.copy()
        other.settings_dict = {**other.settings_dict, "OPTIONS": {"timeout": 0}}
        try:
            with other.cursor() as cursor:
                cursor.execute("UPDATE annotate_dataset SET description = %s", [name])
        finally:
            other.close()
        wrote.append(name)

    def during(read: Callable[..., Any]) -> Callable[..., Any]:
        def reading(*args: Any, **kwargs: Any) -> Any:
            write(read.__name__)
            return read(*args, **kwargs)

        return reading

    reads = (
        (importing, "check_file"),
        (predictions, "read_sent"),
        (responses, "read_prompts"),
        (benchmarks, "read_benchmark"),
    )
    for module, name in reads:
        monkeypatch.setattr(module, name, during(getattr(module, name)))
    api.client.defaults["HTTP_IDEMPOTENCY_KEY"] = "k"
    for _ in range(2):
        if what == "imports":
            answer = api.upload(f"datasets/{moon.pk}/imports/", as_lines(felm_row("8")), format="felm")
        elif what == "prompts":
            answer = api.upload(f"datasets/{moon.pk}/prompts/", as_lines({"prompt": "Is it round?"}))
        elif what == "benchmarks":
            answer = api.upload(f"datasets/{moon.pk}/benchmarks/", "\n".join((HEADER, BEES)).encode(), name="bees")
        else:
            answer = push(api, moon, lines(ROWS))
        assert answer.status_code == 201, answer.content
    moon.refresh_from_db()
    made = {
        "imports": Upload.objects.count(),
        "predictions": Prediction.objects.count(),
        "prompts": moon.collected_prompts.count(),
        "benchmarks": moon.benchmarks.count(),
    }
    name, rows = {
        "imports": ("check_file", 1),
        "predictions": ("read_sent", 2),
        "prompts": ("read_prompts", 1),
        "benchmarks": ("read_benchmark", 1),
    }[what]
    assert (wrote, made) == ([name], {**dict.fromkeys(made, 0), what: rows})
    assert moon.description == wrote[0]


def test_of_two_requests_at_once_one_file_is_kept(dora: User, moon: Dataset) -> None:
    """The other one was stored while this one, with the same key, was checked."""
    with checked(dora, SimpleUploadedFile("moon.jsonl", as_lines(felm_row())), "moon", "felm", "") as upload:
        name, storage = upload.file.name, upload.file.storage
        assert (storage.exists(name), Upload.objects.count()) == (True, 0)
    assert not storage.exists(name)
