"""Reading a run's answers again by another protocol profile, and what each of them makes of the answers."""

import pytest
from django.urls import reverse

from annotate.models import Role
from evaluators.methods import METHODS
from evaluators.methods.base import Judgement, Method
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.reading import read_again
from evaluators.runs.readings import page_of_differing, readings_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.factories import add_gold, make_person


def finished(run):
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def values(run):
    return list(run.predictions.in_reading_order().values_list("value", flat=True))


@pytest.fixture
def asked(lab, model):
    """A run whose every answer has a list that only the released code takes for ids."""
    model.control(answer="Answer: 1 is wrong, 2 is right")
    return finished(create_run(lab, "felm-segment", model="m").run)


def test_the_same_answers_are_read_by_another_rule_without_a_call(asked, model):
    assert values(asked) == [None] * 6
    before = model.stats()["total"]
    reading = finished(read_again(asked, "released-code").run)

    assert values(reading) == ["not_supported"] * 6
    assert (reading.state, reading.reading_of) == ("finished", asked)
    assert reading.evaluator.parameters["layout"] == "repaired"
    assert model.stats()["total"] == before


def test_the_same_reading_is_not_made_twice(asked):
    first = finished(read_again(asked, "paper").run)
    assert read_again(asked, "paper").run == first
    assert read_again(first, "paper").run == first


@pytest.mark.parametrize(("profile", "complaint"), [("repaired", "already uses repaired"), ("x", "no profile")])
def test_a_reading_that_makes_no_sense_is_refused(asked, profile, complaint):
    with pytest.raises(RunError, match=complaint):
        read_again(asked, profile)


def test_a_run_that_asked_no_model_has_nothing_to_read(lab):
    with pytest.raises(RunError, match="made no calls"):
        read_again(finished(create_run(lab, "random").run), "paper")


def test_a_run_at_work_is_not_read_yet(lab, model):
    with pytest.raises(RunError, match="is in progress"):
        read_again(create_run(lab, "felm-segment", model="m").run, "paper")


def test_what_another_rule_would_have_had_to_ask_fails_that_response_alone(lab, model, monkeypatch):
    def build(parameters):
        async def judge(case, tools):
            ask_more = parameters["profile"] == "paper" and case.index == "1"
            await tools.ask([{"role": "user", "content": "More" if ask_more else case.index}])
            return [Judgement(unit, "supported") for unit in case.units]

        return judge

    monkeypatch.setitem(METHODS, "asking", Method("asking", "Asking", "Asks.", build, needs_model=True))
    run = finished(create_run(lab, "asking", model="m").run)
    reading = finished(read_again(run, "paper").run)

    assert reading.state == "finished"
    assert list(reading.items.values_list("state", flat=True)) == ["done", "failed", "done"]
    assert "another call" in reading.items.get(state="failed").error
    assert model.stats()["total"] == 3


def test_the_units_that_differ_are_counted_and_listed(asked):
    add_gold(asked.dataset.responses.first().segments.first(), "supported")
    finished(read_again(asked, "released-code").run)
    finished(read_again(asked, "paper").run)
    readings = readings_of(asked)
    assert [(each.profile, each.values["unparsed"], each.differing) for each in readings] == [
        ("repaired", 6, 0),
        ("released-code", 0, 6),
        ("paper", 6, 0),
    ]
    _, differing = page_of_differing(readings, None)
    assert len(differing) == 6
    assert [(title, said.value) for title, said in differing[0].predictions] == [
        ("tolerant", None),
        ("as FELM's code", "not_supported"),
        ("as the paper", None),
    ]
    assert differing[0].unit.gold == "supported"


def test_a_reading_at_work_is_not_held_against_the_others_yet(asked, client):
    read_again(asked, "released-code")
    readings = readings_of(asked)
    assert [each.differing for each in readings] == [0, None]
    assert page_of_differing(readings, None)[1] == []

    client.force_login(make_person("rhea", asked.dataset, Role.RESEARCHER))
    text = client.get(reverse("run-readings", args=[asked.pk])).content.decode()
    assert 'hx-trigger="every 2s"' in text


def test_the_page_offers_the_other_profiles_and_shows_what_they_change(asked, client):
    client.force_login(make_person("rhea", asked.dataset, Role.RESEARCHER))
    address = reverse("run-readings", args=[asked.pk])
    text = client.get(address).content.decode()
    assert "Parse again: as the paper" in text
    assert "Parse again: tolerant" not in text

    client.post(reverse("run-read-again", args=[asked.pk]), {"profile": "released-code"})
    work_on(RunJob(), asked.readings.get().pk)
    text = client.get(address).content.decode()
    assert "Answer: 1 is wrong, 2 is right" in text
