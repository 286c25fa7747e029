"""Prompts written after drafted ones, and the overlap by which near-duplicates are known."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.corpus.rows import PromptRow
from annotate.models import CollectedPrompt
from annotate.prompts.collect import collect
from annotate.prompts.overlap import nearest, rouge_l
from tests.factories import make_dataset

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("left", "right", "overlap"),
    [
        ("a b c", "a b c", 1.0),
        ("a b c d", "a x c y", 0.5),  # a c, of four and four
        ("a b", "b a", 0.5),  # one word in order
        ("a", "b", 0.0),
        ("", "", 0.0),
    ],
)
def test_rouge_l_by_hand(left, right, overlap):
    assert rouge_l(left.split(), right.split()) == overlap


def test_case_and_punctuation_make_no_difference():
    assert nearest("Who was Otto?", ["Why?", "who was OTTO"]) == 1.0
    assert nearest("Who?", []) == 0.0


@pytest.fixture
def lab():
    dataset = make_dataset("lab")
    collect(dataset, [PromptRow("Why is the sky blue at noon?", domain="science")], "file")
    return dataset


def write(capsys, *words):
    call_command("write_prompts", "lab", "tiny", *words, "--json")
    return json.loads(capsys.readouterr().out)


ANSWER = (
    "- Why is the sky blue at noon, then?\n- Which metals rust?\n- How do bees find their way?\n- WHICH metals rust"
)


def test_near_duplicates_are_refused_and_the_rest_is_collected(lab, model, capsys):
    model.control(answer=ANSWER)

    written = write(capsys, "--domain", "science", "--wanted", "2")
    assert written.pop("prompts")["set"] == "touchstone"
    assert written == {
        "dataset": "lab",
        "wanted": 2,
        "written": ["Which metals rust?", "How do bees find their way?"],
        "refused": 2,
        "seed": 7,
    }
    new = CollectedPrompt.objects.filter(origin="model").values_list("position", "text", "domain", "source")
    assert list(new) == [
        (1, "Which metals rust?", "science", "tiny"),
        (2, "How do bees find their way?", "science", "tiny"),
    ]


def test_a_model_that_repeats_itself_is_not_asked_for_ever(lab, model, capsys):
    model.control(answer=ANSWER)

    assert len(write(capsys, "--domain", "science", "--wanted", "9")["written"]) == 2
    assert model.stats()["total"] == 6  # one that brought something, five that did not


def test_what_was_written_before_an_interruption_is_not_paid_for_again(lab, model, capsys):
    model.control(answer=ANSWER)
    first = write(capsys, "--domain", "science", "--wanted", "2")["written"]
    CollectedPrompt.objects.filter(origin="model").delete()

    assert write(capsys, "--domain", "science", "--wanted", "2")["written"] == first
    assert model.stats()["total"] == 1


def test_without_a_drafted_prompt_there_is_nothing_to_go_by(lab):
    with pytest.raises(CommandError, match="There is no drafted prompt of the domain math to begin with"):
        call_command("write_prompts", "lab", "tiny", "--domain", "math")


def test_an_answer_that_is_no_list_is_an_error(lab, model):
    model.control(answer="I would rather not.")

    with pytest.raises(CommandError, match='no line of it begins with "- "'):
        call_command("write_prompts", "lab", "tiny", "--domain", "science")
