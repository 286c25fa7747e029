"""Imports that are taken back whole, as long as nobody has worked on what they made."""

import pytest
from django.urls import reverse

from annotate.corpus.importing import import_file
from annotate.datasets.deletion_job import DeletionJob
from annotate.gold.counts import count_gold
from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, DatasetDeletion, Import, Prompt, Response, Role, Task
from annotate.tasks.create import create_tasks
from audit.models import AuditEntry
from evaluators.models import Evaluator, Run
from jobs.work import work_on
from tests.annotate.adjudication.work import judge
from tests.annotate.corpus.files import felm_row, write_rows
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def moon(tmp_path) -> Dataset:
    """Two imports of one response each, the second to be labelled, and a row that was skipped."""
    import_file(write_rows(tmp_path / "first.jsonl", felm_row()), "moon", "felm")
    rows = {"prompt": "Why?", "response": "So."}, {"prompt": "How?", "response": None}
    import_file(write_rows(tmp_path / "second.jsonl", *rows), "moon", "responses", skip=("all",))
    return Dataset.objects.get()


@pytest.fixture
def page(client, moon):
    """The page of the second import, for an adjudicator."""
    client.force_login(make_person("dora", moon, Role.ADJUDICATOR))
    return reverse("import-report", args=[moon.imports.get(file_name="second.jsonl").pk])


def test_it_disappears_at_once_and_a_worker_deletes_it(client, moon, page):
    create_tasks(moon)
    assert Task.objects.count() == 2
    assert "Take back this import" in client.get(page).content.decode()
    client.post(f"{page}take-back/")
    assert client.get(page).status_code == 404
    assert list(moon.responses.visible().values_list("index", flat=True)) == ["7"]
    work_on(DeletionJob(), DatasetDeletion.objects.get().pk)
    assert Response.objects.count() == Prompt.objects.count() == Task.objects.count() == Import.objects.count() == 1
    assert Dataset.objects.get().ready
    assert AuditEntry.objects.get(action="import-taken-back").detail == "second.jsonl: 1 responses"


def test_its_gold_goes_too(client, moon, page):
    assert count_gold(moon).total() == 2
    first = moon.imports.get(file_name="first.jsonl")
    client.post(f"/imports/{first.pk}/take-back/")
    assert count_gold(moon).total() == 0
    work_on(DeletionJob(), DatasetDeletion.objects.get().pk)
    assert count_gold(moon).total() == 0


def test_the_next_import_sweeps_it_where_no_worker_did(client, moon, page, tmp_path):
    Import.objects.update(beat_at="2026-01-01T00:00Z")
    client.post(f"{page}take-back/")
    import_file(write_rows(tmp_path / "third.jsonl", {"prompt": "Who?", "response": "I."}), "moon", "responses")
    assert set(Import.objects.values_list("file_name", flat=True)) == {"first.jsonl", "third.jsonl"}
    work_on(DeletionJob(), DatasetDeletion.objects.get().pk)
    assert DatasetDeletion.objects.get().state == "done"
    assert Response.objects.count() == 2


def labelled(moon: Dataset) -> None:
    create_tasks(moon)
    response = moon.responses.get(index="1")
    judge(response.task, make_person("ada", moon), dict.fromkeys(response.segments.all(), "supported"))


def judged(moon: Dataset) -> None:
    run = Run.objects.create(
        dataset=moon, evaluator=Evaluator.objects.create(name="yes", method="always-supported"), state=Run.State.QUEUED
    )
    run.items.create(response=moon.responses.get(index="1"), position=0)


def frozen(moon: Dataset) -> None:
    freeze_gold(moon, "v1")


@pytest.mark.parametrize(
    ("work", "reason"),
    [(labelled, "It is labelled."), (judged, "A run has judged it."), (frozen, "version v1 was frozen with it.")],
)
def test_after_work_it_stays_and_says_why(client, moon, page, work, reason):
    work(moon)
    text = client.get(page).content.decode()
    assert reason in text
    assert "Take back this import" not in text
    answer = client.post(f"{page}take-back/", follow=True)
    assert reason in answer.content.decode()
    assert moon.responses.visible().count() == 2
