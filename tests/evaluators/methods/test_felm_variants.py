"""What FELM's evaluators show a model, and what they fall back to where there is nothing to show."""

from dataclasses import replace

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import Reference, Skip
from evaluators.methods.felm import ROWS
from evaluators.methods.felm_prompts import count_tokens
from evaluators.methods.felm_references import cut_tokens, show_document
from evaluators.methods.parameters import read_parameters
from tests.evaluators.methods.cases import make_case
from tests.evaluators.methods.felm_model import FelmModel, judge, values

SEGMENTS = ("Ada was born in 1815.", "She died in 1952.")
CLAIMS = "Segment 1:\nClaim 1. Ada was born in 1815.\nSegment 2:\nClaim 1. Ada died in 1952."
LIFE = "Ada Lovelace was born in London in 1815 and died there in 1852."
MUCH = " has" + " much to say" * 40
CASE = make_case(segments=SEGMENTS, references=[LIFE])
REFERENCE_METHODS = ["felm-segment-link", "felm-segment-doc", "felm-claim-link", "felm-claim-doc"]


def asked_by(name, case=CASE, **parameters):
    model = FelmModel("Answer: 2", claims=(CLAIMS,))
    outcomes = judge(name, model, case, **parameters)
    return model, outcomes


@pytest.mark.parametrize("name", ROWS)
def test_every_variant_finds_the_segment_that_the_model_names(name):
    assert values(asked_by(name)[1]) == ["supported", "not_supported"]


@pytest.mark.parametrize("name", ["felm-segment-link", "felm-claim-link"])
def test_links_are_shown_each_once(name):
    urls = ["https://example.org/ada", None, "https://example.org/byron", "https://example.org/ada"]
    model, _ = asked_by(name, replace(CASE, references=tuple(Reference(url, None) for url in urls)))

    assert model.asked[0][-1]["content"].endswith(
        "\n\nReference links:\nhttps://example.org/ada\nhttps://example.org/byron"
    )


@pytest.mark.parametrize("name", ["felm-segment-doc", "felm-claim-doc"])
def test_what_the_references_say_is_shown(name):
    model, _ = asked_by(name)

    assert model.asked[0][-1]["content"].endswith(f"\n\nReference document:\n{LIFE}")


def test_of_each_document_the_best_chunk_is_shown_in_the_order_of_the_references():
    weather = "It rained in the valley all through that long summer and nobody went out."  # 14 words
    case = make_case(segments=SEGMENTS, references=[f"{weather} {LIFE}", None, " ", weather])

    # In chunks of 14 words the first document is the weather and then the 13 words of Ada's life.
    assert show_document(case, 14, "words") == f"{LIFE}\n\n{weather}"


def test_signs_are_tokens_and_spaces_are_not():
    assert cut_tokens("Ada's life, 1815-52.", 4, "tokens") == ["Ada's life", ", 1815-52", "."]
    assert cut_tokens("Ada's life, 1815-52.", 2, "words") == ["Ada's life,", "1815-52."]


def test_a_document_without_a_content_word_is_shown_from_its_beginning():
    assert show_document(make_case(references=["It's"]), 16, "tokens") == "It's"


@pytest.mark.parametrize("name", [name for name in ROWS if name not in ("felm-segment", "felm-segment-cot")])
@pytest.mark.parametrize("domain", ["math", "reasoning"])
def test_math_and_reasoning_fall_back_to_segments_prompted_alike(name, domain):
    case = replace(CASE, domain=domain)
    model, outcomes = asked_by(name, case)
    plain, _ = asked_by("felm-segment-cot" if name.endswith("cot") else "felm-segment", case)

    assert model.extractions == []
    assert model.asked == plain.asked
    assert [outcome.fallback for outcome in outcomes] == [domain, domain]


@pytest.mark.parametrize("name", REFERENCE_METHODS)
def test_without_anything_to_refer_to_they_fall_back_to_segments(name):
    case = replace(CASE, references=(Reference("", " "),))
    model, outcomes = asked_by(name, case)
    plain, _ = asked_by("felm-segment", case)

    assert model.asked == plain.asked
    assert {outcome.fallback for outcome in outcomes} == {"no link" if name.endswith("link") else "no document"}


def test_a_link_without_contents_is_no_document():
    case = replace(CASE, references=(Reference("https://example.org", None),))

    assert {outcome.fallback for outcome in asked_by("felm-segment-doc", case)[1]} == {"no document"}
    assert {outcome.fallback for outcome in asked_by("felm-segment-link", case)[1]} == {""}


@pytest.mark.parametrize("name", ["felm-segment", "felm-segment-cot", "felm-claim", "felm-claim-cot"])
def test_what_needs_no_reference_does_not_fall_back_for_want_of_one(name):
    case = replace(CASE, references=())

    assert {outcome.fallback for outcome in asked_by(name, case)[1]} == {""}


