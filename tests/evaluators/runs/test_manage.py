"""What people do with a run that is there."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from audit.models import AuditEntry
from evaluators.comparison.report import report_of
from evaluators.models import ErrorAnalysis, Evaluator, Prediction, Run
from evaluators.predictions.read import latest_runs
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.manage import archive_run, delete_run, goes_with, rename_run, restore_run, tag_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Call, Endpoint
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed


@pytest.fixture
def rhea(lab: Dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", lab, "researcher"))
    return client


def finished(dataset: Dataset, method: str = "always-supported", **options: object) -> Run:
    run = create_run(dataset, method, **options).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


# Names


@pytest.mark.parametrize("state", ["cancelled", "failed"])
def test_a_run_that_was_given_up_does_not_keep_its_name(lab, state):
    first = create_run(lab, "random", name="mine").run
    Run.objects.filter(pk=first.pk).update(state=state)
    second = create_run(lab, "always-supported", name="mine").run
    first.refresh_from_db()
    assert second.evaluator.name == "mine"
    assert first.evaluator.name == f"mine ({state} run {first.pk})"


@pytest.mark.parametrize("state", ["queued", "running", "finished", "out_of_budget"])
def test_every_other_run_keeps_its_name(lab, state):
    first = create_run(lab, "random", name="mine").run
    Run.objects.filter(pk=first.pk).update(state=state)
    with pytest.raises(RunError, match="exists with another method"):
        create_run(lab, "always-supported", name="mine")


def test_one_finished_run_keeps_the_name_of_both(lab):
    finished(lab, "random", name="mine")
    create_run(lab, "random", name="mine", force=True).run.stop()
    with pytest.raises(RunError, match="exists with another method"):
        create_run(lab, "always-supported", name="mine")


def test_a_new_name_is_that_of_all_runs_over_the_dataset(lab):
    one, two = finished(lab), finished(lab, force=True)
    rename_run(two, "yes to all")
    assert {each.evaluator.name for each in lab.runs.select_related("evaluator")} == {"yes to all"}
    assert [run.pk for run in latest_runs(lab)] == [two.pk]
    assert not Evaluator.objects.filter(name="always-supported").exists()
    assert one.pk != two.pk


def test_runs_over_other_datasets_keep_their_name(lab):
    other = make_dataset("other")
    make_response(other)
    here, there = finished(lab, "random"), finished(other, "random")
    rename_run(here, "coin")
    there.refresh_from_db()
    here.refresh_from_db()
    assert (here.evaluator.name, there.evaluator.name) == ("coin", "random")


@pytest.mark.parametrize("name", ["", "   ", "x" * 201])
def test_what_is_no_name_is_refused(lab, name):
    with pytest.raises(RunError, match="1 to 200 characters"):
        rename_run(finished(lab), name)


def test_the_name_of_another_evaluator_is_refused_and_nothing_changes(lab, rhea):
    mine = finished(lab)
    finished(lab, "random", name="coin")
    form = {"name": "coin", "tags": "late", "note": "Hm."}
    answer = rhea.post(reverse("run-describe", args=[mine.pk]), form)
    assert answer.status_code == 422
    assert "exists with another method" in answer.content.decode()
    mine.refresh_from_db()
    assert (mine.evaluator.name, mine.note, mine.tags.count()) == ("always-supported", "", 0)


# Tags and notes


def test_name_tags_and_note_are_saved_and_shown(lab, rhea):
    mine = finished(lab)
    form = {"name": "yes", "tags": "paper,  second   try ,paper", "note": "Odd <b>numbers</b>."}
    text = squeezed(rhea.post(reverse("run-describe", args=[mine.pk]), form, follow=True).content.decode())
    assert [tag.name for tag in mine.tags.all()] == ["paper", "second try"]
    assert ">second try</a>" in text
    assert "Odd &lt;b&gt;numbers&lt;/b&gt;." in text
    other = finished(lab, "random", name="coin")
    found = rhea.get(reverse("runs", args=[lab.pk]) + "?tag=paper").content.decode()
    assert reverse("run", args=[mine.pk]) in found
    assert f'href="{reverse("run", args=[other.pk])}"' not in found


def test_tags_that_are_too_many_or_too_long_are_refused_at_their_field(lab, rhea):
    mine = finished(lab)
    for tags, message in (("x" * 41, "at most 40 characters"), (",".join(map(str, range(21))), "at most 20")):
        answer = rhea.post(reverse("run-describe", args=[mine.pk]), {"name": "yes", "tags": tags})
        assert answer.status_code == 422
        assert message in answer.content.decode()
    assert not mine.tags.exists()


def test_tags_are_replaced(lab):
    mine = finished(lab)
    tag_run(mine, ["a", "b"])
    tag_run(mine, ["b", "c"])
    assert [tag.name for tag in mine.tags.all()] == ["b", "c"]


# Archive


def test_an_archived_run_leaves_list_and_comparison_and_comes_back(lab, rhea):
    add_gold(lab.responses.first().segments.first(), "not_supported")
    mine = finished(lab, "random", name="coin")
    named = [row["evaluator"] for row in report_of(lab, None)["evaluators"]]
    assert "coin" in named
    rhea.post(reverse("run-archive", args=[mine.pk]))
    assert latest_runs(lab) == []
    assert "coin" not in [row["evaluator"] for row in report_of(lab, None)["evaluators"]]
    listed = rhea.get(reverse("runs", args=[lab.pk])).content.decode()
    assert reverse("run", args=[mine.pk]) not in listed
    assert "1 archived" in listed
    assert reverse("run", args=[mine.pk]) in rhea.get(reverse("runs", args=[lab.pk]) + "?archived=1").content.decode()
    assert "Archived on" in rhea.get(reverse("run", args=[mine.pk])).content.decode()
    rhea.post(reverse("run-archive", args=[mine.pk]), {"restore": "1"})
    assert [run.pk for run in latest_runs(lab)] == [mine.pk]


def test_a_run_at_work_is_neither_archived_nor_deleted(lab, run, rhea):
    with pytest.raises(RunError, match="in progress"):
        archive_run(run)
    with pytest.raises(RunError, match="in progress"):
        delete_run(run)
    assert "cancel it first" in rhea.get(reverse("run-delete", args=[run.pk])).content.decode()
    rhea.post(reverse("run-delete", args=[run.pk]))
    assert Run.objects.filter(pk=run.pk, archived_at=None).exists()


def test_an_archived_run_is_brought_back_before_it_goes_on(lab, rhea):
    mine = create_run(lab, "random").run
    mine.stop()
    archive_run(mine)
    text = rhea.post(reverse("run-resume", args=[mine.pk]), follow=True).content.decode()
    assert "bring it back first" in text
    mine.refresh_from_db()
    assert mine.state == "cancelled"


def test_restoring_what_is_there_changes_nothing(lab):
    mine = finished(lab)
    restore_run(mine)
    assert mine.archived_at is None


# Delete


def test_deleting_asks_says_what_goes_and_frees_the_name(lab, rhea):
    mine = finished(lab, "random", name="coin")
    analysis = ErrorAnalysis.objects.create(run=mine, revision=0, size=1, population=1, seed=1)
    segment = lab.responses.first().segments.first()
    analysis.items.create(position=0, segment=segment, gold="supported", predicted="not_supported")
    assert goes_with(mine) == [("predictions", 6), ("error analysis", 1), ("mistake in them", 1)]
    page = squeezed(rhea.get(reverse("run-delete", args=[mine.pk])).content.decode())
    assert "<li>6 predictions</li><li>1 error analysis</li>" in page
    assert "its name is free" in page
    text = rhea.post(reverse("run-delete", args=[mine.pk]), follow=True).content.decode()
    assert f"Run {mine.pk} of coin is deleted." in text
    assert not Run.objects.exists()
    assert not Prediction.objects.exists()
    assert not Evaluator.objects.exists()
    assert AuditEntry.objects.filter(action="deleted").exists()


def test_other_runs_and_the_answers_of_models_stay(lab):
    mine, other = finished(lab), finished(lab, force=True)
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    call = Call.objects.create(endpoint=endpoint, request_hash="a" * 64, model="m", request={}, seconds=1)
    mine.predictions.first().calls.add(call)
    delete_run(mine)
    assert list(Run.objects.all()) == [other]
    assert other.predictions.count() == 6
    assert Call.objects.filter(pk=call.pk).exists()


@pytest.mark.parametrize("name", ["run-archive", "run-delete", "run-describe"])
def test_an_annotator_may_do_none_of_it(lab, name):
    mine = finished(lab)
    ada = Client()
    ada.force_login(make_person("ada", lab))
    assert ada.post(reverse(name, args=[mine.pk]), {"name": "x"}).status_code == 404
    mine.refresh_from_db()
    assert (mine.evaluator.name, mine.archived_at) == ("always-supported", None)
