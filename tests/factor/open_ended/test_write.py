"""Texts that a model behind real HTTP goes on with: what it is given, what is paid once, what a lost worker leaves."""

from datetime import timedelta

import pytest
from django.utils import timezone

from factor.models import OpenEndedGeneration, OpenEndedStudy
from factor.open_ended.open_ended_job import OpenEndedJob, prompt_of
from jobs.enqueue import sweep
from jobs.leases import lease_items
from jobs.limits import Limits
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Call
from tests.factor.open_ended.work import AT_ONCE, make_benchmark, make_scoring, make_study, served_study

pytestmark = pytest.mark.django_db


def waiting_study(**design):
    """Served by the default endpoint, not worked on."""
    return make_study(make_scoring(make_benchmark(), (-2, -3, -1), (-2, -3, -1), endpoint=default_endpoint()), **design)


def states(study):
    texts = OpenEndedGeneration.objects.filter(pair__study=study)
    return sorted(texts.values_list("state", flat=True))


def test_the_model_goes_on_with_the_prefix_and_the_common_beginning(model):
    model.control(answer=" Lima.")

    study = served_study(generations=1, temperature=0.7, answer_tokens=9)

    assert (study.state, study.error) == ("finished", "")
    assert set(OpenEndedGeneration.objects.values_list("text", "finish_reason")) == {(" Lima.", "stop")}
    asked = {call.request["messages"][0]["content"] for call in Call.objects.all()}
    assert asked == {f"Life {n}. Maria{rest}" for n in (0, 1) for rest in ("", " painted in")}
    request = Call.objects.first().request
    assert (request["interface"], request["model"]) == ("text", "tiny")
    assert request["parameters"] == {"temperature": 0.7, "max_tokens": 9}


def test_texts_for_one_pair_are_requests_of_their_own(model):
    served_study(generations=3)

    assert sorted(call.request["sample"] for call in Call.objects.all()) == [0] * 4 + [1] * 4 + [2] * 4


def test_a_long_prompt_is_cut_on_the_left_at_a_word():
    study = make_study(prompt_characters=16)
    pair = study.pairs.select_related("study", "completion__example").get(
        completion__example__position=0, completion__place=1
    )

    # "Life 0. Maria painted in": its last sixteen characters are "Maria painted in".
    assert prompt_of(pair) == "Maria painted in"
    pair.study.prompt_characters = 15
    assert prompt_of(pair) == "painted in"


def test_spaces_at_the_end_are_left_to_the_model():
    study = make_study()
    pair = study.pairs.select_related("study", "completion__example").first()
    pair.common, pair.completion.example.prefix = "", "He was \n  "

    assert prompt_of(pair) == "He was \n"


def test_twice_the_task_pays_once(model):
    study = served_study()
    paid = model.stats()["total"]

    OpenEndedStudy.objects.filter(pk=study.pk).update(state="asking")
    OpenEndedGeneration.objects.update(state="waiting", text="")
    work_on(OpenEndedJob(AT_ONCE), study.pk)

    assert model.stats()["total"] == paid == 8
    assert states(study) == ["done"] * 8


def test_what_a_killed_worker_held_is_found_and_asked(model, monkeypatch):
    study = waiting_study()
    (held,) = lease_items(OpenEndedJob().waiting(study.pk), "gone", 1, 3)
    OpenEndedGeneration.objects.filter(pk=held.item.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    enqueued = []
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda message, **_: enqueued.append(message))

    assert sweep(OpenEndedJob()) == [study.pk]
    assert enqueued == [("open_ended", study.pk)]
    work_on(OpenEndedJob(AT_ONCE), study.pk)

    assert states(study) == ["done"] * 8


def test_what_another_worker_holds_is_left_to_it(model):
    study = waiting_study()
    lease_items(OpenEndedJob().waiting(study.pk), "other", 1, 3)

    work_on(OpenEndedJob(AT_ONCE), study.pk)

    study.refresh_from_db()
    assert (study.state, states(study)) == ("asking", ["done"] * 7 + ["leased"])


def test_stopped_nothing_is_asked_and_it_goes_on(model):
    study = waiting_study()
    study.stop()
    work_on(OpenEndedJob(AT_ONCE), study.pk)
    assert (model.stats()["total"], states(study)) == (0, ["waiting"] * 8)

    study.resume()
    work_on(OpenEndedJob(AT_ONCE), study.pk)

    study.refresh_from_db()
    assert (study.state, states(study)) == ("finished", ["done"] * 8)


def test_an_endpoint_without_completions_stops_it_with_the_reason(model):
    model.control(serves="chat")

    study = served_study()

    assert study.state == "stopped"
    assert "nothing at POST /v1/completions" in study.error
    assert states(study) == ["waiting"] * 8


def test_a_budget_stops_it_before_it_is_passed(model):
    study = waiting_study(answer_tokens=10)
    OpenEndedStudy.objects.filter(pk=study.pk).update(max_tokens=30)

    work_on(OpenEndedJob(AT_ONCE), study.pk)

    study.refresh_from_db()
    assert study.state == "stopped"
    assert study.spent_tokens <= 30
    study.resume(Limits(tokens=100_000))
    work_on(OpenEndedJob(AT_ONCE), study.pk)
    assert states(study) == ["done"] * 8


def test_what_failed_is_asked_once_more(model):
    model.control(fail_first=100, fail_status=400)
    study = served_study()
    assert (study.state, states(study)) == ("finished", ["failed"] * 8)

    model.control(fail_first=0)
    study.resume()
    work_on(OpenEndedJob(AT_ONCE), study.pk)

    assert states(study) == ["done"] * 8
