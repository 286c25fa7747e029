"""The judge by guidelines: what it is shown, how its labels are read, and what a run keeps of the guidelines."""

import pytest

from evaluators.methods.rubric import OF_FACTS, OF_SEGMENTS, read_labels
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.answer import Answer
from llm.models import Call
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.evaluators.methods.felm_model import judge as judge_by
from tests.evaluators.methods.felm_model import values
from tests.factories import add_facts, make_dataset, make_response

S, N, IR = "supported", "not_supported", "irrelevant"


def judge(model, case=None, **parameters):
    return judge_by("rubric", model, case or make_case(), **parameters)


def read(text, count=2, labels=OF_FACTS, profile="repaired", *, alone=False, finish="stop"):
    return read_labels(Answer(1, text, finish), count, labels, profile, alone=alone)


def test_the_model_is_shown_guidelines_labels_and_every_unit(guidelines):
    model = ScriptedModel("1: supported\n2: not supported")
    assert values(judge(model)) == [S, N]
    [[system, user]] = model.asked
    assert "one of these labels: supported, not supported.\n" in system["content"]
    assert system["content"].endswith("Guidelines:\nA year that is wrong is an error.")
    assert user["content"] == (
        "Question: Who was Ada Lovelace?\n\nAnswer:\nAda was born in 1815. She wrote the first program.\n\n"
        "Statements:\n1. Ada was born in 1815.\n2. She wrote the first program."
    )


def test_facts_may_be_irrelevant_too(guidelines):
    model = ScriptedModel("1: irrelevant\n2: supported")
    assert values(judge(model, make_case(facts=[["Ada sang."], ["She wrote."]]))) == [IR, S]
    assert "labels: supported, not supported, irrelevant." in model.asked[0][0]["content"]


def test_one_call_for_each_unit(guidelines):
    model = ScriptedModel("not supported")
    assert values(judge(model, per="unit")) == [N, N]
    assert [asked[-1]["content"].rpartition("\n\n")[2] for asked in model.asked] == [
        "Statement: Ada was born in 1815.\nLabel:",
        "Statement: She wrote the first program.\nLabel:",
    ]


def test_samples_vote_and_the_first_breaks_a_tie(guidelines):
    answers = ("1: supported\n2: supported", "1: not supported\n2: Hm", "1: supported\n2: not supported")
    first, second = judge(ScriptedModel(*answers), samples=3, temperature=1)
    assert (first.value, first.score, first.calls) == (S, pytest.approx(2 / 3), (500, 501, 502))
    assert first.rationale == "2 supported, 1 not supported, 0 not parsed"
    assert (second.value, second.score) == (S, 0.5)


def test_a_single_answer_has_no_score(guidelines):
    first, _ = judge(ScriptedModel("1: supported"))
    assert (first.score, first.rationale) == (None, "1: supported")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1: supported\n2: not supported", [S, N]),
        ("Sure:\n**1.** Supported - she did.\n2) not_supported, because", [S, N]),
        ("Statement 2: Irrelevant\nStatement 1: unsupported.", [N, IR]),
        ("1: supported", [S, None]),
        ("1: supported\n1: not supported\n2: supported", [None, S]),
        ("1: supported\n2: supported\n3: supported", [None, None]),
        ("0: supported\n1: supported", [None, None]),
        ("1: true\n2: supportedness", [None, None]),
        ("supported", [None, None]),
        ("", [None, None]),
    ],
)
def test_labels_are_read_from_numbered_lines(text, found):
    assert read(text) == found


def test_irrelevant_is_no_label_of_segments():
    assert read("1: irrelevant\n2: supported", labels=OF_SEGMENTS) == [None, S]


