"""FELM's claims: what is asked for, what is read, and how claims decide their segment."""

from dataclasses import replace
from math import log

import pytest

from evaluators.methods.base import Claim, Judgement, Skip
from evaluators.methods.felm_claims import PARSERS, read_claims
from llm.answer import Answer, Token
from tests.evaluators.methods.cases import make_case
from tests.evaluators.methods.felm_model import EXTRACTION, JUDGING, FelmModel, judge, judge_by_claims, values

CASE = make_case(segments=["Certainly!", "Ada was born in London in 1815.", "She died in 1952."])
CLAIMS = """Segment 1:
Segment 2:
Claim 1. Ada was born in London.
Claim 2. Ada was born in 1815.
Segment 3:
Claim 1. Ada died in 1952."""

BORN, DIED = ("Ada was born in London.",), ("Ada died in 1952.",)
# answer about two segments, claims read by: repaired, paper
TABLE = [
    ("Segment 1:\nClaim 1. Ada was born in London.\nSegment 2:\nClaim 1. Ada died in 1952.", {0: BORN, 1: DIED}, True),
    ("Answer:\n\nSegment 1:\n\nSegment 2:\n  Claim 1. Ada died in 1952.\n", {0: (), 1: DIED}, True),
    ("Segment 2:\nClaim 1. Ada died in 1952.", {1: DIED}, True),
    ("", {}, True),
    # Liberties that change no meaning.
    (
        "**Segment 1:**\n- Claim 1: Ada was born in London.\n## Segment 2\n1. Ada died in 1952.",
        {0: BORN, 1: DIED},
        False,
    ),
    ("Here they are.\nSegment 1: Ada was…\n- Ada was born in London.\nsegment 2: No claims.", {0: BORN, 1: ()}, False),
    ("Segment 1: Claim 1. Ada was born in London.\nSegment 2: (none)", {0: BORN, 1: ()}, False),
    ("Segment 1:\nClaim 1. Ada was born in London.\nSegment 2: There are no factual claims.", {0: BORN, 1: ()}, False),
    ("* **Segment 1:**\n  * Ada was born in London.\nSegment 2:\n• Ada died in 1952.", {0: BORN, 1: DIED}, False),
    ('Segment 1:\n["Ada was born in London."]\nSegment 2:\nNone', {0: BORN, 1: ()}, False),
    # What it asks and answers itself.
    ("Segment 1:\n- Ada was born in London.\nQuestion: Who?\nSegments:\nSegment 1:\n- Bo sang.", {0: BORN}, False),
    # Not to be guessed at: prose where claims should be.
    ("Segment 1:\nAda was born in London.\nSegment 2:\nClaim 1. Ada died in 1952.", {1: DIED}, False),
    ("I cannot do that.", {}, False),
    ("Claim 1. Ada was born in London.", {}, False),
    # Numbers that no segment has, or two have.
    ("Segment 0:\nClaim 1. Ada was born in London.", {}, False),
    ("Segment 3:\nClaim 1. Ada was born in London.", {}, False),
    ("Segment 1:\nClaim 1. Ada was born in London.\nSegment 1:\nClaim 1. Ada died in 1952.", {}, False),
]


@pytest.mark.parametrize(("text", "claims", "strict"), TABLE, ids=[repr(row[0])[:50] for row in TABLE])
def test_which_claims_are_read(text, claims, strict):
    assert PARSERS["repaired"](text, 2) == claims
    assert PARSERS["paper"](text, 2) == (claims if strict else {})


def test_a_single_segment_needs_no_heading():
    assert PARSERS["repaired"]("Claim 1. Ada was born in London.", 1) == {0: BORN}


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_was_cut_off_or_refused_has_no_claims(reason):
    for profile in PARSERS:
        assert read_claims(Answer(1, CLAIMS, reason), 3, profile) == {}


