"""What an annotator sees of suggestions, and what is recorded with each label."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.judgements.judgement import UnitJudgement
from annotate.labels.submit import submit
from annotate.models import Assignment, Dataset, Label, Suggesting, Task
from annotate.rebuttal.answer import revise
from annotate.suggestions.shown import is_withheld
from evaluators.models import Prediction
from tests.annotate.labels.script import entry, script_saves
from tests.annotate.labels.work import client_of, felm_work, keys, on_page, open_for, page_of, save
from tests.annotate.suggestions.work import make_run, suggesting_lab, turn_on
from tests.factories import make_person, make_response

pytestmark = pytest.mark.django_db

OK, BAD = UnitJudgement("supported"), UnitJudgement("not_supported")


def ada_in(dataset: Dataset) -> Assignment:
    return open_for(make_person("ada", dataset), dataset)


def page(work: Assignment, query: str = "") -> str:
    return client_of(work.annotator).get(page_of(work) + query).content.decode()


def recorded(work: Assignment) -> list[tuple[str, str, str]]:
    """What was shown, the suggestion, and the first label, of each label in reading order."""
    labels = Label.objects.filter(assignment=work).order_by("segment__position", "revision")
    return list(labels.values_list("suggestion", "suggested", "first_value"))


def test_off_nothing_is_shown_or_recorded() -> None:
    work = felm_work()
    make_run(work.task.dataset)
    assert "Suggestion" not in page(work)
    save(work, u0=OK, u1=OK)
    submit(work)
    assert recorded(work) == [("", "", ""), ("", "", "")]


@pytest.mark.parametrize("query", ["", "?plain"])
def test_before_each_unit_has_the_words_of_its_suggestion(query: str) -> None:
    dataset, _ = suggesting_lab()
    text = page(ada_in(dataset), query)
    assert text.count("Suggestion: <b>Supported</b>") == 1
    assert text.count("Suggestion: <b>Error</b>") == 1
    assert text.count("Because") == 2


def test_only_the_chosen_run_is_shown() -> None:
    dataset, _ = suggesting_lab()
    other = make_run(dataset, "other")
    Prediction.objects.filter(run=other).update(rationale="Of another run.")
    assert "Of another run." not in page(ada_in(dataset))


def test_before_is_recorded_with_each_label() -> None:
    dataset, run = suggesting_lab()
    work = ada_in(dataset)
    save(work, u0=OK, u1=OK)
    submit(work)
    assert recorded(work) == [("before", "supported", ""), ("before", "not_supported", "")]
    assert set(Label.objects.values_list("suggestion_run", flat=True)) == {run.pk}


def test_a_withheld_task_shows_nothing_and_records_what_it_would_have_shown() -> None:
    dataset, _ = suggesting_lab(withheld=1)
    work = ada_in(dataset)
    assert "Suggestion" not in page(work)
    save(work, u0=OK, u1=OK)
    submit(work)
    assert recorded(work) == [("withheld", "supported", ""), ("withheld", "not_supported", "")]


def test_the_share_is_of_the_task_whoever_opens_it() -> None:
    dataset = Dataset(suggestion_withheld=0.2)
    withheld = [task for task in range(10_000) if is_withheld(task, dataset)]
    # Of 10,000 draws with 0.2 the standard deviation is √(10,000 · 0.2 · 0.8) = 40: within five of them of 2,000.
    assert 1800 < len(withheld) < 2200
    dataset.suggestion_withheld = 0.3
    assert all(is_withheld(task, dataset) for task in withheld)


def test_after_a_suggestion_is_sent_only_once_its_unit_has_a_label() -> None:
    dataset, _ = suggesting_lab(Suggesting.AFTER)
    work = ada_in(dataset)
    one, two = keys(work)
    assert "Because" not in page(work)
    answer = script_saves(work, {two: entry(reason="I wonder.")}).json()
    assert "suggestions" not in answer
    answer = script_saves(work, {one: entry("not_supported")}, version=1).json()
    assert list(answer["suggestions"]) == [on_page(work, one)]
    assert "Suggestion: <b>Supported</b>" in answer["suggestions"][on_page(work, one)]
    text = page(work)
    assert (text.count("Suggestion: <b>Supported</b>"), text.count("Suggestion: <b>Error</b>")) == (1, 0)


def test_a_save_that_is_sent_again_has_its_suggestion_again() -> None:
    dataset, _ = suggesting_lab(Suggesting.AFTER)
    work = ada_in(dataset)
    [one, _] = keys(work)
    for _ in range(2):
        answer = script_saves(work, {one: entry("supported")}).json()
        assert list(answer["suggestions"]) == [on_page(work, one)]


def test_after_the_first_label_stays_beside_the_last() -> None:
    dataset, _ = suggesting_lab(Suggesting.AFTER)
    work = ada_in(dataset)
    one, two = keys(work)
    script_saves(work, {one: entry("not_supported"), two: entry("not_supported")})
    script_saves(work, {one: entry("irrelevant")}, version=1)
    script_saves(work, {one: entry("supported")}, version=2)
    work.refresh_from_db()
    submit(work)
    assert recorded(work) == [("after", "supported", "not_supported"), ("after", "not_supported", "")]


def test_a_label_that_was_submitted_at_once_had_seen_nothing() -> None:
    dataset, _ = suggesting_lab(Suggesting.AFTER)
    work = ada_in(dataset)
    one, two = keys(work)
    script_saves(work, {one: entry("supported")})
    script_saves(work, {two: entry("supported")}, version=1, submit=True)
    assert recorded(work) == [("after", "supported", ""), ("withheld", "not_supported", "")]


def test_a_unit_of_which_the_run_says_nothing_has_no_record() -> None:
    dataset, run = suggesting_lab()
    Prediction.objects.filter(run=run, value="not_supported").delete()
    work = ada_in(dataset)
    save(work, u0=OK, u1=OK)
    submit(work)
    assert recorded(work) == [("before", "supported", ""), ("", "", "")]


def test_work_that_was_begun_keeps_its_setting() -> None:
    dataset, run = suggesting_lab(Suggesting.OFF)
    work = ada_in(dataset)
    turn_on(dataset, run)
    assert "Suggestion" not in page(work)
    save(work, u0=OK, u1=OK)
    submit(work)
    assert recorded(work) == [("", "", ""), ("", "", "")]


@pytest.mark.parametrize("kind", [Task.Kind.QUALIFICATION, Task.Kind.CONTROL])
def test_tasks_with_known_answers_show_none(kind: str) -> None:
    dataset, _ = suggesting_lab()
    work = ada_in(dataset)
    Task.objects.update(kind=kind)
    assert "Suggestion" not in page(work)
    known = Assignment.objects.create(
        task=work.task, annotator=make_person("ben", dataset), place=1, key="ben", lease_until=work.lease_until
    )
    assert client_of(known.annotator).get(page_of(known)).status_code == 200
    known.refresh_from_db()
    assert (known.state, known.suggestion, known.suggestion_run) == ("open", "", None)


def test_a_rebuttal_shows_none_and_records_none() -> None:
    dataset, _ = suggesting_lab()
    dataset.rebuttal = True
    dataset.save()
    ada = ada_in(dataset)
    Task.objects.update(wants=2)
    ben = open_for(make_person("ben", dataset), dataset)
    for work, second in ((ada, OK), (ben, BAD)):
        save(work, u0=OK, u1=second)
        submit(work)
    text = client_of(ada.annotator).get(f"/assignments/{ada.key}/rebuttal/").content.decode()
    assert "Judgements or evidence differ" in text
    assert "Suggestion" not in text
    ada.refresh_from_db()
    one, two = keys(ada)
    revise(ada, {one: OK, two: BAD}, ada.draft_version)
    assert recorded(ada)[1:] == [("before", "not_supported", ""), ("", "", "")]


def test_suggestions_take_one_query_to_open_and_none_when_off() -> None:
    dataset, run = suggesting_lab(Suggesting.OFF, responses=2)
    off = ada_in(dataset)
    turn_on(dataset, run)
    make_response(dataset)
    on = open_for(make_person("ben", dataset), dataset)
    assert (off.suggestion, on.suggestion) == ("", "before")

    def queries(work: Assignment) -> int:
        client = client_of(work.annotator)
        client.get(page_of(work))
        with CaptureQueriesContext(connection) as asked:
            client.get(page_of(work))
        return len(asked)

    assert queries(on) == queries(off) + 1
