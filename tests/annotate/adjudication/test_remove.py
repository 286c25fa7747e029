"""Responses removed by selection: they count nowhere, earlier versions keep them, and they can be brought back."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotate.adjudication.decide import DecisionError
from annotate.adjudication.remove import remove, restore
from annotate.adjudication.whole import settle_removal
from annotate.agreement.document import find
from annotate.cases.counts import count_cases
from annotate.export.dataset import export_dataset
from annotate.gold.counts import count_gold
from annotate.gold.freeze import freeze_gold, hash_gold
from annotate.models import Dataset, Label, Response, Role, Task, User
from annotate.overview.progress import progress_of
from annotate.statistics.figures import build_dataset_stats
from annotate.tasks.serving import is_anything_free, open_next
from audit.models import AuditEntry
from evaluators.comparison.report import build_report
from evaluators.runs.cases import judgeable
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    """Three responses: two with gold and two annotators' labels each, of which the first differ, and one to be
    labelled."""
    dataset = make_dataset()
    people = {name: make_person(name, dataset) for name in ("ada", "ben")}
    for number in range(2):
        response = make_response(dataset)
        for segment in response.segments.all():
            add_gold(segment, "supported")
        task = make_task(response)
        for name, value in (("ada", "supported"), ("ben", "supported" if number else "not_supported")):
            judge(task, people[name], dict.fromkeys(response.segments.all(), value))
    make_task(make_response(dataset))
    return dataset


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


def figures(dataset: Dataset) -> dict[str, Any]:
    """What counts responses, by where."""
    dataset.refresh_from_db()
    everywhere = build_dataset_stats(dataset)["slices"][0]
    agreement = find(dataset)
    progress = progress_of(dataset)
    leader = build_report(dataset)["evaluators"][0]["results"][0]
    return {
        "statistics": (everywhere["responses"], everywhere["segments"]),
        "agreement": agreement.agreement["results"][0]["n"],
        "splits": len(agreement.splits),
        "gold": count_gold(dataset).total(),
        "progress": (progress.responses, progress.tasks, progress.gold),
        "leaderboard": leader["n"],
        "export": len(list(export_dataset(dataset, "felm"))),
        "to judge": judgeable(dataset).count(),
        "cases": count_cases(dataset).total,
    }


WHOLE = {
    "statistics": (3, 6),
    "agreement": 4,
    "splits": 2,
    "gold": 4,
    "progress": (3, 3, 4),
    "leaderboard": 4,
    "export": 2,
    "to judge": 3,
    "cases": 0,
}


def test_a_removed_response_counts_nowhere_and_can_be_brought_back(dataset, dora):
    first = dataset.responses.first()
    before = figures(dataset)
    assert before == WHOLE
    assert remove(dataset, [first.pk], dora, "It is a duplicate.") == 1
    assert figures(dataset) == {
        "statistics": (2, 4),
        "agreement": 2,
        "splits": 0,
        "gold": 2,
        "progress": (2, 2, 2),
        "leaderboard": 2,
        "export": 1,
        "to judge": 2,
        "cases": 0,
    }
    assert Label.objects.filter(segment__response=first).exists()
    assert restore(dataset, [first.pk], dora) == 1
    assert figures(dataset) == before


def test_earlier_versions_of_gold_keep_it(dataset, dora):
    version = freeze_gold(dataset, "v1")
    then = build_dataset_stats(dataset, "v1"), build_report(dataset, "v1")["evaluators"][0]["results"][0]["n"]
    remove(dataset, [dataset.responses.first().pk], dora, "It is a duplicate.")
    assert hash_gold(dataset, version.revision) == (version.hash, version.labels)
    assert then == (
        build_dataset_stats(dataset, "v1"),
        build_report(dataset, "v1")["evaluators"][0]["results"][0]["n"],
    )
    dataset.refresh_from_db()
    later = freeze_gold(dataset, "v2")
    assert later.labels == 2
    restore(dataset, [dataset.responses.first().pk], dora)
    assert build_dataset_stats(dataset, "v2")["slices"][0]["responses"] == 2
    assert hash_gold(dataset, later.revision) == (later.hash, later.labels)


def test_a_task_without_another_response_is_not_served(dataset, dora):
    zoe = make_person("zoe", dataset)
    last = dataset.responses.last()
    assert is_anything_free(dataset, zoe)
    remove(dataset, [last.pk], dora, "It is empty.")
    assert not is_anything_free(dataset, zoe)
    assert open_next(dataset, zoe) is None
    restore(dataset, [last.pk], dora)
    assert open_next(dataset, zoe).task == last.task


def test_others_of_the_same_task_are_still_labelled(dora, dataset):
    first, second = make_response(dataset), make_response(dataset)
    task = make_task(first)
    Response.objects.filter(pk=second.pk).update(task=task)
    remove(dataset, [second.pk], dora, "It is empty.")
    assert Task.objects.get(pk=task.pk).closed_at is None


def test_what_was_settled_before_holds_again(dataset, dora):
    first = dataset.responses.first()
    settle_removal(first, dora, keep=False, why="Its prompt has no answer.")
    dataset.refresh_from_db()
    remove(dataset, [first.pk], dora, "It is a duplicate.")
    restore(dataset, [first.pk], dora)
    removal = first.removals.get(superseded=None)
    assert (removal.keep, removal.selected, removal.why) == (False, False, "Its prompt has no answer.")


def test_a_reason_is_asked_for(dataset, dora):
    with pytest.raises(DecisionError, match="say why"):
        remove(dataset, [dataset.responses.first().pk], dora, " ")
    assert figures(dataset) == WHOLE


def test_responses_of_other_datasets_stay(dataset, dora):
    other = make_response(make_dataset("other"))
    assert remove(dataset, [other.pk], dora, "It is a duplicate.") == 0
    assert restore(dataset, [other.pk], dora) == 0


def test_the_page_finds_removes_and_brings_back(client: Client, dataset, dora):
    client.force_login(dora)
    freeze_gold(dataset, "v1")
    keys = list(dataset.responses.values_list("pk", flat=True))
    page = reverse("responses", args=[dataset.pk])
    assert client.post(page, {"response": keys[:2], "why": ""}).status_code == 422
    assert client.post(page, {"why": "Twice."}).status_code == 422
    client.post(page, {"response": keys[:2], "why": "They are duplicates."})
    assert dataset.responses.visible().count() == 1
    listed = client.get(page).content.decode()
    assert listed.count("They are duplicates.") == 2
    assert "2 responses removed." in client.get(reverse("gold", args=[dataset.pk])).content.decode()
    client.post(f"{page}?q=no+such+text", {"all": "1", "why": "None."})
    client.post(page, {"response": keys[0], "restore": "1"})
    assert dataset.responses.visible().count() == 2
    client.post(f"{page}?import={dataset.imports.get().pk}", {"all": "1", "why": "The file was wrong."})
    assert dataset.responses.visible().count() == 0
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "detail"))[-3:] == [
        ("responses-removed", "2 responses"),
        ("responses-restored", "1 responses"),
        ("responses-removed", "2 responses"),
    ]


def test_the_same_file_again_leaves_it_removed(dataset, dora, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"index": "x", "prompt": "Why?", "response": "So."}\n')
    arguments = ("import_dataset", dataset.name, str(path), "--format", "responses")
    call_command(*arguments, stdout=StringIO())
    remove(dataset, [dataset.responses.get(index="x").pk], dora, "It is wrong.")
    out = StringIO()
    call_command(*arguments, stdout=out)
    assert "0 created, 1 unchanged" in out.getvalue()
    assert dataset.responses.visible().count() == 3
