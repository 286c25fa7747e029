"""Datasets are created by whoever has the right, renamed, archived and deleted with all that belongs to them."""

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client, TestCase
from django.urls import reverse
from django.utils import timezone

from annotate.datasets.contents import path_to_dataset
from annotate.datasets.create import create_dataset, set_right
from annotate.datasets.deletion_job import DeletionJob
from annotate.models import Assignment, Dataset, DatasetDeletion, ReviewPolicy, Role, SourceOwner, User
from audit.models import Action, AuditEntry
from jobs.work import work_on
from knowledge.index_files import index_of
from knowledge.models import KnowledgeSource
from tests.annotate.adjudication.work import make_task
from tests.factories import make_dataset, make_person, make_response
from tests.knowledge.sources import make_source
from tests.world import make_world

pytestmark = pytest.mark.django_db


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def dora(dataset: Dataset) -> Client:
    return client_of(make_person("dora", dataset, Role.ADJUDICATOR))


def test_whoever_has_the_right_creates_a_data_set_and_runs_it() -> None:
    zoe = make_person("zoe")
    set_right(zoe, True)
    client = client_of(zoe)
    assert reverse("dataset-new") in client.get(reverse("home")).text
    client.post(reverse("dataset-new"), {"name": "moon", "scheme": "felm", "description": "Cheese."})
    made = Dataset.objects.get(name="moon")
    assert (made.ready, made.memberships.get(user=zoe).role) == (True, Role.ADJUDICATOR)
    assert AuditEntry.objects.filter(action=Action.DATASET_CREATED, object_name="moon", person=zoe).exists()


def test_without_the_right_nothing_is_created_or_imported_under_a_new_name(dora: Client) -> None:
    home = dora.get(reverse("home")).text
    assert reverse("dataset-new") not in home
    assert reverse("import") not in home
    assert dora.post(reverse("dataset-new"), {"name": "moon", "scheme": "felm"}).status_code == 403
    assert not Dataset.objects.filter(name="moon").exists()


def test_the_right_is_taken_back() -> None:
    zoe = make_person("zoe")
    set_right(zoe, True)
    set_right(zoe, False)
    assert client_of(zoe).get(reverse("dataset-new")).status_code == 403


def test_a_data_set_is_renamed_and_described(dora: Client, dataset: Dataset) -> None:
    dora.post(reverse("dataset-about", args=[dataset.pk]), {"name": "moon", "description": "Of cheese."})
    dataset.refresh_from_db()
    assert (dataset.name, dataset.description) == ("moon", "Of cheese.")
    assert AuditEntry.objects.get(action=Action.DATASET_RENAMED).detail == "before: lab"


def test_a_name_is_taken_once(dora: Client, dataset: Dataset) -> None:
    make_dataset("moon")
    answer = dora.post(reverse("dataset-about", args=[dataset.pk]), {"name": "moon"})
    assert answer.status_code == 422
    assert "Another dataset has this name" in answer.text


def test_an_archived_data_set_is_read_and_serves_no_work(dora: Client, dataset: Dataset) -> None:
    ada = make_person("ada", dataset)
    make_task(make_response(dataset))
    dora.post(reverse("dataset-archive", args=[dataset.pk]))
    page = client_of(ada).get(reverse("home")).text
    assert "Archived datasets (1)" in page
    assert client_of(ada).get(reverse("dataset", args=[dataset.pk])).status_code == 200
    client_of(ada).get(reverse("label-next", args=[dataset.pk]))
    assert not Assignment.objects.exists()
    dora.post(reverse("dataset-archive", args=[dataset.pk]), {"restore": "1"})
    client_of(ada).get(reverse("label-next", args=[dataset.pk]))
    assert Assignment.objects.exists()
    actions = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == [Action.DATASET_ARCHIVED, Action.DATASET_RESTORED]


def test_deleting_asks_for_the_name(dora: Client, dataset: Dataset) -> None:
    make_response(dataset)
    address = reverse("dataset-delete", args=[dataset.pk])
    assert "<dt>Responses</dt><dd>1</dd>" in dora.get(address).text
    assert dora.post(address, {"name": "Lab"}).status_code == 422
    assert Dataset.objects.filter(name="lab").exists()


