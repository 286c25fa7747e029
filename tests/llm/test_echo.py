"""Which characters of a text its echoed tokens stand for, in the forms in which servers write them."""

import math

import pytest

from llm.answer import EchoedToken
from llm.completion import NotACompletionError, read_completion
from llm.echo import LEAST_LOGPROB, read_echo
from llm.interfaces import TEXT

PROMPT = "It costs 5€."


def echoed(tokens, logprobs, generated="", offsets=None, prompt=PROMPT):
    logprobs = {"tokens": tokens, "token_logprobs": logprobs}
    if offsets is not None:
        logprobs["text_offset"] = offsets
    return read_echo({"text": prompt + generated, "logprobs": logprobs}, prompt)


def told(tokens):
    return [(token.start, token.end, token.logprob) for token in tokens]


def test_the_first_token_is_kept_without_a_log_probability_and_the_generated_one_is_cut_off():
    found = echoed(["It", " costs", " 5", "€", ".", " Or"], [None, -1, -2, -3, -4, -5], " Or", [0, 2, 8, 10, 11, 12])

    assert told(found) == [(0, 2, None), (2, 8, -1.0), (8, 10, -2.0), (10, 11, -3.0), (11, 12, -4.0)]


def test_without_offsets_the_tokens_are_laid_along_the_text():
    found = echoed(["It", " costs", " 5", "€", ".", " Or"], [None, -1, -2, -3, -4, -5], " Or")

    assert [text[:2] for text in told(found)] == [(0, 2), (2, 8), (8, 10), (10, 11), (11, 12)]


def test_parts_of_a_character_have_it_each():
    # As llama-cpp-python writes them: no text, and the offset of the character.
    found = echoed(["It", " costs", " 5", "", "", "", "."], [None, *[-1] * 6], offsets=[0, 2, 8, 10, 10, 10, 11])

    assert [text[:2] for text in told(found)][2:] == [(8, 10), (10, 11), (10, 11), (10, 11), (11, 12)]


@pytest.mark.parametrize("part", ["\ufffd", "bytes:\\xe2"])
def test_unreadable_tokens_stand_for_what_lies_between_readable_ones(part):
    found = echoed(["It", " costs", " 5", part, part, "."], [None, *[-1] * 5])

    assert [text[:2] for text in told(found)][2:] == [(8, 10), (10, 11), (10, 11), (11, 12)]


def test_what_fits_in_two_places_is_not_guessed():
    assert echoed(["a", "\ufffd", "b"], [None, -1, -2], prompt="aébb") == ()


def test_offsets_that_disagree_with_the_texts_are_not_believed():
    # The mark of the beginning is counted as five characters.
    found = echoed(["<bos>", "It", " costs", " 5€."], [None, -1, -2, -3], offsets=[0, 5, 7, 13])

    assert told(found) == [(0, 2, -1.0), (2, 8, -2.0), (8, 12, -3.0)]


@pytest.mark.parametrize("tokens", [["It", " cost"], ["It", " rains", " 5€."], ["It costs 5€"]])
def test_tokens_of_another_text_are_none(tokens):
    assert echoed(tokens, [None, *[-1] * (len(tokens) - 1)]) == ()


def test_an_answer_without_the_prompt_is_no_echo():
    choice = {"text": " Or", "logprobs": {"tokens": [" Or"], "token_logprobs": [-1]}}

    assert read_echo(choice, PROMPT) == ()


def test_what_is_no_number_is_none_and_the_impossible_is_least():
    found = echoed(["It", " costs", " 5€."], [None, math.nan, -math.inf])

    assert [token.logprob for token in found] == [None, None, LEAST_LOGPROB]


def test_log_probabilities_beside_the_answer():
    entries = [
        None,
        {"9": {"logprob": -1.5, "decoded_token": " costs"}},
        {"3": {"logprob": -2, "decoded_token": " 5€."}},
    ]

    found = read_echo({"text": " Or", "prompt_logprobs": entries}, PROMPT)

    assert told(found) == [(0, 2, None), (2, 8, -1.5), (8, 12, -2.0)]


def test_a_completion_keeps_what_was_generated_and_the_echo():
    choice = {"text": "It is", "logprobs": {"tokens": ["It", " is"], "token_logprobs": [None, -1]}}

    found = read_completion({"choices": [choice]}, TEXT, "It")

    assert (found.text, found.echoed, found.tokens) == (" is", (EchoedToken(0, 2, None),), ())


def test_uneven_lists_are_no_completion():
    choice = {"text": "It is", "logprobs": {"tokens": ["It", " is"], "token_logprobs": [None]}}

    with pytest.raises(NotACompletionError):
        read_completion({"choices": [choice]}, TEXT, "It")
