"""The answer cache against its table."""

from decimal import Decimal

import pytest

from llm.answer import Token
from llm.cache import Record, known, look_up, store
from llm.completion import ModelCompletion
from llm.models import Call, Endpoint
from llm.requests import Request

pytestmark = pytest.mark.django_db


@pytest.fixture
def endpoint():
    return Endpoint.objects.create(name="lab", base_url="http://lab/v1")


def request(endpoint, words):
    return Request(endpoint.base_url, "m", [{"role": "user", "content": words}], {"temperature": 0.0})


def record(endpoint, words, answer="yes", cost=None, **fields):
    return Record(endpoint, request(endpoint, words), ModelCompletion(answer, "stop", **fields), cost)


def test_answers_come_back_in_the_order_asked(endpoint):
    store([record(endpoint, "Is it?", "yes"), record(endpoint, "Was it?", "no")])

    found = look_up([request(endpoint, words).hash for words in ("Was it?", "Will it?", "Is it?", "Was it?")])

    assert [answer and answer.text for answer in found] == ["no", None, "yes", "no"]


def test_whoever_stores_second_gets_the_answer_that_was_first(endpoint):
    [first] = store([record(endpoint, "Is it?", "yes")])

    answers = store([record(endpoint, "Was it?", "new"), record(endpoint, "Is it?", "no")])

    assert [answer.text for answer in answers] == ["new", "yes"]
    assert answers[1] == first
    assert Call.objects.count() == 2


def test_what_is_stored_is_what_is_found(endpoint):
    tokens = (Token("Tr", -0.1, {"Tr": -0.1, "Fa": -2.5}), Token("ue", -0.2, {}))
    asked = record(
        endpoint, "Ist es groß?", "True", Decimal("0.000051"), tokens=tokens, served_model="m-1", seconds=0.5
    )
    [stored] = store([asked])

    assert look_up([asked.request.hash]) == [stored]
    assert stored.tokens == tokens
    call = Call.objects.get(pk=stored.call_id)
    assert call.request == asked.request.content
    assert (call.cost_usd, call.served_model, call.seconds, call.attempts) == (Decimal("0.000051"), "m-1", 0.5, 1)
    assert (call.prompt_tokens, call.completion_tokens) == (None, None)


def test_many_are_looked_up_and_stored_in_few_statements(endpoint, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        answers = store([record(endpoint, str(number), f"answer {number}") for number in range(1200)])

    assert [answer.text for answer in answers] == [f"answer {number}" for number in range(1200)]


@pytest.mark.parametrize("reason", ["error", "network_error", "insufficient_system_resource"])
def test_a_fault_that_was_taken_for_an_answer_is_asked_again_and_gives_way(endpoint, reason):
    [fault] = store([record(endpoint, "Is it?", "half an ans")])
    Call.objects.update(finish_reason=reason)
    key = request(endpoint, "Is it?").hash

    assert (look_up([key]), known([key])) == ([None], set())

    [answer] = store([record(endpoint, "Is it?", "yes")])

    assert (answer.call_id, answer.text) == (fault.call_id, "yes")
    assert look_up([key]) == [answer]


def test_a_thought_in_a_stored_answer_is_taken_apart_as_it_is_read(endpoint):
    tokens = tuple(Token(text, -0.1, {}) for text in ("<think>", "no", "</think>", "\n\n", "yes"))
    store([record(endpoint, "Is it?", "<think>no</think>\n\nyes", tokens=tokens, thought="beside")])

    [found] = look_up([request(endpoint, "Is it?").hash])

    assert (found.text, found.thought, found.tokens) == ("yes", "beside\nno", tokens[-1:])
    call = Call.objects.get()
    assert (call.answer, call.thought) == ("<think>no</think>\n\nyes", "beside")


def test_all_that_a_server_says_of_the_use_is_kept(endpoint):
    counts = {"prompt_tokens": 9, "completion_tokens": 8, "cached_tokens": 7, "reasoning_tokens": 6}
    asked = record(endpoint, "Is it?", "yes", served_usd=Decimal("0.2"), adapted=("temperature left out",), **counts)
    store([asked])

    [found] = look_up([asked.request.hash])

    assert found.adapted == ("temperature left out",)
    call = Call.objects.get()
    assert {name: getattr(call, name) for name in counts} == counts
    assert (call.served_usd, call.cost_usd) == (Decimal("0.2"), None)
