"""True or False: from log-probabilities, else from the text, under each profile."""

import math

import pytest

from evaluators.methods.deciding import ParsedVerdict, decide, probability_of_true
from llm.answer import Answer, Token


def answer(text, *tokens, finish_reason="stop"):
    return Answer(1, text, finish_reason, tokens)


def token(text, shares):
    """A generated token beside its alternatives, probabilities by spelling."""
    spellings = {name: math.log(share) for name, share in shares.items()}
    return Token(text, spellings[text], spellings)


def text_says(text, profile="repaired", finish_reason="stop"):
    return decide(answer(text, finish_reason=finish_reason), profile).true


def test_the_probabilities_of_the_two_words_decide():
    # 0.6 of True against 0.2 of False: 0.6 / 0.8; the rest of the mass does not count.
    verdict = decide(
        answer("True", token("True", {" True": 0.0001, "True": 0.6, "False": 0.2, "The": 0.1})), "repaired"
    )
    assert verdict.true is True
    assert verdict.probability == pytest.approx(0.6001 / 0.8001)


def test_spellings_of_a_word_are_summed():
    # "True" is the likeliest token, but False in all its spellings is likelier.
    one = token("True", {"True": 0.4, "False": 0.3, " false": 0.2, "FALSE": 0.1})
    assert decide(answer("True", one), "paper") == ParsedVerdict(False, pytest.approx(0.4))


def test_a_word_that_is_not_among_the_alternatives_counts_nothing():
    assert probability_of_true([token("False", {"False": 0.9, "No": 0.05})]) == 0.0


def test_equal_probabilities_are_no_support():
    assert decide(answer("True", token("True", {"True": 0.5, "False": 0.5})), "paper") == ParsedVerdict(False, 0.5)


def test_white_space_before_the_first_word_is_passed_over():
    tokens = (token("\n", {"\n": 1.0}), token("True", {"True": 0.9, "False": 0.1}))
    assert decide(answer("\nTrue", *tokens), "paper").probability == pytest.approx(0.9)


def test_repaired_looks_where_the_answer_settles():
    tokens = (
        token("Answer", {"Answer": 0.7, "True": 0.2}),
        token(":", {":": 1.0}),
        token(" False", {" False": 0.8, " True": 0.2}),
    )
    text = "Answer: False"
    assert decide(answer(text, *tokens), "repaired") == ParsedVerdict(False, pytest.approx(0.2))
    # The paper compares the two words as the next ones, whatever was generated.
    assert decide(answer(text, *tokens), "paper") == ParsedVerdict(True, 1.0)


def test_a_base_model_that_talks_on_is_decided_by_its_first_word():
    tokens = (token("The", {"The": 0.6, "True": 0.1, "False": 0.3}), token(" bridge", {" bridge": 1.0}))
    assert decide(answer("The bridge", *tokens, finish_reason="length"), "repaired") == ParsedVerdict(
        False, pytest.approx(0.25)
    )


def test_without_either_word_among_the_tokens_the_text_decides():
    tokens = (token("It", {"It": 0.9, "This": 0.1}), token(" is true.", {" is true.": 1.0}))
    assert decide(answer("It is true.", *tokens), "paper") == ParsedVerdict(True, None)


def test_the_probability_of_a_negated_word_is_not_that_of_the_statement():
    tokens = (token("Not", {"Not": 1.0}), token(" true", {" true": 0.9, " false": 0.1}))
    assert decide(answer("Not true", *tokens), "repaired") == ParsedVerdict(False, None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("True", True),
        ("**False.**", False),
        ("False. It is not true that he was born there.", False),
        ("True, although some call it false.", True),
        ("Answer: True", True),
        ("The answer is false", False),
        ("True or False? False", False),
        ("The passages name 1815. Therefore the statement is true, not false.", True),
        ("He was no painter, so this is not true.", False),
        ("That isn't true.", False),
        ("The statement is not entirely true.", None),
        ("It is not false.", True),
        ("It is true in 1815 and false in 1816.", None),
        ("True and False in parts", None),
        ("I cannot say.", None),
        ("It is untrue.", None),
        ("", None),
    ],
)
def test_what_a_text_settles_on(text, says):
    assert text_says(text) is says


def test_of_an_answer_that_was_cut_off_only_the_opening_counts():
    assert text_says("False, because the passage", finish_reason="length") is False
    assert text_says("Some say it is true, but", finish_reason="length") is None


@pytest.mark.parametrize(
    ("text", "says"),
    [("It is true.", True), ("FALSE", False), ("False. It is not true.", None), ("Untrue.", None)],
)
def test_the_paper_looks_which_of_the_two_words_is_there(text, says):
    assert text_says(text, "paper") is says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("False. It is not true.", True),  # the word mentioned later
        ("True or false? False.", False),  # each word's first mention counts
        ("Untrue.", True),
        ("There is no information on that.", False),
        ("Certainly.", True),
    ],
)
def test_the_published_rules_are_kept_with_their_faults(text, says):
    assert text_says(text, "released-code") is says