def test_a_deleted_data_set_is_gone_at_once_and_its_name_is_free(dora: Client, dataset: Dataset) -> None:
    dora.post(reverse("dataset-delete", args=[dataset.pk]), {"name": "lab"})
    assert dora.get(reverse("dataset", args=[dataset.pk])).status_code == 404
    assert make_dataset("lab").pk != dataset.pk
    assert AuditEntry.objects.get(action=Action.DELETED).object_name == "lab"


def test_all_that_belongs_to_a_deleted_data_set_goes_and_nothing_else() -> None:
    world = make_world()
    other = Dataset.objects.get(name="other")
    make_response(other)
    everything = [(model, path) for model in apps.get_models() if (path := path_to_dataset(model))]
    before = {model: model.objects.filter(**{path: other}).count() for model, path in everything}
    client_of(User.objects.get(username="dora")).post(
        reverse("dataset-delete", args=[world["dataset"]]), {"name": "lab"}
    )
    deletion = DatasetDeletion.objects.get(name="lab")
    work_on(DeletionJob(), deletion.pk)
    deletion.refresh_from_db()
    assert (deletion.state, deletion.dataset, deletion.error) == ("done", None, "")
    assert {model: model.objects.count() for model, _ in everything} == before
    assert User.objects.filter(username="ada").exists()


def own_source(dataset: Dataset) -> Path:
    """The folder of the search index of a source of its own, which was searched once."""
    source = make_source("moon", Moon="The moon is made of rock.")
    SourceOwner.objects.create(source=source, dataset=dataset)
    index_of(source)
    return Path(settings.DATA_DIR) / "knowledge" / str(source.pk)


def delete_now(dataset: Dataset) -> str:
    """The state of its deletion."""
    deletion = DatasetDeletion.objects.create(dataset=dataset, name="lab")
    with TestCase.captureOnCommitCallbacks(execute=True):
        work_on(DeletionJob(), deletion.pk)
    deletion.refresh_from_db()
    return deletion.state


def test_the_files_of_its_own_search_indexes_go_with_it(dataset: Dataset) -> None:
    folder = own_source(dataset)
    assert list(folder.glob("*/*"))
    assert delete_now(dataset) == "done"
    assert not folder.exists()


def test_a_file_that_cannot_be_deleted_fails_no_deletion(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = own_source(dataset)
    monkeypatch.setattr("os.unlink", _refuse)
    assert delete_now(dataset) == "done"
    assert str(folder) in caplog.text
    assert not KnowledgeSource.objects.exists()


def _refuse(*arguments: Any, **named: Any) -> None:
    raise PermissionError


def test_running_work_is_stopped_before_anything_is_deleted() -> None:
    world = make_world()
    dataset = Dataset.objects.get(pk=world["dataset"])
    run = dataset.runs.get(pk=world["run"])
    item = run.items.first()
    run.items.filter(pk=item.pk).update(state="leased", lease_owner="somebody", lease_until="2999-01-01T00:00Z")
    deletion = DatasetDeletion.objects.create(dataset=dataset, name="lab")
    work_on(DeletionJob(), deletion.pk)
    run.refresh_from_db()
    deletion.refresh_from_db()
    assert not run.is_active
    assert (deletion.state, deletion.dataset) == ("waiting", dataset)
    run.items.update(state="done", lease_owner="", lease_until=None)
    DatasetDeletion.objects.update(not_before=None)
    work_on(DeletionJob(), deletion.pk)
    assert not Dataset.objects.filter(pk=dataset.pk).exists()


def test_a_dataset_of_one_adjudicator_begins_with_one_signature() -> None:
    dora = make_person("dora")
    assert create_dataset("lab", "felm", dora).review == ReviewPolicy.REVIEWER
    assert create_dataset("from a command", "felm").review == ReviewPolicy.SUPER


def test_a_deletion_that_failed_is_tried_again_by_whoever_asked_for_it(dora: Client, dataset: Dataset) -> None:
    dora.post(reverse("dataset-delete", args=[dataset.pk]), {"name": "lab"})
    deletion = DatasetDeletion.objects.get()
    DatasetDeletion.objects.update(state="failed", error="The disk is full.", settled_at=timezone.now())
    address = reverse("deletion", args=[deletion.pk])
    assert "The deletion failed: The disk is full." in dora.get(address).text
    assert client_of(make_person("eve")).post(address).status_code == 404
    dora.post(address)
    assert "A worker deletes its data." in dora.get(address).text
    work_on(DeletionJob(), deletion.pk)
    assert "All its data are deleted." in dora.get(address).text
