"""Each kind of dialect over real HTTP: what is refused is adapted, faults pass or stop, every form is read."""

import asyncio
from dataclasses import replace

import pytest

from llm.client import ModelClient
from llm.closing import closed_until
from llm.completion import read_answer
from llm.dialects import learn
from llm.errors import AccessRefusedError, EndpointUnavailableError, ParkedError, RequestRefusedError
from llm.faults import Fault, fault_in
from llm.requests import Request
from tests.fake_dialects import FAULTS, FILTERS, FINAL, FORMS, REFUSALS, THOUGHT, UNENDED
from tests.llm.conftest import QUICK

PARAMETERS = {
    "temperature": 0.0,
    "max_tokens": 1024,
    "logprobs": True,
    "top_logprobs": 5,
    "seed": 7,
    "stop": ["\n\n\n"],
    "response_format": {"type": "json_object"},
    "reasoning_effort": "low",
    "top_p": 0.9,
}
OTHERWISE = {
    "temperature up to 1": {"temperature": 1.5},
    "max_tokens only": {"max_completion_tokens": 1024},
    "no limit of tokens by its other name": {"max_completion_tokens": 1024},
}
# What is changed, in words: worked out by hand from the refusals.
ADAPTED = {
    "max_completion_tokens only": ("max_tokens sent as max_completion_tokens",),
    "max_completion_tokens only, as a field": ("max_tokens sent as max_completion_tokens",),
    "max_tokens only": ("max_completion_tokens sent as max_tokens",),
    "temperature 1 only": ("temperature left out",),
    "no temperature": ("temperature left out",),
    "temperature above 0": ("temperature at least 0.01",),
    "temperature up to 1": ("temperature at most 1.0",),
    "no alternatives": ("top_logprobs left out",),
    "two alternatives": ("top_logprobs at most 2",),
    "three alternatives": ("top_logprobs at most 3",),
    "no seed": ("seed left out",),
    "no stop": ("stop left out",),
    "no response format": ("response_format left out",),
    "no reasoning effort": ("reasoning_effort left out",),
    "no top_p": ("top_p left out",),
    "no system role": ("system role sent in the user's turn",),
    "no developer instruction": ("system role sent in the user's turn",),
    "user and assistant only": ("system role sent in the user's turn",),
    "alternating roles": ("system role sent in the user's turn",),
    "short answers": ("max_tokens at most 64",),
    "window as vLLM says it": ("max_tokens at most 838",),  # 1100 - 262
    "window as OpenAI says it": ("max_tokens at most 716",),  # 8192 - 7476
    "window as TGI says it": ("max_tokens at most 196",),  # 4096 - 3900
    "window as SGLang says it": ("max_tokens at most 838",),
    "window without numbers": ("max_tokens at most 64",),  # 1024 / 4 / 4, as 900 + 256 is too long
    "window by and by": ("max_tokens at most 256",),
} | {
    f"no log-probabilities, {status}": ("logprobs left out", "top_logprobs left out")
    for status in (400, 403, 404, 500, 501)
}
KEPT_FOR_A_PROMPT = ("window",)


