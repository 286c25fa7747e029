"""FELM's segment-based evaluator: what it asks and what it makes of the answers."""

import asyncio

import pytest

from evaluators.methods import METHODS
from evaluators.methods.felm_prompts import number_lines
from evaluators.methods.parameters import read_parameters
from tests.evaluators.methods.cases import ScriptedModel, make_case

CASE = make_case(segments=["Ada was born in 1815.", "She died in 1952.", "She wrote a program."])


def judge(model, case=CASE, **parameters):
    method = METHODS["felm-segment"]
    return asyncio.run(method.build(read_parameters(method, parameters))(case, model))


def values(outcomes):
    return [outcome.value for outcome in outcomes]


def test_the_whole_response_is_asked_in_one_call():
    model = ScriptedModel("Answer: 2")

    outcomes = judge(model)

    [messages] = model.asked
    assert messages[-1] == {
        "role": "user",
        "content": "Question: Who was Ada Lovelace?\n\nSegments:\n"
        "1. Ada was born in 1815.\n2. She died in 1952.\n3. She wrote a program.",
    }
    assert values(outcomes) == ["supported", "not_supported", "supported"]
    assert [(outcome.score, outcome.rationale, outcome.calls) for outcome in outcomes] == [
        (None, "Answer: 2", (500,))
    ] * 3


def test_in_a_dataset_of_facts_the_list_is_of_the_facts():
    facts = [["Ada was born.", "It was 1815."], [], ["She wrote a program."]]
    model = ScriptedModel("Answer: 2")

    outcomes = judge(model, make_case(segments=CASE.segments, facts=facts))

    [messages] = model.asked
    assert messages[-1]["content"].endswith("1. Ada was born.\n2. It was 1815.\n3. She wrote a program.")
    assert values(outcomes) == ["supported", "not_supported", "supported"]
    assert [outcome.unit.fact_id for outcome in outcomes] == [1000, 1001, 1020]


def test_an_answer_that_cannot_be_parsed_is_no_judgement_of_any_segment():
    outcomes = judge(ScriptedModel("I would rather not say."))

    assert values(outcomes) == [None, None, None]
    assert outcomes[0].rationale == "I would rather not say."
    assert outcomes[0].calls == (500,)


def test_a_cut_off_answer_is_unparsed():
    assert values(judge(ScriptedModel("Answer: 1", finish_reason="length"))) == [None, None, None]


def test_the_profile_chooses_the_parser():
    model = ScriptedModel("Answer:1")

    assert values(judge(model, profile="repaired"))[0] == "not_supported"
    assert values(judge(model, profile="released-code"))[0] == "supported"


def test_several_samples_are_put_to_the_vote():
    outcomes = judge(ScriptedModel("Answer: 1,2", "Answer: 2", "Answer: 2,3"), samples=3)

    assert values(outcomes) == ["supported", "not_supported", "supported"]
    # found correct by 2 of 3, 0 of 3, 2 of 3
    assert [outcome.score for outcome in outcomes] == [pytest.approx(2 / 3), 0.0, pytest.approx(2 / 3)]
    assert outcomes[0].calls == (500, 501, 502)
    assert outcomes[0].rationale == "an error in 1 of 3 parsed answers, 0 not parsed"


def test_a_tie_takes_the_first_sample():
    outcomes = judge(ScriptedModel("Answer: 1", "Answer: 2"), samples=2)

    assert values(outcomes) == ["not_supported", "supported", "supported"]
    assert [outcome.score for outcome in outcomes] == [0.5, 0.5, 1.0]


def test_samples_that_cannot_be_parsed_have_no_vote():
    outcomes = judge(ScriptedModel("Hm.", "Answer: 3", "Hm."), samples=3)

    assert values(outcomes) == ["supported", "supported", "not_supported"]
    assert outcomes[2].score == 0.0
    assert outcomes[2].rationale == "an error in 1 of 1 parsed answers, 2 not parsed"


def test_without_one_sample_that_can_be_parsed_nothing_is_judged():
    assert values(judge(ScriptedModel("Hm."), samples=3)) == [None, None, None]


@pytest.mark.parametrize(
    ("profile", "shown"),
    [
        ("repaired", "1. First:\n2. (empty)\n3. 1. a 2. b\n4. 12 + 3 = 15"),
        ("released-code", "1. First:\n2. \n3. a\n2. b\n4. "),
        ("paper", "1. First:\n2. \n3. 1. a\n2. b\n4. 12 + 3 = 15"),
    ],
)
def test_how_segments_are_shown(profile, shown):
    assert number_lines(["First:", "", "1. a\n2. b", "12 + 3 = 15"], profile) == shown


def test_an_empty_segment_keeps_its_number():
    outcomes = judge(ScriptedModel("Answer: 3"), make_case(segments=["One.", "", "Three."]))

    assert values(outcomes) == ["supported", "supported", "not_supported"]


def test_vicunas_answers_are_read_by_their_own_rule_unless_they_vote():
    model = ScriptedModel("1,3")
    released = {"profile": "released-code", "reader": "vicuna"}
    assert values(judge(model, **released)) == ["not_supported", "supported", "not_supported"]
    assert values(judge(model, profile="released-code")) == ["supported"] * 3
    assert values(judge(model, samples="3", **released)) == ["supported"] * 3
    assert values(judge(ScriptedModel("Hm."), reader="vicuna")) == [None] * 3


def test_the_prompt_may_end_otherwise():
    model = ScriptedModel("Answer: 1")
    judge(model, ending="\\nMy verdict:")
    judge(model)
    [other], [own] = ([messages[-1]["content"]] for messages in model.asked)
    assert other == own + "\nMy verdict:"
