"""VeriScore: what it reads out of answers, what it searches for, and how its verdicts become outcomes."""

import asyncio

import pytest

from annotate.prompt_sets.templates import read_template
from evaluators.methods.base import NO_CLAIM, Claim, Judgement, Skip, WebResult
from evaluators.methods.parameters import read_parameters
from evaluators.methods.veriscore import METHOD, count_calls, count_searches, read_verdicts, show_window
from llm.answer import Answer
from tests.evaluators.methods.cases import AnsweringModel, make_case, units_and_claims

BORN, WROTE = "Ada Lovelace was born in 1815.", "Ada Lovelace wrote the first program."
PAGES = {
    BORN: [WebResult("Ada", "https://ada.example/", "Born 1815.")],
    WROTE: [WebResult("Program", "https://program.example/", "The first program was hers.")],
}


def extract(claims_of):
    """An answer to each request: the claims of a sentence, or supported for every claim but those with "wrong"."""

    def answer(messages):
        asked = messages[-1]["content"]
        if "Sentence: " in asked:
            return claims_of[asked.rpartition("Sentence: ")[2].strip()]
        numbers = [
            line.split(":")[0].removeprefix("Claim ") for line in asked.splitlines() if line.startswith("Claim ")
        ]
        return "\n".join(f"{number}. supported" for number in numbers)

    return answer


def judge(case, answer, web=PAGES, **parameters):
    model = AnsweringModel(answer, web=web)
    outcomes = asyncio.run(METHOD.build(read_parameters(METHOD, parameters))(case, model))
    return units_and_claims(outcomes), model


def test_a_sentence_is_shown_with_its_neighbours():
    sentences = ["One.", "Two.", "", "Three.\nOn two lines.", "Four.", "Five."]

    assert show_window(sentences, 3, 2, 1) == "Two. Three. On two lines. Four."
    assert show_window(sentences, 0, 3, 0) == "One."
    assert show_window(sentences, 5, 1, 9) == "Four. Five."


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("1. supported\n2. not supported", {1: "supported", 2: "not_supported"}),
        ("Claim verdicts:\n**1.** Supported\n- 2) Unsupported.", {1: "supported", 2: "not_supported"}),
        ("1. supported\n1. not supported\n2. supported", {2: "supported"}),
        ("3. supported", {}),
        ("Both are supported.", {}),
        ("", {}),
    ],
)
def test_verdicts_are_read_by_number(text, verdicts):
    assert read_verdicts(Answer(1, text, "stop"), 2) == verdicts


def test_each_claim_is_searched_for_and_verified_and_stands_at_its_sentence():
    case = make_case(["Ada was born in 1815.", "Marvellous!", "She wrote the first program."])
    said = {"Ada was born in 1815.": f"- {BORN}", "Marvellous!": "none", "She wrote the first program.": f"- {WROTE}"}

    ((first, second, third), claims), model = judge(case, extract(said))

    assert model.searched == [BORN, WROTE]
    assert isinstance(first, Judgement)
    assert isinstance(third, Judgement)
    assert (first.value, first.score, third.value) == ("supported", None, "supported")
    assert second == Skip(case.units[1], NO_CLAIM)
    assert [(claim.text, claim.value, claim.segment) for claim in claims] == [
        (BORN, "supported", 0),
        (WROTE, "supported", 2),
    ]
    # Three requests for claims, then one with both claims and what was found for each.
    assert len(model.asked) == 4
    assert f"Claim 2: {WROTE}\nFound for claim 2:\nProgram\nhttps://program.example/" in model.asked[3][-1]["content"]
    assert "https://ada.example/" in claims[0].rationale


def test_a_claim_that_two_sentences_make_is_verified_once():
    case = make_case(["Ada was born in 1815.", "She was born in 1815."])
    said = dict.fromkeys(case.segments, f"- {BORN}")

    (units, claims), model = judge(case, extract(said))

    assert model.searched == [BORN]
    assert [claim.segment for claim in claims] == [0, 1]
    assert [unit.value for unit in units] == ["supported", "supported"]


def test_a_call_verifies_as_many_claims_as_the_batch_holds():
    case = make_case(["Ada."])
    said = {"Ada.": "\n".join(f"- Ada had {number} horses." for number in range(5))}

    _, model = judge(case, extract(said), batch=2)

    assert len(model.asked) == 1 + 3


def test_a_claim_that_the_answer_leaves_out_is_unparsed_with_the_answer_as_reason():
    case = make_case(["Ada was born in 1815."])

    def answer(messages):
        return f"- {BORN}" if "Sentence: " in messages[-1]["content"] else "I cannot say."

    ((unit,), (claim,)), _ = judge(case, answer)

    assert (unit.value, claim.value) == (None, None)
    assert claim.rationale.endswith("I cannot say.")


def test_a_sentence_whose_claims_cannot_be_read_is_unparsed():
    ((unit,), claims), _ = judge(make_case(["Ada was born in 1815."]), lambda messages: "Let me think about it.")

    assert (unit.value, claims, len(unit.calls)) == (None, [], 1)


def test_several_answers_vote():
    case = make_case(["Ada was born in 1815."])
    verdicts = iter(["1. supported", "1. not supported", "1. supported"])

    def answer(messages):
        return f"- {BORN}" if "Sentence: " in messages[-1]["content"] else next(verdicts)

    (_, (claim,)), _ = judge(case, answer, samples=3)

    assert isinstance(claim, Claim)
    assert (claim.value, claim.score) == ("supported", pytest.approx(2 / 3))
    assert len(claim.calls) == 4


def test_the_estimate_takes_three_claims_a_sentence():
    case = make_case(["One.", "", "Two.", "Three."])
    parameters = read_parameters(METHOD, {"batch": 4, "samples": 2})

    # Three sentences; nine claims in three batches, each answered twice.
    assert count_calls(case, parameters) == 3 + 3 * 2
    assert count_searches(case, parameters) == 9


def test_its_templates_are_those_of_the_project():
    assert read_template("touchstone", "veriscore_verify").turns
