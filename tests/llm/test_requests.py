"""What makes two requests the same."""

from dataclasses import replace

import pytest

from llm.requests import Request

REQUEST = Request("http://a/v1", "m", [{"role": "user", "content": "Is it so?"}], {"temperature": 0.0, "max_tokens": 5})


def test_the_order_of_keys_does_not_matter():
    turned = replace(
        REQUEST,
        messages=[{"content": "Is it so?", "role": "user"}],
        parameters={"max_tokens": 5, "temperature": 0.0},
    )

    assert turned.hash == REQUEST.hash


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "http://b/v1"},
        {"model": "n"},
        {"messages": [{"role": "user", "content": "Is it so? "}]},
        {"messages": [{"role": "system", "content": "Is it so?"}]},
        {"parameters": {"temperature": 0.1, "max_tokens": 5}},
        {"parameters": {"temperature": 0.0, "max_tokens": 6}},
        {"parameters": {"temperature": 0.0}},
        {"parameters": {"temperature": 0.0, "max_tokens": 5, "logprobs": True}},
        {"sample": 1},
        {"interface": "completion"},
    ],
)
def test_whatever_can_change_the_answer_changes_the_hash(change):
    assert replace(REQUEST, **change).hash != REQUEST.hash


def test_the_hash_is_the_same_in_every_process():
    # printf '%s' '<the canonical JSON below>' | sha256sum
    # {"base_url":"http://a/v1","interface":"chat","messages":[{"content":"Is it so?","role":"user"}],"model":"m",
    #  "parameters":{"max_tokens":5,"temperature":0.0},"sample":0}   (without the line break and the two spaces)
    assert REQUEST.hash == "6d65bdb4ff47157167722677055c3fe3c808e5a839afae01a8d78cd256c601e8"


def test_a_base_model_gets_the_turns_as_one_text():
    messages = [{"role": "system", "content": "Judge."}, {"role": "user", "content": "Is it so?"}]
    parameters = {"max_tokens": 5, "logprobs": True, "top_logprobs": 5}

    request = replace(REQUEST, messages=messages, parameters=parameters, interface="completion")

    assert request.path == "/completions"
    assert request.body == {"model": "m", "prompt": "Judge.\nIs it so?", "max_tokens": 5, "logprobs": 5}


def test_a_base_model_stops_where_it_would_ask_the_next_question_itself():
    messages = [
        {"role": "system", "content": "Judge."},
        {"role": "user", "content": "Question: Is snow white?"},
        {"role": "assistant", "content": "Answer: yes"},
        {"role": "user", "content": "Question: Is coal?"},
    ]

    request = replace(REQUEST, messages=messages, interface="completion")

    assert request.body["prompt"].endswith("Answer: yes\nQuestion: Is coal?")
    assert request.body["stop"] == ["\nQuestion:"]
    assert "stop" not in replace(request, interface="chat").body


def test_the_room_of_a_request_is_that_of_its_prompt_and_its_answer():
    # Nine characters make at most three tokens, a turn eight more, the answer five.
    assert REQUEST.most_tokens == 3 + 8 + 5


def test_a_text_to_go_on_with_goes_out_word_for_word():
    request = replace(REQUEST, messages=[{"role": "user", "content": "Anna went to\n\n"}], interface="text")

    assert (request.path, request.body["prompt"]) == ("/completions", "Anna went to\n\n")
