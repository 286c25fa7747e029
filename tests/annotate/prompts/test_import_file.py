"""Prompts of a file: what is collected, and what is refused."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.models import CollectedPrompt, Dataset
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def write(tmp_path):
    def rows(*rows):
        path = tmp_path / "prompts.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    return rows


MARIA = {"prompt": "Tell me a bio of Maria.", "topic": "Maria", "frequency": "rare"}
OTTO = {"prompt": "Tell me a bio of Otto.", "topic": "Otto"}


def take(capsys, path, *words):
    call_command("import_prompts", "lives", path, *words, "--json")
    return json.loads(capsys.readouterr().out)


def test_a_scheme_makes_the_dataset_and_the_same_file_adds_nothing(write, capsys):
    path = write(MARIA, OTTO)

    assert take(capsys, path, "--scheme", "factscore") == {"dataset": "lives", "created": 2, "unchanged": 0}
    assert take(capsys, path) == {"dataset": "lives", "created": 0, "unchanged": 2}
    assert list(CollectedPrompt.objects.values_list("position", "topic", "origin")) == [
        (0, "Maria", "file"),
        (1, "Otto", "file"),
    ]


def test_a_topic_with_responses_is_refused_and_nothing_is_kept(write, capsys):
    make_response(make_dataset("lives", scheme="factscore"), prompt="maria", subject="amber")

    with pytest.raises(CommandError, match=r"line 2: there are responses on 'Maria' already"):
        take(capsys, write(OTTO, MARIA))
    assert not CollectedPrompt.objects.exists()


def test_another_datasets_topics_are_refused_where_it_is_named(write, capsys):
    make_response(make_dataset("labelled", scheme="factscore"), prompt="Maria", subject="amber")

    with pytest.raises(CommandError, match=r"line 1: there are responses on 'Maria'"):
        take(capsys, write(MARIA), "--scheme", "factscore", "--without", "labelled")
    assert not Dataset.objects.filter(name="lives").exists()


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ([{"prompt": "Who?"}], "line 1: topic is missing"),
        ([MARIA, {**MARIA, "frequency": "medium"}], "line 2: the prompt is there already, with another topic"),
        ([MARIA, {"prompt": "Who is Maria?", "topic": "MARIA"}], "line 2: another prompt is on 'MARIA' already"),
        ([{"prompt": " ", "topic": "Maria"}], "line 1: prompt is empty"),
    ],
)
def test_a_row_at_fault_is_named(write, capsys, rows, cause):
    with pytest.raises(CommandError, match=f"prompts.jsonl, {cause}"):
        take(capsys, write(*rows), "--scheme", "factscore")


def test_without_a_scheme_the_dataset_must_be_there(write, capsys):
    with pytest.raises(CommandError, match="there is no dataset 'lives': --scheme makes one"):
        take(capsys, write(MARIA))
