"""Three responses before a run of many calls."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.models import Role
from evaluators.models import Run
from tests.factories import make_dataset, make_person, make_response

WORDS = ["evaluate", "many", "felm-segment", "--model", "m", "--wait"]


@pytest.fixture
def many(db):
    """51 responses, one call each."""
    dataset = make_dataset("many")
    for number in range(51):
        make_response(dataset, [f"{number} is a number."])
    return dataset


def say(*words):
    output, errors = StringIO(), StringIO()
    call_command(*words, stdout=output, stderr=errors)
    return output.getvalue(), errors.getvalue()


def test_three_responses_are_judged_and_shown_first(many, model):
    model.control(answer="ALL_CORRECT")
    output, errors = say(*WORDS, "--json")
    trial, run = Run.objects.order_by("pk")
    assert (trial.items.count(), trial.state, trial.archived_at is None) == (3, "finished", False)
    assert (run.items.count(), run.state, run.archived_at) == (51, "finished", None)
    assert trial.evaluator == run.evaluator
    assert json.loads(output)["run"] == run.pk
    assert errors.startswith("3 responses first, of about 51 calls; --no-trial omits this.\nResponse 0\n  Prompt: ")
    assert errors.count("  Answer: ALL_CORRECT\n  Read: segment 0: supported\n") == 3
    assert "0 is a number." in errors
    # The whole run takes the answers of the trial.
    assert model.stats()["total"] == 51


def test_the_same_run_is_not_tried_again(many, model):
    model.control(answer="ALL_CORRECT")
    say(*WORDS)
    _, errors = say(*WORDS)
    assert "responses first" not in errors
    assert Run.objects.count() == 2


def test_a_run_stops_where_nothing_of_the_trial_can_be_read(many, model):
    model.control(answer="Hm", finish_reason="length")
    with pytest.raises(CommandError, match=r"The first 3 responses could not be judged .* 3 of 3 .*Raise the longest"):
        say(*WORDS)
    assert [run.state for run in Run.objects.all()] == ["failed"]
    assert model.stats()["total"] == 3


@pytest.mark.parametrize("more", [["--no-trial"], ["--limit", "50"]])
def test_a_run_without_a_trial(many, model, more):
    model.control(answer="ALL_CORRECT")
    _, errors = say(*WORDS, *more)
    assert errors == ""
    assert Run.objects.count() == 1


MANY = ["evaluate_many", "many", "--methods", "felm-segment", "random", "--models", "m", "--wait"]


def test_each_run_of_a_batch_that_asks_a_model_is_tried_first(many, model):
    model.control(answer="ALL_CORRECT")
    output, errors = say(*MANY, "--json")
    [trial] = Run.objects.exclude(archived_at=None)
    assert (trial.evaluator.name, trial.items.count(), trial.batch) == ("felm-segment · m", 3, None)
    begun = "felm-segment · m: 3 responses first, of about 51 calls of all runs; --no-trial omits this.\nResponse 0\n"
    assert errors.startswith(begun)
    assert errors.count("  Read: segment 0: supported\n") == 3
    assert [each["state"] for each in json.loads(output)["runs"]] == ["finished", "finished"]
    assert model.stats()["total"] == 51


def test_a_batch_of_few_calls_each_is_tried_by_all_its_calls(many, model):
    model.control(answer="ALL_CORRECT")
    models = ["--methods", "felm-segment", "--models", "m", "n", "--limit", "26"]
    _, errors = say("evaluate_many", "many", *models)
    assert errors.count("3 responses first, of about 52 calls of all runs") == 2


def test_no_batch_is_made_where_nothing_of_a_trial_can_be_read(many, model):
    model.control(answer="Hm")
    with pytest.raises(CommandError, match=r"The first 3 responses could not be judged .* 3 of 3 "):
        say(*MANY)
    assert Run.objects.count() == 1
    assert model.stats()["total"] == 3


@pytest.mark.parametrize("more", [["--no-trial"], ["--limit", "50"]])
def test_a_batch_without_a_trial(many, model, more):
    model.control(answer="ALL_CORRECT")
    _, errors = say(*MANY, *more)
    assert errors == ""
    assert Run.objects.count() == 2


def test_the_page_of_batches_tries_three_responses_on_demand(many, model, client):
    client.force_login(make_person("rhea", many, Role.RESEARCHER))
    address = reverse("batch-new", args=[many.pk])
    assert "Try three responses first" in client.get(address).text
    client.post(address, {"methods": ["felm-segment", "random"], "models": "m", "trial": "3"})
    assert [run.items.count() for run in Run.objects.all()] == [3, 3]


def test_the_page_tries_three_responses_on_demand(many, model, client):
    client.force_login(make_person("rhea", many, Role.RESEARCHER))
    address = reverse("run-new", args=[many.pk])
    assert "Try three responses first" in client.get(f"{address}?method=felm-segment").text
    assert "Try three responses first" not in client.get(f"{address}?method=random").text
    client.post(f"{address}?method=felm-segment", {"method": "felm-segment", "model": "m", "trial": "3"})
    assert Run.objects.get().items.count() == 3
