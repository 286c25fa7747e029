"""The command that makes a benchmark."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from factor.models import BenchmarkBuild
from tests.factor.building.corpus import LIVES, WITHOUT
from tests.factories import make_dataset
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def corpus():
    make_dataset()
    make_source("lives", **LIVES, **WITHOUT)


def make(capsys, *words, source="lives"):
    call_command("make_benchmark", "lab", "lives", "--source", source, "--model", "tiny", *words)
    return capsys.readouterr().out


def test_it_prints_the_yields_of_each_stage_as_one_json_document(model, capsys):
    report = json.loads(make(capsys, "--wait", "--json", "--param", "contradictions=2", "contradiction.threshold=0.5"))

    assert (report["benchmark"], report["state"], report["documents"]["made"]) == ("lives", "finished", 3)
    assert report["documents"]["left_out"] == {"empty": 1, "only headlines": 1, "too short": 1}
    assert report["contradictions"]["all"]["chosen"] == 9
    assert report["filters"]["contradiction"]["threshold"] == 0.5
    assert BenchmarkBuild.objects.get().contradictions == 2


def test_it_prints_them_for_people(model, capsys):
    said = make(capsys, "--wait")

    assert "lives from lives: finished." in said
    assert "     3  stage 4: with three to choose, an example" in said
    assert "     1  left out: It has headlines only, no sentence" in said


def test_what_was_stopped_goes_on_under_its_name(model, capsys):
    with pytest.raises(CommandError, match="budget"):
        make(capsys, "--wait", "--max-tokens-total", "10")
    report = json.loads(make(capsys, "--wait", "--json", "--max-tokens-total", "1000000").splitlines()[-1])

    assert (report["state"], report["documents"]["made"]) == ("finished", 3)
    assert BenchmarkBuild.objects.count() == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--param", "courage=1"], "There is no parameter 'courage'"),
        (["--param", "contradictions=many"], "contradictions is 'many'; it must be a whole number"),
        (["--param", "contradiction.threshold=2"], "contradiction.threshold"),
        (["--param", "contradiction.logprobs=perhaps"], "it must be true or false"),
        (["--endpoint", "moon"], "There is no endpoint named 'moon'"),
    ],
)
def test_what_cannot_be_made_is_one_sentence(model, capsys, words, sentence):
    with pytest.raises(CommandError, match=sentence):
        make(capsys, *words)
    assert not BenchmarkBuild.objects.exists()


def test_an_unknown_source_is_named(model, capsys):
    with pytest.raises(CommandError, match="there is no knowledge source 'stars'"):
        make(capsys, source="stars")
