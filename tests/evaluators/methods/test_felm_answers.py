"""What each protocol profile reads in an answer about five segments, without and with a chain of thought."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from evaluators.methods.felm_answers import PARSERS, THOUGHT_PARSERS, parse_released_vicuna, read_answer
from llm.answer import Answer

NONE, UNPARSED = set(), None

# answer, flagged segments counted from 0 by: repaired, paper, released-code
TABLE = [
    ("ALL_CORRECT", NONE, NONE, NONE),
    ("Answer: ALL_CORRECT", NONE, NONE, NONE),
    ('"ALL_CORRECT"', NONE, NONE, NONE),
    ("**ALL_CORRECT**.", NONE, UNPARSED, NONE),
    ("Answer: 1,2", {0, 1}, {0, 1}, {0, 1}),
    ("Answer: 5", {4}, {4}, {4}),
    ("  Answer:  2 , 4 \n", {1, 3}, {1, 3}, {1, 3}),
    ("Answer: 2, 2", {1}, {1}, {1}),
    # Without the space, or without the word, the released code finds nothing and calls all correct.
    ("Answer:1,2", {0, 1}, {0, 1}, NONE),
    ("1,2", {0, 1}, {0, 1}, NONE),
    # Liberties that change no meaning.
    ("Answer: [1, 3]", {0, 2}, UNPARSED, {0, 2}),
    ("Answer: 1 and 3.", {0, 2}, UNPARSED, {0, 2}),
    ("Answer: 1, 3, and 4", {0, 2, 3}, UNPARSED, {0, 2, 3}),
    ("**Answer:** Segments 1 & 3", {0, 2}, UNPARSED, NONE),
    ("answer 3", {2}, UNPARSED, NONE),
    ("The second one is off.\n\nAnswer: 2", {1}, UNPARSED, {1}),
    ("Answer: 2\nAnswer: 2", {1}, UNPARSED, {1}),
    # Not to be guessed at.
    ("", UNPARSED, UNPARSED, NONE),
    ("I cannot check this.", UNPARSED, UNPARSED, NONE),
    ("Answer:", UNPARSED, UNPARSED, NONE),
    ("Answer: 1 2", UNPARSED, UNPARSED, {0, 1}),
    ("Answer: 1-3", UNPARSED, UNPARSED, {0, 2}),
    ("Answer: 1,,2", UNPARSED, UNPARSED, {0, 1}),
    ("Answer: 2, because 3 of the 4 facts are wrong", UNPARSED, UNPARSED, {1, 2, 3}),
    ("Segments 1 and 2 are wrong.\nSo is 4.", UNPARSED, UNPARSED, NONE),
    ("Answer: 1\nAnswer: 2", UNPARSED, UNPARSED, {0, 1}),
    ("Answer: 1, ALL_CORRECT", UNPARSED, UNPARSED, NONE),
    ("Not ALL_CORRECT.\nAnswer: 3", {2}, UNPARSED, NONE),
    # Ids that no segment has: 0 flags the last in the released code, 6 is passed over.
    ("Answer: 0", UNPARSED, UNPARSED, {4}),
    ("Answer: 2,6", UNPARSED, UNPARSED, {1}),
    ("Answer: " + "9" * 5000, UNPARSED, UNPARSED, NONE),
    # In words, signs and languages of other models.
    ("All correct.", NONE, UNPARSED, NONE),
    ("None", NONE, UNPARSED, NONE),
    ("Answer: none", NONE, UNPARSED, NONE),
    ("Answer: All segments are correct.", NONE, UNPARSED, NONE),
    ("No errors found.", NONE, UNPARSED, NONE),
    ("Answer: ALL\\_CORRECT", NONE, UNPARSED, NONE),
    ("Segments with errors: 2, 3", {1, 2}, UNPARSED, NONE),
    ("Correct segments: 2, 3", UNPARSED, UNPARSED, NONE),
    ("Not all correct.", UNPARSED, UNPARSED, NONE),
    ("All correct except 2", UNPARSED, UNPARSED, NONE),
    ("None of the segments are correct.", UNPARSED, UNPARSED, NONE),
    ("#2, #3", {1, 2}, UNPARSED, NONE),
    ("segments 2 and 3", {1, 2}, UNPARSED, NONE),
    ("Answer: Segment 2, segment 3 and segment 5", {1, 2, 4}, UNPARSED, {1, 2, 4}),
    ("The answer is 2, 3.", {1, 2}, UNPARSED, NONE),
    ("**Final answer:**\n2, 3", {1, 2}, UNPARSED, NONE),
    ("Answer: ２、３", {1, 2}, UNPARSED, {1, 2}),
    ("2、3", {1, 2}, UNPARSED, NONE),
    ("答案：2、3。", {1, 2}, UNPARSED, NONE),
    ("答案是２和３", {1, 2}, UNPARSED, NONE),
    ("答え：なし", NONE, UNPARSED, NONE),
    ("Antwort: 2 und 3", {1, 2}, UNPARSED, NONE),
    ("Die Antwort ist 2.", {1}, UNPARSED, NONE),
    ("Respuesta: 2 y 3", {1, 2}, UNPARSED, NONE),
    ("**Réponse :** 2 et 3", {1, 2}, UNPARSED, NONE),
    ("Risposta: 2 e 3", {1, 2}, UNPARSED, NONE),
    ("Ответ: 2 и 3", {1, 2}, UNPARSED, NONE),
    ("الإجابة: ٢، ٣", {1, 2}, UNPARSED, NONE),
    ("Answer: \u0663", {2}, UNPARSED, {2}),  # an Arabic 3
]


@pytest.mark.parametrize(("text", "repaired", "paper", "released"), TABLE, ids=[repr(row[0])[:40] for row in TABLE])
def test_what_is_read(text, repaired, paper, released):
    assert PARSERS["repaired"](text, 5) == repaired
    assert PARSERS["paper"](text, 5) == paper
    assert PARSERS["released-code"](text, 5) == released


# The same after a chain of thought.
THOUGHTS = [
    ("Thought: 2 is wrong.\nAnswer: 2", {1}, {1}, {1}),
    ("Thought:\nAnswer: ALL_CORRECT", NONE, NONE, NONE),
    ("Answer: 1,2", {0, 1}, {0, 1}, {0, 1}),
    ("Thought: 2 is wrong. Answer: 2", {1}, {1}, {1}),
    ("ALL_CORRECT", NONE, NONE, NONE),
    # Liberties that change no meaning.
    ("Segment 2 is wrong.\n**Answer:** 2.", {1}, UNPARSED, NONE),
    ("Thought: nothing is wrong.\n\nALL_CORRECT", NONE, UNPARSED, NONE),
    ("Thought: 3 is wrong.\nAnswer: 3\nIt means that segment 3 is.", {2}, UNPARSED, {2}),
    ("他生于1815年。答案：2", {1}, UNPARSED, NONE),
    ("Zwei ist falsch. Antwort: 2", {1}, UNPARSED, NONE),
    ("Thought: nothing is wrong.\n\nAll correct.", NONE, UNPARSED, NONE),
    # Not to be guessed at. The released code takes the first `Answer: ` and every number behind it.
    ("Thought: segment 2 is wrong.", UNPARSED, UNPARSED, NONE),
    ("Thought: the 4 facts are right.\n2", UNPARSED, UNPARSED, NONE),
    ("Thought: it says Answer: 3, which is right.\nAnswer: 2", UNPARSED, UNPARSED, {1, 2}),
    ("Thought: 1 is not ALL_CORRECT.\nAnswer: 1", {0}, {0}, NONE),
]


@pytest.mark.parametrize(
    ("text", "repaired", "paper", "released"), THOUGHTS, ids=[repr(row[0])[:40] for row in THOUGHTS]
)
def test_what_is_read_after_a_chain_of_thought(text, repaired, paper, released):
    assert THOUGHT_PARSERS["repaired"](text, 5) == repaired
    assert THOUGHT_PARSERS["paper"](text, 5) == paper
    assert THOUGHT_PARSERS["released-code"](text, 5) == released


def test_claims_may_be_called_so():
    assert PARSERS["repaired"]("Answer: Claims 1 and 3", 5) == {0, 2}


@pytest.mark.parametrize("reason", ["length", "content_filter"])
@pytest.mark.parametrize(("profile", "flagged"), [("repaired", None), ("paper", None), ("released-code", {0})])
def test_an_answer_that_was_cut_off_or_refused(profile, flagged, reason):
    assert read_answer(Answer(1, "Answer: 1", reason), 5, profile) == flagged


@given(some.text(alphabet="Answer: ALL_CORRECT,0123456789.[]*\n segment and", max_size=60), some.integers(1, 9))
def test_whatever_the_answer_only_segments_that_are_there_are_flagged(text, segments):
    for parse in [*PARSERS.values(), *THOUGHT_PARSERS.values()]:
        assert (parse(text, segments) or set()) <= set(range(segments))


@given(some.sets(some.integers(1, 40), min_size=1))
def test_the_format_asked_for_is_read_alike_under_every_profile(ids):
    text = "Answer: " + ",".join(map(str, ids))

    assert [parse(text, 40) for parse in PARSERS.values()] == [{number - 1 for number in ids}] * len(PARSERS)


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("Answer:1,3", {0, 2}),
        ("answers: 1,3", {0, 2}),
        ("Answer: 0", {4}),
        ("Thought: 1 is off.\nAnswer: 3", {0, 2}),
        ("Not ALL_CORRECT. Answer: 2", {1}),
        ("ALL_CORRECT", NONE),
        (r"ALL\_CORRECT 2", NONE),
        ("Answer: 9, 2.5", {1, 4}),
        ("", NONE),
    ],
)
def test_vicuna_is_read_otherwise_by_the_published_code(text, flagged):
    assert parse_released_vicuna(text, 5) == flagged
    assert read_answer(Answer(1, text, "length"), 5, "released-code", vicuna=True) == flagged