def test_claims_are_extracted_in_one_call_and_judged_as_one_list():
    model = FelmModel("Answer: 3", claims=(CLAIMS,))

    outcomes = judge("felm-claim", model, CASE)

    [extraction], [judging] = model.extractions, model.asked
    assert extraction[-1]["content"].endswith(
        "Segments:\n1. Certainly!\n2. Ada was born in London in 1815.\n3. She died in 1952."
    )
    assert judging[-1]["content"] == (
        "Question: Who was Ada Lovelace?\n\nClaims:\n"
        "1. Ada was born in London.\n2. Ada was born in 1815.\n3. Ada died in 1952."
    )
    assert values(outcomes) == ["supported", "supported", "not_supported"]
    assert [outcome.calls for outcome in outcomes] == [(EXTRACTION,), (EXTRACTION, JUDGING), (EXTRACTION, JUDGING)]


def test_a_segment_is_an_error_when_any_claim_of_it_is():
    assert values(judge("felm-claim", FelmModel("Answer: 2", claims=(CLAIMS,)), CASE)) == [
        "supported",
        "not_supported",
        "supported",
    ]


def test_samples_vote_on_segments_not_on_claims():
    model = FelmModel("Answer: 1", "Answer: 2", "Answer: 3", claims=(CLAIMS,))

    outcomes = judge("felm-claim", model, CASE, samples=3, temperature=0.9)

    # The first sample finds the first claim of segment 2 false, the second its other claim.
    assert values(outcomes) == ["supported", "not_supported", "supported"]
    assert outcomes[1].score == pytest.approx(1 / 3)
    assert outcomes[2].score == pytest.approx(2 / 3)


def test_whatever_the_method_the_same_claims_are_asked_for_in_the_same_words():
    models = [FelmModel("ALL_CORRECT", claims=(CLAIMS,)) for _ in range(4)]
    case = make_case(segments=CASE.segments, references=["Ada Lovelace was born in London."])

    judge("felm-claim", models[0], case)
    judge("felm-claim-cot", models[1], case, profile="paper", max_tokens=100)
    judge("felm-claim-link", models[2], case, profile="released-code")
    judge("felm-self-consistency", models[3], case, over="felm-claim-doc")

    for model in models:
        assert model.extractions == models[0].extractions
        assert model.overrides == [{"sample": 0, "temperature": 0.0, "max_tokens": 1500}]


def test_science_has_an_extraction_prompt_of_its_own():
    model = FelmModel("ALL_CORRECT", claims=(CLAIMS,))

    judge("felm-claim", model, replace(CASE, domain="science"))

    assert "hash table" in model.extractions[0][1]["content"]


def test_a_segment_whose_claims_cannot_be_read_is_unparsed_and_the_others_are_judged():
    model = FelmModel("Answer: 1", claims=("Segment 2:\nClaim 1. Ada was born in 1815.",))

    outcomes = judge("felm-claim", model, CASE)

    assert values(outcomes) == [None, "not_supported", None]
    assert outcomes[0].rationale == "Segment 2:\nClaim 1. Ada was born in 1815."
    assert outcomes[0].calls == (EXTRACTION,)


def test_where_there_is_no_claim_nothing_is_asked_about_claims():
    model = FelmModel("Answer: 1", claims=("Segment 1:\nSegment 2:\nSegment 3:",))

    outcomes = judge("felm-claim", model, CASE)

    assert model.asked == []
    assert values(outcomes) == ["supported"] * 3
    assert {outcome.rationale for outcome in outcomes} == {"no claim"}


# What the three votes say of the segments in `test_each_claim_has_the_majority_of_the_samples_on_it`.
SPLIT = "an error in {} of 3 parsed answers, 0 not parsed"


