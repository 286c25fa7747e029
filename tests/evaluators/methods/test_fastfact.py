"""FaStfact: what it is sure of is settled at once, the rest is searched for."""

import asyncio

import pytest

from evaluators.methods.base import NO_CLAIM, Judgement, Skip, WebResult
from evaluators.methods.fastfact import METHOD, ProposedClaim, chunks_of, count_calls, read_chunk, settle
from evaluators.methods.parameters import read_parameters
from llm.answer import Answer
from tests.evaluators.methods.cases import AnsweringModel, make_case, units_and_claims

BORN, HORSES = "Ada Lovelace was born in 1815.", "Ada Lovelace had horses."
PAGES = {HORSES: [WebResult("Horses", "https://horses.example/", "Ada Lovelace kept two horses in Surrey.")]}


def judge(case, chunks, verdict="Verdict: supported", web=PAGES, **parameters):
    """chunks: the answers to the requests for claims, in their order."""
    answers = iter(chunks)
    model = AnsweringModel(
        lambda messages: verdict if messages[-1]["content"].startswith("Claim: ") else next(answers), web=web
    )
    outcomes = asyncio.run(METHOD.build(read_parameters(METHOD, parameters))(case, model))
    return units_and_claims(outcomes), model


def test_segments_are_taken_together_but_for_empty_ones():
    assert chunks_of(["a", "", "b", " ", "c", "d"], 3) == [(0, 2, 4), (5,)]
    assert chunks_of(["", " "], 3) == []


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("1. Ada was born. | true 95", [("Ada was born.", 4, True, 0.95)]),
        ("- 2: Ada was tall. | FALSE, 70 %", [("Ada was tall.", 6, False, 0.7)]),
        ("2. 1815 was a year. | unsure 100", [("1815 was a year.", 6, None, 1.0)]),
        (
            "Here they are:\n\n1. Ada was born. | true 95\n1. Ada was born. | true 90",
            [("Ada was born.", 4, True, 0.95)],
        ),
        ("none", []),
        ("No claims.", []),
        ("There is a lot to say.", None),
        ("3. Ada was born. | true 95", None),
        ("1. Ada was born. | true 101", None),
        ("1. Ada was born. | perhaps 50", None),
        ("1. Ada was born. | mostly true 90", None),
        # A line that cannot be read costs its claim alone.
        ("1. Ada was born. | true 95\n3. Ada was tall. | true 95\nAda sang | so", [("Ada was born.", 4, True, 0.95)]),
        ("| 2 | Ada was tall. | true | 0.7 |", [("Ada was tall.", 6, True, 0.7)]),
        ("1. Ada was born.｜true 95.5 %", [("Ada was born.", 4, True, 0.955)]),
        ("The segments state no facts.", []),
        ("", None),
    ],
)
def test_a_line_names_segment_claim_verdict_and_confidence(text, claims):
    found = read_chunk(Answer(9, text, "stop"), (4, 6))

    expected = None if claims is None else [ProposedClaim(*claim, 9) for claim in claims]
    assert found == expected


def test_an_answer_that_was_cut_off_is_not_read():
    assert read_chunk(Answer(9, "1. Ada was born. | true 95", "length"), (0,)) is None


def test_the_score_of_a_settled_claim_is_the_confidence_that_it_is_true():
    said = settle(ProposedClaim(BORN, 0, True, 0.95, 7))
    denied = settle(ProposedClaim(BORN, 0, False, 0.75, 7))

    assert (said.value, said.score, said.calls) == ("supported", 0.95, (7,))
    assert (denied.value, denied.score) == ("not_supported", 0.25)


def test_only_what_the_model_is_not_sure_of_is_searched_for():
    case = make_case(["Ada was born in 1815.", "She had horses.", "Lovely!"])
    chunk = f"1. {BORN} | true 95\n2. {HORSES} | true 60"

    ((first, second, third), claims), model = judge(case, [chunk])

    assert model.searched == [HORSES]
    assert isinstance(first, Judgement)
    assert isinstance(second, Judgement)
    assert (first.value, first.score, second.value, second.score) == ("supported", 0.95, "supported", None)
    assert third == Skip(case.units[2], NO_CLAIM)
    assert [claim.segment for claim in claims] == [0, 1]
    assert "settled without a search" in claims[0].rationale
    assert "Horses\nAda Lovelace kept two horses in Surrey." in model.asked[1][-1]["content"]


def test_an_unsure_verdict_is_searched_for_however_confident():
    case = make_case(["She had horses."])

    _, model = judge(case, [f"1. {HORSES} | unsure 100"])

    assert model.searched == [HORSES]


def test_nothing_is_settled_where_that_is_not_wanted():
    case = make_case(["Ada was born in 1815."])

    ((unit,), _), model = judge(case, [f"1. {BORN} | true 100"], "Verdict: not supported", settle=False)

    assert model.searched == [BORN]
    assert unit.value == "not_supported"


def test_claims_are_verified_by_the_best_passages_of_all_pages_found():
    """What was found for one claim may verify another: the page about horses says when she was born, too."""
    tall = "Ada Lovelace was tall."
    web = {
        HORSES: [WebResult("Horses", "u", "Ada Lovelace kept horses. She was a tall rider.")],
        tall: [WebResult("Hats", "v", "Hats were fashionable in London.")],
    }
    case = make_case(["She had horses.", "She was tall."])

    _, model = judge(case, [f"1. {HORSES} | unsure 10\n2. {tall} | unsure 10"], web=web, passages=1)

    assert [asked[-1]["content"].partition("Passages:\n")[2] for asked in model.asked[1:]] == [
        "Horses\nAda Lovelace kept horses. She was a tall rider."
    ] * 2


def test_a_chunk_that_cannot_be_read_leaves_its_segments_unparsed():
    case = make_case(["Ada was born in 1815.", "She had horses."])

    ((first, second), _), _ = judge(case, [f"1. {BORN} | true 95", "Well."], chunk=1)

    assert isinstance(first, Judgement)
    assert (first.value, second) == ("supported", Judgement(case.units[1], None, calls=(502,)))


def test_the_estimate_counts_as_if_nothing_was_sure():
    case = make_case(["One.", "", "Two.", "Three."])

    # Two chunks of three segments; three claims a segment, each answered twice.
    assert count_calls(case, read_parameters(METHOD, {"chunk": 2, "samples": 2})) == 2 + 9 * 2
