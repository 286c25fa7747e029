"""Entries of a manifest in words, on the page of a run and of two side by side."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from evaluators.models import Run
from evaluators.templatetags.entries import entry_name, entry_value, in_words, parameter_name
from tests.pages import squeezed

FILES = [{"name": "a.jsonl", "hash": "12ab", "predictions": 5}, {"name": "b.csv", "hash": "34cd", "predictions": 6}]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "none"),
        ({}, "none"),
        (["math", "science"], "math, science"),
        (FILES, "name a.jsonl, hash 12ab, predictions 5; name b.csv, hash 34cd, predictions 6"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        (0.25, "0.25"),
        (None, "–"),
        ("", "–"),
        ("touchstone", "touchstone"),
    ],
)
def test_a_value_is_said_in_words(value: object, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("outcome all_failed", "outcome: domains in which all failed"),
        ("outcome skipped too long", "outcome: skipped, too long"),
        ("parameters max_tokens", "parameter: Longest answer, in tokens"),
        ("parameters of_a_plug_in", "parameter: of a plug in"),
        ("profile", "Answer parsing"),
    ],
)
def test_an_entry_is_named_in_words(name: str, words: str) -> None:
    assert entry_name(name) == words


def test_a_parameter_is_called_as_in_the_form_of_its_method() -> None:
    assert parameter_name("in_flight", "felm-rb") == "Calls at once"
    assert parameter_name("seed", "felm-rb", "random") == "Seed"
    assert entry_name("parameters np_threshold", "felm-rb", "factscore-np") == (
        "parameter: Threshold of the masked language model"
    )


@pytest.mark.parametrize(
    ("name", "value", "method", "words"),
    [
        ("profile", "repaired", "felm-rb", "tolerant"),
        ("parameters profile", "released-code", "felm-rb", "as FELM's code"),
        ("parameters profile", "released-code", "safe", "as the published code"),
        ("parameters layout", "profile", "felm-rb", "as answers are parsed"),
        ("profile", "paper", "of-a-plug-in", "as the paper"),
        ("profile", None, "random", "–"),
        ("prompts", "paper", "felm-rb", "paper"),
    ],
)
def test_a_choice_is_called_as_in_the_form(name: str, value: object, method: str, words: str) -> None:
    assert entry_value(name, value, method) == words


@pytest.mark.django_db
def test_pages_of_runs_show_no_python(dataset: Dataset, ada: Run, ben: Run, rhea: Client) -> None:
    for run, files in ((ada, FILES), (ben, [])):
        Run.objects.filter(pk=run.pk).update(manifest={"files": files, "outcome": {"all_failed": []}})
    for address in (
        f"{reverse('run-diff', args=[dataset.pk])}?one={ada.pk}&other={ben.pk}",
        reverse("run", args=[ada.pk]),
    ):
        text = squeezed(rhea.get(address).text)
        assert "name a.jsonl, hash 12ab, predictions 5; name b.csv" in text
        assert re.search("domains in which all failed</dt> ?<dd>none</dd>", text)
        assert not {"[]", "[{"} & set(text.split())


@pytest.mark.django_db
def test_pages_of_runs_call_parameters_as_the_forms_do(dataset: Dataset, ada: Run, ben: Run, rhea: Client) -> None:
    for run, profile in ((ada, "repaired"), (ben, "paper")):
        run.evaluator.parameters = {"in_flight": 4, "profile": profile}
        run.evaluator.save()
        Run.objects.filter(pk=run.pk).update(manifest={"profile": profile})
    page = squeezed(rhea.get(reverse("run", args=[ada.pk])).text)
    assert re.search("<dt>Calls at once</dt> ?<dd>4</dd>", page)
    assert len(re.findall("<dt>Answer parsing</dt> ?<dd>tolerant</dd>", page)) == 2  # parameters and manifest
    diff = squeezed(rhea.get(f"{reverse('run-diff', args=[dataset.pk])}?one={ada.pk}&other={ben.pk}").text)
    assert re.search(r'Answer parsing</th> ?<td class="value">tolerant</td> ?<td class="value">as the paper<', diff)
    assert "<dt>parameter: Calls at once</dt>" in diff
    assert not {"in flight", "repaired"} & {word for text in (page, diff) for word in re.findall(">([^<]+)<", text)}
