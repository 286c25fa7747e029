"""What answers of either form are read as."""

from decimal import Decimal

import pytest

from llm.answer import Token
from llm.completion import NotACompletionError, read_answer, read_completion, read_embeddings


def chat(**choice):
    return {"model": "m-1", "choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def test_a_chat_with_log_probabilities():
    logprobs = {
        "content": [
            {
                "token": "True",
                "logprob": -0.5,
                "top_logprobs": [{"token": "True", "logprob": -0.5}, {"token": "False", "logprob": -1.5}],
            },
            {"token": ".", "logprob": -0.1},
        ]
    }

    read = read_completion(chat(message={"content": "True."}, finish_reason="stop", logprobs=logprobs), "chat")

    assert (read.text, read.finish_reason, read.served_model) == ("True.", "stop", "m-1")
    assert (read.prompt_tokens, read.completion_tokens) == (7, 2)
    assert read.tokens == (Token("True", -0.5, {"True": -0.5, "False": -1.5}), Token(".", -0.1, {}))


def test_a_completion_with_log_probabilities_as_parallel_lists():
    logprobs = {
        "tokens": ["It", " is", " True"],
        "token_logprobs": [None, -1.0, -0.5],  # the first of an echoed prompt has none
        "top_logprobs": [None, {" is": -1.0}, {" True": -0.5, " False": -2.0}],
    }

    read = read_completion(chat(text="It is True", finish_reason="length", logprobs=logprobs), "completion")

    assert (read.text, read.finish_reason) == ("It is True", "length")
    assert read.tokens == (Token(" is", -1.0, {" is": -1.0}), Token(" True", -0.5, {" True": -0.5, " False": -2.0}))


@pytest.mark.parametrize(("given", "kept"), [(float("-inf"), -9999.0), (float("nan"), -9999.0), (1e-9, 0.0)])
def test_an_impossible_token_has_a_log_probability_that_can_be_stored(given, kept):
    logprobs = {"content": [{"token": "x", "logprob": given, "top_logprobs": []}]}

    [token] = read_completion(chat(message={"content": "x"}, logprobs=logprobs), "chat").tokens

    assert token.logprob == kept


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("content_filter: PROHIBITED_CONTENT", "content_filter"),
        ("SAFETY", "content_filter"),
        ("guardrail_intervened", "content_filter"),
        ("model_context_window_exceeded", "length"),
        ("MAX_TOKENS", "length"),
        ("stop", "stop"),
    ],
)
def test_why_an_answer_ended_in_the_words_of_many_servers(said, reason):
    assert read_completion(chat(message={"content": "Yes"}, finish_reason=said), "chat").finish_reason == reason


@pytest.mark.parametrize("message", [{"content": ""}, {}, None])
def test_an_empty_answer_is_an_answer(message):
    assert read_completion(chat(message=message, finish_reason="stop"), "chat").text == ""


def test_the_words_of_a_refusal_are_no_answer():
    read = read_completion(chat(message={"content": None, "refusal": "I can't."}, finish_reason="stop"), "chat")

    assert (read.text, read.finish_reason) == ("I can't.", "content_filter")
    assert read_answer(1, read).is_missing


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}, "cost": 0.2},
            (10, 5, 8, None, Decimal("0.200000")),
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 4}},
            (10, 5, None, 4, None),
        ),
        # Thoughts that are left out of the answer's tokens count with them: 10 + 5 + 4 = 19.
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 19, "reasoning_tokens": 4},
            (10, 9, None, 4, None),
        ),
        ({"input_tokens": 10, "output_tokens": "5", "prompt_cache_hit_tokens": 3}, (10, 5, 3, None, None)),
        ({"prompt_tokens": -1, "completion_tokens": 1.5, "cost": "free"}, (None, None, None, None, None)),
        ({"prompt_tokens": True, "completion_tokens": None, "cost": -1}, (None, None, None, None, None)),
        ("unknown", (None, None, None, None, None)),
    ],
)
def test_the_use_is_read_as_far_as_it_can_be(usage, read):
    completion = read_completion({"choices": [{"message": {"content": "x"}}], "usage": usage}, "chat")

    assert (
        completion.prompt_tokens,
        completion.completion_tokens,
        completion.cached_tokens,
        completion.reasoning_tokens,
        completion.served_usd,
    ) == read


@pytest.mark.parametrize("answer", ["<html>", {}, {"error": {}}, {"choices": ["?"]}, [], None])
def test_what_is_no_completion_is_refused(answer):
    with pytest.raises(NotACompletionError):
        read_completion(answer, "chat")


def test_a_text_whose_every_token_has_a_vector_has_their_mean():
    answer = {"data": [{"index": 0, "embedding": [[1.0, 4.0], [3.0, -2.0]]}, {"index": 1, "embedding": [5, 6]}]}

    assert read_embeddings(answer, 2) == ([[2.0, 1.0], [5.0, 6.0]], None)