def test_each_claim_has_the_majority_of_the_samples_on_it():
    """The claims of segment 2 are flagged once each: both are supported, and their segment is an error all the same,
    as two of the three samples find one in it. That of segment 3 is flagged twice."""
    model = FelmModel("Answer: 1", "Answer: 2,3", "Answer: 3", claims=(CLAIMS,))

    units, claims = judge_by_claims("felm-claim", model, CASE, samples=3, temperature=0.9)

    calls = (EXTRACTION, JUDGING, JUDGING + 1, JUDGING + 2)
    first, second, third = CASE.units
    assert units == [
        Judgement(first, "supported", None, "no claim", (EXTRACTION,)),
        Judgement(second, "not_supported", 1 - 2 / 3, SPLIT.format(2), calls),
        Judgement(third, "not_supported", 1 - 2 / 3, SPLIT.format(2), calls),
    ]
    assert claims == [
        Claim("Ada was born in London.", "supported", 1 - 1 / 3, SPLIT.format(1), calls, 1),
        Claim("Ada was born in 1815.", "supported", 1 - 1 / 3, SPLIT.format(1), calls, 1),
        Claim("Ada died in 1952.", "not_supported", 1 - 2 / 3, SPLIT.format(2), calls, 2),
    ]


def test_a_claim_whose_judgement_cannot_be_parsed_has_no_verdict():
    units, claims = judge_by_claims("felm-claim", FelmModel("Who knows?", claims=(CLAIMS,)), CASE)

    assert values(units) == ["supported", None, None]
    assert [(claim.value, claim.rationale, claim.segment) for claim in claims] == [
        (None, "Who knows?", 1),
        (None, "Who knows?", 1),
        (None, "Who knows?", 2),
    ]


def test_claims_that_no_call_has_room_for_are_extracted_and_have_no_verdict():
    case = make_case(segments=["A.", "B."])
    listed = f"Segment 1:\nClaim 1. Ada sang.\nSegment 2:\nClaim 1. {'Ada sang on. ' * 500}"
    model = FelmModel("Answer: 1", claims=(listed,))

    units, claims = judge_by_claims("felm-claim", model, case, context=1500, max_tokens=100, claim_tokens=100)

    assert units[1] == Skip(case.units[1], "longer than the context")
    assert [(claim.value, claim.rationale, claim.segment) for claim in claims] == [
        ("not_supported", "Answer: 1", 0),
        (None, "longer than the context", 1),
    ]


@pytest.mark.parametrize("extraction", ["I cannot do that.", "Segment 1:\nSegment 2:\nSegment 3:"])
def test_what_is_not_read_or_not_there_is_no_claim(extraction):
    assert judge_by_claims("felm-claim", FelmModel("Answer: 1", claims=(extraction,)), CASE)[1] == []


def test_a_response_that_is_judged_by_segments_has_no_claims():
    model = FelmModel("Answer: 2", claims=(CLAIMS,))

    units, claims = judge_by_claims("felm-claim", model, replace(CASE, domain="math"))

    assert (values(units), claims) == (["supported", "not_supported", "supported"], [])
    assert judge_by_claims("felm-segment", model, CASE)[1] == []


def test_self_consistency_over_claims_gives_them_too():
    model = FelmModel("Answer: 1", claims=(CLAIMS,))

    _, claims = judge_by_claims("felm-self-consistency", model, CASE, over="felm-claim")

    assert [claim.value for claim in claims] == ["not_supported", "supported", "supported"]


def test_a_claim_has_its_own_score_by_log_probabilities():
    """P(1) is 0.2 where the answer names 2; the claim of the other line is named with 0.7."""
    tops = {name: log(chance) for name, chance in {" 2": 0.7, " 1": 0.2, "ALL": 0.1}.items()}

    class Probable(FelmModel):
        async def ask(self, messages, sample=0, **overrides):
            if overrides.pop("logprobs", False):
                return Answer(JUDGING, "Answer: 2", "stop", (Token("Answer:", 0.0, {}), Token(" 2", log(0.7), tops)))
            return await super().ask(messages, sample, **overrides)

    model = Probable(claims=("Segment 1:\nClaim 1. Ada sang.\nClaim 2. Ada danced.",))
    units, claims = judge_by_claims("felm-claim", model, make_case(segments=["A."]), logprobs=True)

    # Neither is named: 1 - (0.2 + 0.7).
    assert [outcome.score for outcome in (*units, *claims)] == pytest.approx([0.1, 0.8, 0.3])