def test_a_thought_before_the_answer_is_passed_over():
    said = "Thought: Segment 1 is right, 2 is not: she died in 1852. Answer: 2"

    assert values(judge("felm-segment-cot", FelmModel(said), CASE)) == ["supported", "not_supported"]
    assert values(judge("felm-segment", FelmModel(said), CASE)) == [None, None]


def test_self_consistency_asks_nine_times_after_a_thought():
    model, outcomes = asked_by("felm-self-consistency")
    method = METHODS["felm-self-consistency"]

    assert len(model.asked) == 9
    assert "Thought:" in model.asked[0][0]["content"]
    assert read_parameters(method, {})["temperature"] == 0.9
    assert [outcome.score for outcome in outcomes] == [1.0, 0.0]


@pytest.mark.parametrize("name", ROWS)
def test_self_consistency_asks_what_the_other_method_asks(name):
    consistent, outcomes = asked_by("felm-self-consistency", over=name, samples=1)
    alone, same = asked_by(name)

    assert (consistent.asked, consistent.extractions, outcomes) == (alone.asked, alone.extractions, same)


@pytest.mark.parametrize("name", ROWS)
def test_as_many_calls_are_made_as_are_said_to_be(name):
    model, _ = asked_by(name, samples=3, temperature=0.9)
    method = METHODS[name]

    if method.calls is not None:
        parameters = read_parameters(method, {"samples": 3, "temperature": 0.9})
        assert method.calls(CASE, parameters) == len(model.asked) + len(model.extractions)
        assert method.calls(replace(CASE, domain="math"), parameters) == 3


def tokens_asked(name, case):
    """The tokens of the first prompt that judges the case when there is room for all of it."""
    return count_tokens(asked_by(name, case, context=100_000)[0].asked[0])


def test_a_long_response_is_cut_between_segments_and_every_part_numbered_from_one():
    case = make_case(segments=[letter + MUCH for letter in "ABCD"])
    two = tokens_asked("felm-segment", make_case(segments=["A" + MUCH, "B" + MUCH]))

    model, outcomes = asked_by("felm-segment", case, context=two + 100, max_tokens=100)

    first, second = (messages[-1]["content"] for messages in model.asked)
    assert first.endswith(f"\n1. A{MUCH}\n2. B{MUCH}")
    assert second.endswith(f"\n1. C{MUCH}\n2. D{MUCH}")
    assert values(outcomes) == ["supported", "not_supported", "supported", "not_supported"]


def test_a_segment_longer_than_the_context_is_left_out_and_said_to_be():
    case = make_case(segments=["Short.", "long " * 2000, "Short too."])
    model = FelmModel("Answer: 2")

    outcomes = judge("felm-segment", model, case, context=1500, max_tokens=100)

    assert outcomes[1] == Skip(case.units[1], "longer than the context")
    assert values([outcomes[0], outcomes[2]]) == ["supported", "not_supported"]
    [messages] = model.asked
    assert "2. Short too." in messages[-1]["content"]


def test_the_claims_of_one_segment_stay_in_one_list():
    case = make_case(segments=["A", "B"])
    claims = f"Segment 1:\nClaim 1. A{MUCH}\nSegment 2:\nClaim 1. B{MUCH}\nClaim 2. C{MUCH}"
    pair = FelmModel("ALL_CORRECT", claims=(f"Segment 1:\nClaim 1. A{MUCH}\nClaim 2. B{MUCH}",))
    judge("felm-claim", pair, make_case(segments=["A"]))
    room = count_tokens(pair.asked[0])
    model = FelmModel("Answer: 1", claims=(claims,))

    outcomes = judge("felm-claim", model, case, context=room + 100, max_tokens=100, claim_tokens=10)

    first, second = (messages[-1]["content"] for messages in model.asked)
    assert first.endswith(f"Claims:\n1. A{MUCH}")
    assert second.endswith(f"Claims:\n1. B{MUCH}\n2. C{MUCH}")
    assert values(outcomes) == ["not_supported", "not_supported"]


def test_claims_of_a_long_response_are_extracted_in_parts():
    case = make_case(segments=[letter + MUCH for letter in "AB"])
    claims = tuple(f"Segment 1:\nClaim 1. {letter}." for letter in "AB")
    one = FelmModel("Answer: 2", claims=claims)
    judge("felm-claim", one, make_case(segments=["A" + MUCH]))
    room = count_tokens(one.extractions[0])
    model = FelmModel("Answer: 2", claims=claims)

    outcomes = judge("felm-claim", model, case, context=room + 1500, max_tokens=100)

    assert len(model.extractions) == 2
    assert [messages[-1]["content"][-12:] for messages in model.asked] == ["\n1. A.\n2. B."]
    assert values(outcomes) == ["supported", "not_supported"]
