"""Guidelines, settings, archive, deletion and statistics of a dataset by the API."""

import json

import pytest
from django.core.management import call_command

from annotate.datasets.deletion_job import DeletionJob
from annotate.models import Dataset, Role, User
from audit.models import AuditEntry
from jobs.work import work_on
from tests.annotate.suggestions.work import make_run
from tests.api.conftest import ApiClient, client_of
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset("numbers")


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


@pytest.fixture
def api(dora: User) -> ApiClient:
    return client_of(dora)


def test_a_change_of_the_guidelines_is_a_version(api: ApiClient, dataset: Dataset) -> None:
    address = f"datasets/{dataset.pk}/guidelines/"
    first = api.post(address, {"text": "Look it up.", "since": 0})
    assert (first.status_code, first.json()["version"]) == (201, 1)
    assert api.post(address, {"text": "Look it up twice.", "since": 1}).json()["version"] == 2
    stale = api.post(address, {"text": "Do not look.", "since": 1})
    assert (stale.status_code, stale.json()["detail"].startswith("Version 2 was made")) == (409, True)
    same = api.post(address, {"text": "Look it up twice.", "since": 2})
    assert (same.status_code, same.json()["detail"]) == (422, "The text is the same as in version 2.")
    ada = client_of(make_person("ada", dataset))
    assert [(each["version"], each["text"]) for each in ada.get(address).json()["results"]] == [
        (2, "Look it up twice."),
        (1, "Look it up."),
    ]


def test_settings_are_read_and_changed(api: ApiClient, dataset: Dataset) -> None:
    address = f"datasets/{dataset.pk}/settings/"
    read = api.get(address)
    assert read.json() == {
        "type_required": False,
        "reason_required": False,
        "no_claim_is_irrelevant": False,
        "rebuttal": False,
        "review": "bulk",
        "hourly_rate": None,
        "qualification_pass": None,
        "control_share": 0.0,
    }
    changes = {"rebuttal": True, "hourly_rate": "12.50", "review": "reviewer"}
    assert api.patch(address, changes).status_code == 428
    changed = api.patch(address, changes, if_match=read["ETag"])
    assert changed.json() == {**read.json(), **changes}
    assert api.patch(address, changes, if_match=read["ETag"]).status_code == 412
    assert api.get(address).json() == changed.json()
    cleared = api.patch(address, {"rebuttal": False, "hourly_rate": None}, if_match=changed["ETag"])
    assert cleared.json() == {**read.json(), "review": "reviewer"}


@pytest.mark.parametrize(
    ("scheme", "changes", "place"),
    [
        ("felm", {"control_share": 0.6}, "/control_share"),
        ("felm", {"review": "never"}, "/review"),
        ("felm", {"colour": "red"}, "/colour"),
        ("factscore", {"type_required": True}, "/type_required"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(scheme: str, changes: dict[str, object], place: str) -> None:
    dataset = make_dataset("bios", scheme)
    api = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    answer = api.patch(f"datasets/{dataset.pk}/settings/", changes, if_match="*")
    assert (answer.status_code, [each["pointer"] for each in answer.json()["errors"]]) == (422, [place])


def test_only_site_administrators_change_suggestions(api: ApiClient, dataset: Dataset) -> None:
    run = make_run(dataset)
    address = f"datasets/{dataset.pk}/suggestions/"
    read = api.get(address)
    assert read.json() == {"suggesting": "off", "suggestion_run": None, "suggestion_withheld": 0.2}
    changes = {"suggesting": "after", "suggestion_run": run.pk}
    assert api.patch(address, changes, if_match=read["ETag"]).status_code == 403
    root = client_of(User.objects.create_superuser("root", password="x"))
    without = root.patch(address, {"suggesting": "after"}, if_match=read["ETag"])
    assert (without.status_code, [each["pointer"] for each in without.json()["errors"]]) == (422, ["/suggestion_run"])
    assert root.patch(address, changes, if_match=read["ETag"]).json() == {**read.json(), **changes}
    assert AuditEntry.objects.filter(action="suggestions-changed", object_key=dataset.pk).count() == 1
    assert root.patch(address, {"suggestion_run": None}, if_match="*").status_code == 422
    assert api.get(address).json()["suggestion_run"] == run.pk


def test_an_archived_dataset_is_only_read_until_it_is_restored(api: ApiClient, dataset: Dataset) -> None:
    address = f"datasets/{dataset.pk}/"
    assert api.post(f"{address}archive/").json()["archived_at"] is not None
    assert api.patch(address, {"name": "odd"}, if_match="*").status_code == 403
    assert api.get(address).status_code == 200
    assert api.post(f"{address}restore/").json()["archived_at"] is None
    assert api.patch(address, {"name": "odd"}, if_match="*").status_code == 200
    actions = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["dataset-archived", "dataset-restored", "dataset-renamed"]


def test_a_dataset_is_deleted_by_its_name_and_the_deletion_followed(api: ApiClient, dataset: Dataset) -> None:
    address = f"datasets/{dataset.pk}/"
    wrong = api.delete(address, {"name": "letters"})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/name")
    begun = api.delete(address, {"name": "numbers"})
    assert (begun.status_code, begun.json()["name"], begun.json()["state"]) == (202, "numbers", "waiting")
    assert api.get(address).status_code == 404
    work_on(DeletionJob(), begun.json()["id"])
    assert api.get(begun["Location"]).json()["state"] == "done"
    assert not Dataset.objects.exists()
    assert AuditEntry.objects.filter(action="deleted").count() == 1


def test_statistics_are_the_document_of_the_command(api: ApiClient, dataset: Dataset, capsys) -> None:  # type: ignore[no-untyped-def]
    one, two = make_response(dataset).segments.all()
    add_gold(one, "supported")
    add_gold(two, "not_supported")
    call_command("dataset_stats", "numbers", "--json")
    expected = json.loads(capsys.readouterr().out)
    assert expected["slices"][0]["error"] == 1
    assert api.get(f"datasets/{dataset.pk}/statistics/").json() == expected
