"""Runs over servers of other dialects: every unit judged, or counted with the reason why not."""

import pytest
from django.utils import timezone

from annotate.models import Scheme
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.closing import closed_until
from llm.models import Adaptation, Call, RateUse
from llm.retries import RetryPolicy
from tests.evaluators.runs.test_work import HASTY, values, worked
from tests.factories import add_facts, make_dataset, make_response

GPT_5 = ["max_completion_tokens only", "temperature 1 only", "no log-probabilities, 400", "no stop"]
THINKING = ["thought without an opening tag", "tokens at the end"]
SPARSE = [*GPT_5, "no log-probabilities, 403", "no system role", "no seed", "no response format", "usage null"]
JUDGED = ["supported", "supported", "not_supported", "supported", "supported", "supported"]


@pytest.fixture(autouse=True)
def all_open():
    yield
    closed_until.clear()


@pytest.mark.parametrize("profile", ["repaired", "released-code", "paper"])
@pytest.mark.parametrize("dialects", [GPT_5, THINKING, SPARSE], ids=["as GPT-5", "thinking", "refusing all"])
def test_a_run_over_another_dialect_judges_every_unit(lab, model, dialects, profile):
    model.control(dialects=dialects)

    run = worked(create_run(lab, "felm-segment", model="m", parameters={"profile": profile}).run)

    assert (run.state, values(run)) == ("finished", JUDGED)


@pytest.mark.parametrize("profile", ["repaired", "released-code", "paper"])
@pytest.mark.parametrize("dialects", [GPT_5, THINKING, SPARSE], ids=["as GPT-5", "thinking", "refusing all"])
def test_facts_are_judged_by_the_text_where_no_probabilities_are_given(db, model, dialects, profile):
    dataset = make_dataset(scheme=Scheme.FACTSCORE)
    add_facts(make_response(dataset, ["Ada wrote, and Ada flew."]), [["Ada wrote.", "Ada flew, which is wrong."]])
    model.control(dialects=dialects)

    run = worked(create_run(dataset, "factscore-no-context", model="m", parameters={"profile": profile}).run)

    assert run.state == "finished"
    assert list(run.predictions.order_by("fact__position").values_list("value", flat=True)) == [
        "supported",
        "not_supported",
    ]


def test_what_was_asked_otherwise_stands_in_the_manifest(lab, model):
    model.control(dialects=GPT_5[:2])

    run = worked(create_run(lab, "felm-segment", model="m").run)

    assert run.manifest["adapted"] == {"m": ["max_tokens sent as max_completion_tokens", "temperature left out"]}
    assert run.manifest["parameters"]["temperature"] == 0.0
    assert "outcome" in run.manifest
    assert set(Adaptation.objects.values_list("model", "parameter", "way", "value")) == {
        ("m", "max_tokens", "renamed", "max_completion_tokens"),
        ("m", "temperature", "left_out", None),
    }


def test_the_next_run_asks_at_once_as_the_model_takes_it(lab, model):
    model.control(dialects=GPT_5)
    worked(create_run(lab, "felm-segment", model="m").run)
    before = model.stats()["total"]

    run = worked(create_run(lab, "felm-segment", model="m", name="short", parameters={"max_tokens": "99"}).run)

    assert model.stats()["total"] - before == 2  # of two different responses
    assert run.manifest["adapted"]["m"][0] == "max_tokens sent as max_completion_tokens"


def test_a_known_answer_still_says_how_it_was_asked(lab, model):
    model.control(dialects=GPT_5[:2])
    worked(create_run(lab, "felm-segment", model="m").run)
    before = model.stats()["total"]

    again = worked(create_run(lab, "felm-segment", model="m", force=True).run)

    assert model.stats()["total"] == before
    assert len(again.manifest["adapted"]["m"]) == 2


@pytest.mark.parametrize("profile", ["repaired", "released-code", "paper"])
@pytest.mark.parametrize("dialect", ["filter of a router", "filter of Azure", "refusal of the model"])
def test_a_unit_that_a_filter_refuses_is_refused_and_the_run_goes_on(lab, model, dialect, profile):
    make_response(lab, ["This is forbidden."])
    model.control(dialects=[dialect])

    run = worked(create_run(lab, "felm-segment", model="m", parameters={"profile": profile}).run)

    now = progress_of(run)
    assert (run.state, values(run)) == ("finished", [*JUDGED, None])
    assert (now.predicted, now.unparsed, now.refused, now.cut_off) == (6, 0, 1, 0)
    assert run.manifest["outcome"]["refused"] == 1


