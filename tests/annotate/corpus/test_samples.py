"""A subject model's other samples: with the responses, or for those that are there."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotate.corpus.responses import read_row_for_facts
from annotate.models import Dataset, Response, SubjectSample
from core.errors import RowError
from tests.annotate.corpus.files import write_rows
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db

ADA = {"prompt": "Tell me a bio of Ada.", "response": "Ada wrote.", "topic": "Ada", "subject": "m"}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "samples.jsonl"


@pytest.fixture
def lab():
    dataset = make_dataset(scheme="factscore")
    make_response(dataset, ["Ada wrote."], prompt="Ada", subject="m")
    make_response(dataset, ["Ben sang."], prompt="Ben", subject="m")
    return dataset


def samples():
    return list(SubjectSample.objects.values_list("response__index", "position", "text"))


def test_samples_come_with_the_responses(file):
    write_rows(file, {**ADA, "samples": ["Ada drew.", "Ada wrote."]})
    call_command("import_dataset", "bios", str(file), "--format", "responses-for-facts")
    assert samples() == [("m/Ada", 0, "Ada drew."), ("m/Ada", 1, "Ada wrote.")]


def test_a_response_that_is_null_is_an_abstention(file):
    write_rows(file, {**ADA, "response": None})
    call_command("import_dataset", "bios", str(file), "--format", "responses-for-facts")
    response = Response.objects.get()
    assert (response.text, response.abstained, response.segments.count()) == ("", True, 0)


def test_a_response_that_is_empty_is_a_mistake():
    with pytest.raises(RowError, match="response is empty"):
        read_row_for_facts({**ADA, "response": " "})


def test_samples_are_given_to_responses_that_are_there(lab, file, capsys):
    write_rows(file, {"index": "m/Ada", "samples": ["Ada drew."]}, {"index": "m/Ben", "samples": ["Ben hummed."]})
    call_command("import_samples", "lab", str(file), "--json")
    assert json.loads(capsys.readouterr().out) == {"dataset": "lab", "created": 2, "unchanged": 0}
    assert samples() == [("m/Ada", 0, "Ada drew."), ("m/Ben", 0, "Ben hummed.")]


def test_the_same_file_again_adds_nothing(lab, file, capsys):
    write_rows(file, {"index": "m/Ada", "samples": ["Ada drew."]})
    call_command("import_samples", "lab", str(file))
    call_command("import_samples", "lab", str(file))
    assert capsys.readouterr().out.splitlines()[-1] == "lab: samples of 0 responses, 1 unchanged"
    assert len(samples()) == 1


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ([{"index": "m/Eve", "samples": ["x"]}], "line 1: there is no response 'm/Eve' in lab"),
        ([{"index": "m/Ben", "samples": []}], "line 1: samples is empty"),
        ([{"index": "m/Ben", "samples": ["x"]}] * 2, "line 2: the index 'm/Ben' is already that of line 1"),
        (
            [{"index": "m/Ben", "samples": ["x"]}, {"index": "m/Ada", "samples": ["other"]}],
            "line 2: the response 'm/Ada' has other samples already",
        ),
    ],
)
def test_one_bad_line_and_nothing_is_written(lab, file, rows, cause):
    SubjectSample.objects.create(response=Response.objects.get(index="m/Ada"), position=0, text="Ada drew.")
    write_rows(file, *rows)
    with pytest.raises(CommandError, match=cause):
        call_command("import_samples", "lab", str(file))
    assert samples() == [("m/Ada", 0, "Ada drew.")]


def test_a_dataset_that_is_not_there_is_named(file):
    write_rows(file, {"index": "m/Ada", "samples": ["x"]})
    with pytest.raises(CommandError, match="there is no dataset 'none'"):
        call_command("import_samples", "none", str(file))
    assert not Dataset.objects.exists()