@pytest.mark.parametrize("profile", ["paper", "released-code"])
def test_the_strict_reading_takes_the_form_that_is_asked_for_alone(profile):
    assert read("1: supported\n2: not supported\n", profile=profile) == [S, N]
    for text in (
        "1: Supported\n2: supported",
        "2: supported\n1: supported",
        "1: supported",
        "So:\n1: supported\n2: supported",
    ):
        assert read(text, profile=profile) == [None, None]
    assert read("irrelevant", 1, profile=profile, alone=True) == [IR]
    assert read("Label: irrelevant", 1, profile=profile, alone=True) == [None]


@pytest.mark.parametrize(("text", "found"), [("Supported.", S), ("Label: not supported", N), ("It is supported", None)])
def test_a_label_alone(text, found):
    assert read(text, 1, alone=True) == [found]


def test_an_answer_that_was_cut_off_says_nothing():
    assert read("1: supported\n2: supported", finish="length") == [None, None]


@pytest.fixture
def lab(db):
    dataset = make_dataset()
    make_response(dataset, ["Ada sang.", "This is wrong."])
    return dataset


def test_a_dataset_without_guidelines_is_refused(lab, model):
    with pytest.raises(
        RunError, match=r"^lab has no guidelines: an adjudicator writes them under People & guidelines\.$"
    ):
        create_run(lab, "rubric", model="m")
    lab.guidelines.create(version=1, text="Be kind.")
    with pytest.raises(RunError, match=r"^lab has no version 2 of its guidelines; the newest is 1\.$"):
        create_run(lab, "rubric", model="m", parameters={"guidelines": "2"})


@pytest.mark.parametrize("per", ["response", "unit"])
def test_a_run_labels_by_the_guidelines(lab, model, per):
    lab.guidelines.create(version=1, text="Costs $question and $5.")
    run = create_run(lab, "rubric", model="m", parameters={"per": per}).run
    work_on(RunJob(), run.pk)
    assert list(run.predictions.in_reading_order().values_list("value", flat=True)) == [S, N]
    assert Call.objects.count() == {"response": 1, "unit": 2}[per]
    assert Call.objects.first().request["messages"][0]["content"].endswith("Guidelines:\nCosts $question and $5.")


def test_a_run_of_facts_labels_them(model, db):
    dataset = make_dataset(scheme="factscore")
    add_facts(make_response(dataset, ["Ada sang."], subject="s"), [["Ada sang.", "Ada is wrong."]])
    dataset.guidelines.create(version=1, text="Be kind.")
    run = create_run(dataset, "rubric", model="m").run
    work_on(RunJob(), run.pk)
    assert list(run.predictions.in_reading_order().values_list("value", flat=True)) == [S, N]


def test_a_run_keeps_the_version_it_began_with_and_can_be_repeated(lab, model):
    lab.guidelines.create(version=1, text="Be kind.")
    run = create_run(lab, "rubric", model="m").run
    lab.guidelines.create(version=2, text="Be strict.")
    work_on(RunJob(), run.pk)

    assert run.evaluator.name == "rubric, guidelines 1 · m"
    assert run.manifest["parameters"]["guidelines"] == 1
    assert Call.objects.get().request["messages"][0]["content"].endswith("Be kind.")
    # The same again is there already, by number; the newest is another run.
    assert create_run(lab, "rubric", model="m", parameters={"guidelines": "1"}).run == run
    newest = create_run(lab, "rubric", model="m")
    assert (newest.created, newest.run.evaluator.name) == (True, "rubric, guidelines 2 · m")
    hashes = [each.manifest["prompts"]["templates"]["dataset_guidelines"] for each in (run, newest.run)]
    assert hashes[0] != hashes[1]


def test_the_same_version_of_another_dataset_is_another_text(lab, model):
    other = make_dataset("other")
    make_response(other)
    for dataset, text in ((lab, "Be kind."), (other, "Be strict.")):
        dataset.guidelines.create(version=1, text=text)
    runs = [create_run(dataset, "rubric", model="m").run for dataset in (lab, other)]
    assert runs[0].evaluator == runs[1].evaluator
    hashes = {run.manifest["prompts"]["templates"]["dataset_guidelines"] for run in runs}
    assert len(hashes) == 2
