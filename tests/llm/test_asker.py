"""Answers are paid for once, over real HTTP."""

import asyncio
from decimal import Decimal

import pytest

from llm.errors import CallLimitError, EndpointUnavailableError
from llm.models import Call, Price

HELLO = [{"role": "user", "content": "Segments:\n1. Right.\n2. This is wrong."}]


def question(number):
    return [{"role": "user", "content": f"Segments:\n1. Statement {number}."}]


def test_an_answer_is_stored_with_all_that_belongs_to_it(server, endpoint, with_asker):
    answer = with_asker(lambda ask: ask(HELLO))

    call = Call.objects.get()
    assert (answer.call_id, answer.text, answer.finish_reason) == (call.pk, "Answer: 2", "stop")
    assert call.request["messages"] == HELLO
    assert (call.model, call.served_model, call.attempts) == ("m", "m-fake", 1)
    assert (call.prompt_tokens, call.completion_tokens, call.cost_usd) == (7, 2, None)
    assert call.seconds > 0


def test_the_same_request_in_a_later_run_comes_from_the_cache(server, with_asker):
    first = with_asker(lambda ask: ask(HELLO))
    again = with_asker(lambda ask: ask(HELLO))

    assert again == first
    assert server.stats()["total"] == 1


def test_the_same_request_twice_at_once_is_one_call(server, with_asker):
    server.control(latency=0.1)

    async def talk(ask):
        return await asyncio.gather(*(ask(HELLO) for _ in range(10)))

    answers = with_asker(talk)

    assert len(set(answers)) == 1
    assert server.stats()["total"] == 1


def test_another_sample_is_another_call(server, with_asker):
    async def talk(ask):
        return await asyncio.gather(*(ask(HELLO, sample) for sample in range(3)))

    assert len({answer.call_id for answer in with_asker(talk)}) == 3
    assert server.stats()["total"] == 3


def test_the_window_is_kept_full_and_never_overfull(server, with_asker):
    server.control(latency=0.05, answers=0)

    async def talk(ask):
        asked = asyncio.gather(*(ask(question(number)) for number in range(30)))
        async with asyncio.timeout(30):
            while server.stats()["in_flight"] < 6:
                await asyncio.sleep(0)
        server.control(answers=None)
        await asked

    with_asker(talk, in_flight=6)

    assert server.stats()["max_in_flight"] == 6


def test_a_price_gives_the_cost(server, endpoint, with_asker):
    price = Price.objects.create(endpoint=endpoint, model="m", prompt_usd=Decimal(3), completion_usd=Decimal(15))

    with_asker(lambda ask: ask(HELLO), price=price)

    # 7 words asked at 3 dollars and 2 answered at 15 dollars a million: 21 + 30 = 51 millionths of a dollar
    assert Call.objects.get().cost_usd == Decimal("0.000051")


def test_an_answer_without_token_counts_has_no_cost(server, endpoint, with_asker):
    server.control(usage=False)
    price = Price.objects.create(endpoint=endpoint, model="m", prompt_usd=Decimal(3), completion_usd=Decimal(15))

    with_asker(lambda ask: ask(HELLO), price=price)

    call = Call.objects.get()
    assert (call.prompt_tokens, call.completion_tokens, call.cost_usd) == (None, None, None)


def test_a_cut_off_answer_says_so(server, with_asker):
    server.control(answer="Answer: 1,", finish_reason="length")

    answer = with_asker(lambda ask: ask(HELLO))

    assert (answer.text, answer.finish_reason) == ("Answer: 1,", "length")


def test_an_empty_answer_is_an_answer(server, with_asker):
    server.control(answer="")

    assert with_asker(lambda ask: ask(HELLO)).text == ""
    assert Call.objects.count() == 1


def test_calls_are_capped_and_the_cache_is_free(server, with_asker):
    with_asker(lambda ask: ask(question(0)))

    async def talk(ask):
        asked = [ask(question(number)) for number in range(4)]
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = with_asker(talk, call_limit=2)

    assert [isinstance(answer, CallLimitError) for answer in answers] == [False, False, False, True]
    assert server.stats()["total"] == 3


def test_a_failed_call_is_not_remembered(server, with_asker):
    server.control(fail_first=4)

    async def talk(ask):
        with pytest.raises(EndpointUnavailableError):
            await ask(HELLO)
        return await ask(HELLO)

    assert with_asker(talk).text == "Answer: 2"
    assert Call.objects.get().attempts == 1


def test_one_who_gives_up_does_not_take_the_answer_from_another(server, with_asker):
    server.control(latency=0.1)

    async def talk(ask):
        impatient, patient = asyncio.create_task(ask(HELLO)), asyncio.create_task(ask(HELLO))
        await asyncio.sleep(0)
        impatient.cancel()
        return await patient

    assert with_asker(talk).text == "Answer: 2"


def test_log_probabilities_are_kept_with_the_answer(server, with_asker):
    def talk(ask):
        return ask(HELLO, logprobs=True, top_logprobs=2)

    first, again = with_asker(talk), with_asker(talk)

    # The fake server's tokens are words.
    assert [(token.text, token.logprob) for token in first.tokens] == [("Answer:", -0.25), (" 2", -0.25)]
    assert first.tokens[0].top == {"Answer:": -0.25, " False": -3.0}
    assert again == first
    assert server.stats()["total"] == 1


def test_a_base_model_completes_a_text(server, with_asker):
    answer = with_asker(lambda ask: ask(HELLO, logprobs=True), interface="completion")

    assert answer.text == "Answer: 2"
    assert [token.text for token in answer.tokens] == ["Answer:", " 2"]
    assert Call.objects.get().request["interface"] == "completion"


def test_overrides_make_another_request(server, with_asker):
    async def talk(ask):
        return await ask(HELLO), await ask(HELLO, temperature=0.7)

    first, other = with_asker(talk)

    assert first.call_id != other.call_id
    assert Call.objects.get(pk=other.call_id).request["parameters"] == {"temperature": 0.7}


def test_a_refused_answer_is_kept_like_any_other(server, with_asker):
    server.control(fail_first=99, fail_status=400, fail_code="content_filter")

    with_asker(lambda ask: ask(HELLO))
    answer = with_asker(lambda ask: ask(HELLO))

    assert (answer.text, answer.finish_reason) == ("", "content_filter")
    assert server.stats()["total"] == 1
