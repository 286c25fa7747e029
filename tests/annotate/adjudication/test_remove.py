"""Responses removed by selection: they count nowhere, earlier versions keep them, and they can be brought back."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.adjudication.decide import DecisionError
from annotate.adjudication.remove import remove, restore
from annotate.adjudication.whole import settle_removal
from annotate.agreement.document import find
from annotate.attention.read import kinds_in
from annotate.cases.counts import count_cases
from annotate.export.dataset import export_dataset
from annotate.feedback.challenge import challenges_of
from annotate.gold.counts import count_gold
from annotate.gold.freeze import freeze_gold, hash_gold
from annotate.models import Assignment, Challenge, Dataset, Label, Response, Role, SampleRating, Task, User
from annotate.oversight.effort import efforts_of
from annotate.oversight.stuck import stuck_in
from annotate.oversight.work import pay_lines
from annotate.overview.progress import progress_of
from annotate.qualification.controls import controls_for
from annotate.qualification.status import qualification_for, qualification_status_of
from annotate.samples.draw import draw_sample
from annotate.samples.results import rated_items
from annotate.second_look.look import open_looks
from annotate.second_look.send import send
from annotate.statistics.figures import build_dataset_stats
from annotate.tasks.serving import is_anything_free, open_next
from annotate.tasks.table import sizes
from audit.models import AuditEntry
from evaluators.comparison.report import build_report
from evaluators.runs.cases import judgeable
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.qualification.work import answer, known_task
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


def test_what_people_did_on_it_stays_theirs_and_nobody_waits_for_it(dataset, dora):
    first, last = dataset.responses.first(), dataset.responses.last()
    ada, ben = User.objects.get(username="ada"), User.objects.get(username="ben")
    Assignment.objects.filter(task=first.task, annotator=ada).update(active_seconds=60)
    unit = first.segments.first()
    Label.objects.filter(assignment__annotator=ada, segment=unit).update(flagged=True)
    own = first.task.assignments.get(annotator=ada)
    Challenge.objects.create(assignment=own, segment=unit, text="See the map.", revision=0)
    make_person("cleo", dataset)
    send(dataset, [(unit.pk, None)], 1, 7, dataset.gold_revision, dora)
    soon = timezone.now() + timedelta(minutes=5)
    Assignment.objects.create(task=last.task, annotator=ben, place=0, state="open", lease_until=soon)

    def waiting() -> dict[str, int]:
        efforts = {each.annotator: each for each in efforts_of(dataset)}
        listed = {kind.title: kind.count for kind in stuck_in(dataset)}
        return {
            "at hand": efforts["ben"].at_hand,
            "flagged": efforts["ada"].flagged,
            "tasks": sizes(dataset)["tasks"],
            "looks": open_looks(User.objects.get(username="cleo")).count(),
            "challenges": challenges_of(dataset).count(),
            "expire": listed.get("Assignments that expire soon", 0),
            "listed challenges": listed.get("Challenges without an answer", 0),
            "listed looks": listed.get("Waiting for a second look", 0),
            "attention": len(kinds_in(dataset, dora, Role.ADJUDICATOR, {"challenges"})),
        }

    done = [(each.annotator, each.submitted, each.units, each.seconds) for each in efforts_of(dataset)]
    paid = [line for line in pay_lines(dataset) if line.startswith("ada")]
    before = waiting()
    assert before == {**dict.fromkeys(before, 1), "tasks": 3}
    remove(dataset, [first.pk, last.pk], dora, "They are duplicates.")
    assert waiting() == {**dict.fromkeys(before, 0), "tasks": 1}
    assert [(each.annotator, each.submitted, each.units, each.seconds) for each in efforts_of(dataset)] == done
    assert [line for line in pay_lines(dataset) if line.startswith("ada")] == paid


def test_a_qualification_is_asked_for_without_it(dataset, dora):
    gone, left = known_task(dataset, "qualification"), known_task(dataset, "qualification")
    control = known_task(dataset, "control")
    Dataset.objects.filter(pk=dataset.pk).update(qualification_pass=0.5)
    dataset.refresh_from_db()
    zoe = make_person("zoe", dataset)
    remove(dataset, [each.responses.get().pk for each in (gone, control)], dora, "They are wrong.")
    assert list(qualification_for(dataset, zoe)) == [left]
    answer(open_next(dataset, zoe))
    assert qualification_status_of(dataset, zoe).reached
    assert not controls_for(dataset, zoe).exists()


def test_an_open_sample_is_complete_without_it(dataset, dora):
    first, *others = dataset.responses.all()
    sample = draw_sample(dataset, "safety", 3, 1, 1, dora)
    for item in sample.items.exclude(response=first):
        SampleRating.objects.create(item=item, rater=dora, safe=True, valid=True)
    assert (sample.is_complete(), sample.wanted()) == (False, 3)
    remove(dataset, [first.pk], dora, "It is a duplicate.")
    assert (sample.is_complete(), sample.wanted(), sample.items.next_for(dora)) == (True, 2, None)
    assert {item.response for item in rated_items(sample)} == set(others)


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