@pytest.mark.parametrize("profile", ["repaired", "released-code", "paper"])
@pytest.mark.parametrize("dialect", ["thought without an end", "thought without an end in channels"])
def test_a_thought_that_takes_all_tokens_leaves_its_units_cut_off(lab, model, dialect, profile):
    model.control(dialects=[dialect])

    run = worked(create_run(lab, "felm-segment", model="m", parameters={"profile": profile}).run)

    now = progress_of(run)
    assert (now.predicted, now.unparsed, now.refused, now.cut_off) == (0, 0, 0, 6)


def test_a_thought_of_all_tokens_beside_no_answer_is_cut_off(lab, model):
    model.control(
        raw_body='{"choices": [{"finish_reason": "length", "message": {"content": null, "reasoning_content": "So"}}]}'
    )

    run = worked(create_run(lab, "felm-segment", model="m").run)

    assert progress_of(run).cut_off == 6


def test_a_long_wait_parks_the_run_which_goes_on_by_itself(lab, model):
    model.control(fail_first=1000, fail_status=429, fail_text="Please try again in 2h.")
    run = create_run(lab, "felm-segment", model="m", parameters={"in_flight": "1"}).run

    worked(run)

    assert run.state == "running"
    assert "asks to wait for 2 hours, until" in run.notice
    assert list(run.items.values_list("state", "attempts")) == [("waiting", 0)] * 3
    assert all(7000 < (item.not_before - timezone.now()).total_seconds() <= 7200 for item in run.items.all())
    assert model.stats()["total"] <= 2

    model.control(fail_first=0)
    closed_until.clear()
    RateUse.objects.update(closed_until=None)
    run.items.update(not_before=timezone.now())  # two hours later

    assert worked(run).state == "finished"
    assert (run.notice, values(run)) == ("", JUDGED)


@pytest.mark.parametrize("dialect", ["no choices", "429 inside 200", "finished by an error"])
def test_a_fault_is_never_kept_as_an_answer(lab, model, dialect):
    model.control(dialects=[dialect])

    run = worked(create_run(lab, "felm-segment", model="m").run)

    assert values(run) == JUDGED
    assert set(Call.objects.values_list("finish_reason", "attempts")) == {("stop", 2)}


@pytest.mark.parametrize("dialect", ["no credit", "spent quota", "wrong key", "wrong key, 400"])
def test_what_no_call_can_get_over_stops_the_run_at_once(lab, model, dialect):
    model.control(dialects=[dialect])
    run = create_run(lab, "felm-segment", model="m", parameters={"in_flight": "1"}).run

    worked(run)

    assert run.state == "failed"
    assert model.stats()["total"] == 1


def test_what_is_forgotten_is_tried_again(lab, model):
    model.control(dialects=GPT_5)
    worked(create_run(lab, "felm-segment", model="m").run)
    Adaptation.objects.all().delete()
    model.control(dialects=[])
    work_on(RunJob(RetryPolicy(attempts=HASTY.attempts)), create_run(lab, "felm-segment", model="n").run.pk)

    assert not Adaptation.objects.exists()
    assert not Call.objects.filter(model="n").exclude(adapted=[]).exists()


def test_options_of_newer_models_are_sent_where_they_are_given(lab, model):
    options = {"reasoning_effort": "low", "top_p": "0.5", "extra_body": '{"seed": 7}'}

    run = worked(create_run(lab, "felm-segment", model="m", parameters=options).run)

    assert {"reasoning_effort", "top_p", "extra_body"} <= run.evaluator.parameters.keys()
    sent = Call.objects.first().request["parameters"]
    assert {name: sent[name] for name in ("reasoning_effort", "top_p", "seed")} == {
        "reasoning_effort": "low",
        "top_p": 0.5,
        "seed": 7,
    }


def test_options_that_are_not_given_are_no_part_of_the_evaluator(lab, model):
    run = create_run(lab, "felm-segment", model="m", parameters={"top_p": "1", "reasoning_effort": ""}).run

    assert not {"reasoning_effort", "top_p", "extra_body"} & run.evaluator.parameters.keys()


@pytest.mark.parametrize(
    ("text", "cause"),
    [("seed=7", "a JSON object"), ("[7]", "a JSON object"), ('{"messages": []}', "makes up the request")],
)
def test_further_fields_that_cannot_be_are_refused(lab, text, cause):
    with pytest.raises(RunError, match=cause):
        create_run(lab, "felm-segment", model="m", parameters={"extra_body": text})
