"""Entries of a manifest in words, on the page of a run and of two side by side."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from evaluators.models import Run
from evaluators.templatetags.entries import entry_name, in_words
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
        ("repaired", "repaired"),
    ],
)
def test_a_value_is_said_in_words(value: object, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("outcome all_failed", "outcome: domains in which all failed"),
        ("outcome skipped too long", "outcome: skipped, too long"),
        ("parameters max_tokens", "parameters max tokens"),
    ],
)
def test_an_entry_of_the_outcome_is_named_in_words(name: str, words: str) -> None:
    assert entry_name(name) == words


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