# Refusals in the words of many servers, and what is learnt of each from a request with PARAMETERS.
WORDS = [
    (422, {"message": {"detail": [{"loc": ["body", "logprobs"], "msg": "Extra inputs are not permitted"}]}},
     ["logprobs left out", "top_logprobs left out"]),
    (400, [{"error": {"message": 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'}}],
     ["seed left out"]),
    (404, {"error": {"message": "No endpoints found that can handle the requested parameters."}},
     ["logprobs left out", "top_logprobs left out"]),
    (400, {"detail": "Unsupported parameter(s): `temperature`"}, ["temperature left out"]),
    (400, {"error": {"message": "m does not support parameters: ['temperature', 'seed']"}},
     ["temperature left out", "seed left out"]),
    (400, "Unsupported parameter: 'max_tokens'", ["max_tokens sent as max_completion_tokens"]),
    (400, {"message": "max_tokens: 1024 > 512, which is the maximum allowed number of output tokens"},
     ["max_tokens at most 512"]),
    (400, {"message": "Invalid max_tokens value, the valid range is [1, 512]"}, ["max_tokens at most 512"]),
    (400, {"message": "input length and `max_tokens` exceed context limit: 262 + 1024 > 1100"},
     ["max_tokens at most 838"]),
    (400, {"message": "Requested token count exceeds the model's maximum context length"}, ["max_tokens at most 256"]),
    (400, {"error": {"message": "Only user, assistant roles are supported!"}}, ["system role sent in the user's turn"]),
    (400, {"error": {"message": "top_logprobs: Input should be less than or equal to 3"}}, ["top_logprobs at most 3"]),
    (403, {"error": {"message": "You have insufficient permissions. Missing scopes: model.request"}}, []),
    (400, {"error": {"message": "`temperature` and `top_p` cannot both be specified. Please use only one."}},
     ["top_p left out"]),
    (400, {"message": "Requested sample logprobs of 5, which is greater than max allowed: 3"},
     ["top_logprobs at most 3"]),
    (400, {"error": {"message": '"qwen" does not support thinking'}}, ["reasoning_effort left out"]),
    (400, {"error": {"message": "Unsupported parameter: 'reasoning.effort'"}}, ["reasoning_effort left out"]),
    (400, {"error": {"message": "This model does not support structured outputs."}}, ["response_format left out"]),
    (400, {"error": {"message": "json mode is not supported"}}, ["response_format left out"]),
    (400, {"error": {"message": "temperature must be in (0, 1]"}}, ["temperature at least 0.01"]),
    (400, {"error": {"message": "top_p must be less than 0.5"}}, ["top_p at most 0.5"]),
    (400, {"error": {"message": "Range of max_tokens should be [1,512]"}}, ["max_tokens at most 512"]),
    (400, {"error": {"message": "max_tokens is too large for Llama 3.1: at most 512"}}, ["max_tokens at most 512"]),
    (422, {"detail": [{"loc": ["body", "max_tokens"], "msg": "Input should be less than or equal to 512"}]},
     ["max_tokens at most 512"]),
    (400, {"error": {"message": "Unsupported value: 'messages[0].role' does not support 'system' with this model."}},
     ["system role sent in the user's turn"]),
    (400, {"error": {"message": "messages: Unexpected role \"system\"."}}, ["system role sent in the user's turn"]),
    (404, {"error": {"message": "The model `m` does not exist."}}, []),
    (401, {"error": {"message": "temperature is not supported"}}, []),
    (429, {"error": {"message": "temperature is not supported"}}, []),
    (500, {"error": {"message": "The token service is down."}}, []),
]  # fmt: skip
FILTERED = [
    (400, {"error": {"message": 'Upstream: {"code":"ResponsibleAIPolicyViolation"}'}}),
    (403, {"error": {"message": "No.", "metadata": {"flagged_input": "..."}}}),
    (400, {"error": {"message": "Content violates usage guidelines."}}),
    (451, {"error": {"message": "Your input was flagged."}}),
    (400, {"error": {"message": "Content Exists Risk"}}),
    (400, {"error": {"message": "The request was rejected because it was considered high risk"}}),
    (400, {"code": "DataInspectionFailed", "message": "Bad."}),
    (400, {"error": {"message": "Stopped.", "code": "guardrail_intervened"}}),
    (400, {"error": {"message": "The prompt violates our acceptable use policy"}}),
    (200, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
]
NOT_FILTERED = [
    (403, {"error": {"message": "Your account was flagged for review."}}),
    (400, {"error": {"message": "No.", "content_filter_result": {"hate": {"filtered": False}}}}),
    (429, {"error": {"message": "Too many moderation requests."}}),
]
# Faults that pass, whatever the status, and faults that meet every request.
PASSING = [
    (400, {"__type": "ThrottlingException", "message": "Wait."}),
    (403, {"error": {"message": "User Rate Limit Exceeded", "code": 403}}),
    (403, {"error": {"message": "Wait.", "status": "RESOURCE_EXHAUSTED"}}),
    (400, {"error": {"message": "The engine is currently overloaded, please try again later"}}),
    (404, {"error": {"message": "Model m is currently loading"}}),
    (424, {"error": {"message": "Model is getting ready"}}),
]
ENDING = [
    (400, {"error": {"message": "Is your account in good standing?", "code": "Arrearage"}}),
    (429, {"error": {"message": "余额不足或无可用资源包,请充值。", "code": "1113"}}),
    (429, {"error": {"message": "Your credit balance is too low"}}),
    (403, {"error": {"message": "You have run out of credits."}}),
    (400, {"error": {"message": "API key expired. Please renew the API key."}}),
    (429, {"error": {"message": "This would exceed the monthly spending limit"}}),
]
# Bodies with status 200 that are no answers, and what they are.
INSIDE_200 = [
    ({"code": 50505, "message": "Model service overloaded. Please try again later."}, 503),
    ({"success": False, "errors": [{"code": 7009, "message": "Upstream service unavailable"}], "result": None}, 503),
    ({"detail": "Internal Server Error"}, 503),
    ({"code": 402, "message": "Insufficient credits"}, 402),
    ({"choices": [{"finish_reason": "network_error", "message": {"content": ""}}]}, 502),
    ({"choices": [{"finish_reason": "insufficient_system_resource", "message": {"content": "Answ"}}]}, 502),
    ({"choices": [{}]}, 502),
    ({"choices": [{"message": None, "finish_reason": None}]}, 502),
    ({"choices": [{"message": {"content": "1"}, "finish_reason": "stop"}], "code": 0, "message": "ok"}, None),
    ({"message": "Welcome."}, None),
]


def request(number=1, text="{number}. wrong", **parameters):
    messages = [
        {"role": "system", "content": "You check segments."},
        {"role": "user", "content": text.format(number=number)},
    ]
    return Request("http://any/v1", "m", messages, PARAMETERS | parameters)


def talk(server, *requests, retries=QUICK):
    """The completions, one after the other, and what was learnt."""
    learnt = []

    async def keep(changes):
        learnt.extend(map(str, changes))

    async def session():
        async with ModelClient(server.base_url, "key", 1, retries, learnt=keep) as client:
            return [await client.complete(each) for each in requests]

    closed_until.clear()
    return asyncio.run(session()), learnt


@pytest.mark.parametrize("dialect", [name for name in REFUSALS if name in ADAPTED])
def test_what_is_refused_is_sent_as_the_server_takes_it(server, dialect):
    server.control(dialects=[dialect])
    parameters = OTHERWISE.get(dialect, {})
    asked = request(**parameters)
    if "max_completion_tokens" in parameters:
        asked = replace(asked, parameters={n: v for n, v in asked.parameters.items() if n != "max_tokens"})

    [completion], learnt = talk(server, asked)

    assert (completion.text, completion.adapted) == ("Answer: 1", ADAPTED[dialect])
    assert learnt == ([] if dialect.startswith(KEPT_FOR_A_PROMPT) else list(ADAPTED[dialect]))


def test_a_limit_that_is_refused_under_either_name_is_left_out(server):
    server.control(dialects=["no limit of tokens", "no limit of tokens by its other name"])

    [completion], _ = talk(server, request())

    assert (completion.text, completion.adapted) == ("Answer: 1", ("max_tokens left out",))


def test_what_was_learnt_is_not_refused_again(server):
    server.control(dialects=["max_completion_tokens only", "temperature 1 only", "no log-probabilities, 403"])

    completions, learnt = talk(server, request(1), request(2))

    assert len(learnt) == 4
    assert [completion.attempts for completion in completions] == [4, 1]
    assert server.stats()["total"] == 5


def test_what_is_sent_under_another_name_is_kept_within_its_bound(server):
    server.control(dialects=["max_completion_tokens only", "short answers under the new name"])

    completions, learnt = talk(server, request(1), request(2))

    adapted = ("max_tokens sent as max_completion_tokens", "max_completion_tokens at most 64")
    assert [completion.adapted for completion in completions] == [adapted] * 2
    assert learnt == list(adapted)
    assert [completion.attempts for completion in completions] == [3, 1]


def test_a_context_is_learnt_with_what_is_left_for_answers(server):
    server.control(dialects=["window of 500"])
    long, other, short, longest = (request(text="1. wrong." + size * " and so on") for size in (80, 60, 5, 220))

    completions, learnt = talk(server, long, other, short)

    # Of 828 characters, 19 of them the system's, which are 207 tokens: 500 - 207. The next prompt is taken for 165.
    assert [completion.adapted for completion in completions] == [
        ("max_tokens at most 293",),
        ("prompt and answer within 500 tokens",),
        ("prompt and answer within 500 tokens",),
    ]
    assert [completion.attempts for completion in completions] == [2, 1, 1]
    assert learnt == ["prompt and answer within 500 tokens"]
    with pytest.raises(RequestRefusedError):
        talk(server, longest)


def test_every_refusal_at_once_is_got_over(server):
    """As a server that takes nothing but a model and the user's turns."""
    server.control(
        dialects=["max_completion_tokens only", "no temperature", "no log-probabilities, 400", "no seed", "no stop",
                  "no response format", "no reasoning effort", "no system role"]
    )  # fmt: skip

    [completion], _ = talk(server, request())

    assert completion.text == "Answer: 1"
    assert len(completion.adapted) == 9


def test_stops_that_are_refused_are_kept_to_here(server):
    server.control(dialects=["no stop"], answer="Answer: 1\n\n\nAnd so on")

    [completion], _ = talk(server, request())

    assert (completion.text, completion.finish_reason) == ("Answer: 1", "stop")


@pytest.mark.parametrize("dialect", ["no log-probabilities, 400", "no log-probabilities, 403"])
def test_what_an_answer_is_nothing_without_is_not_left_out(server, dialect):
    server.control(dialects=[dialect])
    asked = Request(
        "http://any/v1", "m", [{"role": "user", "content": "A"}], {"echo": True, "logprobs": True}, 0, "text"
    )

    with pytest.raises(RequestRefusedError):
        talk(server, asked)


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "The server is confused."),
        (422, "seed must be even"),  # left out, it is refused for another reason
        (400, "This model's maximum context length is 2048 tokens. Your prompt has 9000 input tokens."),
        (413, "prompt is too long: 250000 tokens > 200000 maximum"),
    ],
)
def test_a_refusal_that_nothing_helps_is_final(server, status, text):
    server.control(fail_first=99, fail_status=status, fail_text=text)

    with pytest.raises(RequestRefusedError, match=rf"answered {status}: {text[:20]}"):
        talk(server, request())

    assert server.stats()["total"] <= 6


@pytest.mark.parametrize("dialect", FAULTS)
def test_a_fault_that_passes_is_tried_again(server, dialect):
    server.control(dialects=[dialect])

    [completion], learnt = talk(server, request())

    assert (completion.text, completion.attempts, learnt) == ("Answer: 1", 2, [])


@pytest.mark.parametrize("dialect", ["429 inside 200", "no choices", "finished by an error", "503 as a web page"])
def test_a_fault_that_stays_is_no_answer(server, dialect):
    server.control(dialects=[dialect], faults_always=True)

    with pytest.raises(EndpointUnavailableError, match=r"\(4 attempts\)"):
        talk(server, request())


@pytest.mark.parametrize("dialect", [name for name in FAULTS if name.startswith("429 ") and "200" not in name])
def test_the_wait_that_a_server_asks_for_is_kept_to(server, dialect):
    server.control(dialects=[dialect])

    talk(server, request())

    first, second = server.stats()["begun"]
    assert second - first >= 0.05  # its own waits would be 0.01 s


def test_a_long_wait_puts_the_work_off(server):
    server.control(fail_first=99, fail_status=429, fail_text="Limit of the day. Please try again in 2h30m0s.")

    with pytest.raises(ParkedError, match="asks to wait for 2 hours and 30 minutes, until") as parked:
        talk(server, request())

    assert 8999 < parked.value.delay.total_seconds() <= 9000
    assert server.stats()["total"] == 1


def test_no_call_is_made_while_the_work_is_put_off(server):
    server.control(fail_first=1, fail_status=429, retry_after="7200")

    async def session():
        for _ in range(2):  # of two clients, as of two runs
            async with ModelClient(server.base_url, "key", 1, QUICK) as client:
                with pytest.raises(ParkedError):
                    await client.complete(request())

    closed_until.clear()
    asyncio.run(session())
    closed_until.clear()

    assert server.stats()["total"] == 1


@pytest.mark.parametrize("dialect", FINAL)
def test_what_would_meet_every_request_stops_at_once(server, dialect):
    server.control(dialects=[dialect])

    with pytest.raises(AccessRefusedError):
        talk(server, request())

    assert server.stats()["total"] == 1


@pytest.mark.parametrize("dialect", FILTERS)
def test_a_filter_refuses_one_input_and_no_other(server, dialect):
    server.control(dialects=[dialect])

    [refused, other], learnt = talk(server, request(text="1. forbidden"), request(2))

    assert refused.finish_reason == "content_filter"
    assert read_answer(1, refused).is_missing
    assert (other.text, learnt) == ("Answer: 2", [])
    assert server.stats()["total"] == 2


@pytest.mark.parametrize("dialect", FORMS)
def test_every_form_of_an_answer_is_read(server, dialect):
    server.control(dialects=[dialect])

    [completion], _ = talk(server, request(logprobs=False))
    answer = read_answer(1, completion)

    assert (answer.text, answer.finish_reason) == ("Answer: 1", "stop")
    assert (answer.thought == THOUGHT) == ("thought" in dialect or "parts" in dialect or "stream" in dialect)


@pytest.mark.parametrize("dialect", UNENDED)
def test_a_thought_without_an_end_is_no_answer(server, dialect):
    server.control(dialects=[dialect])

    [completion], _ = talk(server, request())
    answer = read_answer(1, completion)

    assert (answer.text, answer.finish_reason, answer.thought) == ("", "length", THOUGHT)
    assert answer.is_missing


@pytest.mark.parametrize("usage", ["usage null", "usage negative", "usage is a word"])
def test_counts_that_cannot_be_are_not_known(server, usage):
    server.control(dialects=[usage])

    [completion], _ = talk(server, request())

    assert (completion.prompt_tokens, completion.completion_tokens) == (None, None)


def test_tokens_of_a_thought_are_counted(server):
    server.control(dialects=["reasoning tokens"])

    [completion], _ = talk(server, request())

    assert (completion.completion_tokens, completion.reasoning_tokens) == (66, 64)


def test_what_cannot_be_read_is_kept_whole(server):
    body = '{"choices": [{"message": {"content": [{"type": "image", "url": "x"}]}, "finish_reason": "stop"}]}'
    server.control(raw_body=body)

    [completion], _ = talk(server, request())

    assert (completion.text, completion.finish_reason) == (body, "unreadable")
    assert read_answer(1, completion).text == ""


@pytest.mark.parametrize(("status", "body", "learnt"), WORDS)
def test_a_refusal_is_understood_in_the_words_of_many_servers(status, body, learnt):
    changes = learn({}, request().body, Fault(status, body, {}))

    assert [str(change) for change in (changes or {}).values()] == learnt


@pytest.mark.parametrize(("status", "body"), FILTERED)
def test_a_filter_is_known_wherever_the_body_says_so(status, body):
    assert Fault(status, body, {}).is_filtered


@pytest.mark.parametrize(("status", "body"), PASSING)
def test_a_fault_passes_where_its_body_says_so(status, body):
    fault = Fault(status, body, {})

    assert (fault.may_pass, fault.concerns_all) == (True, False)


@pytest.mark.parametrize(("status", "body"), ENDING)
def test_a_fault_meets_every_request_where_its_body_says_so(status, body):
    fault = Fault(status, body, {})

    assert (fault.may_pass, fault.concerns_all) == (False, True)


@pytest.mark.parametrize(("body", "status"), INSIDE_200)
def test_a_fault_inside_200_is_known_by_what_it_says(body, status):
    fault = fault_in(body, {}, of_choices=True)

    assert (fault and fault.status) == status


@pytest.mark.parametrize(("status", "body"), NOT_FILTERED)
def test_another_refusal_is_no_filter(status, body):
    assert not Fault(status, body, {}).is_filtered
