"""The dialects of model servers, by name: what they refuse, how they fail, and in what form they answer.

`dialects` of the fake server's behaviour (tests/fake_answers.py) names those that it speaks. A refusal is answered as
long as a request has what the dialect refuses; a fault comes before the first answer to each request, or always where
`faults_always` says so; a filter refuses the inputs that hold the word "forbidden".
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json"


@dataclass(frozen=True)
class Reply:
    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = JSON


Body = Mapping[str, Any]


def error(status: int, message: str, headers: Mapping[str, str] | None = None, **fields: Any) -> Reply:
    return Reply(status, {"error": {"message": message, **fields}}, headers or {})


def refuses(name: str, reply: Reply) -> Callable[[Body], Reply | None]:
    return lambda body: reply if name in body else None


def only_temperature_one(body: Body) -> Reply | None:
    message = (
        f"Unsupported value: 'temperature' does not support {body.get('temperature')} with this model. "
        "Only the default (1) value is supported."
    )
    refusal = error(400, message, param="temperature", code="unsupported_value")
    return refusal if body.get("temperature", 1) != 1 else None


def extra_forbidden(name: str) -> Callable[[Body], Reply | None]:
    def refuse(body: Body) -> Reply | None:
        detail = [
            {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": 1}
        ]
        return Reply(422, {"detail": detail}) if name in body else None

    return refuse


def above(name: str, most: float, message: str, status: int = 400) -> Callable[[Body], Reply | None]:
    return lambda body: error(status, message.format(sent=body[name])) if body.get(name, most) > most else None


def no_system(message: str, status: int = 400) -> Callable[[Body], Reply | None]:
    def refuse(body: Body) -> Reply | None:
        return error(status, message) if any(turn["role"] == "system" for turn in body.get("messages", ())) else None

    return refuse


def alternating(body: Body) -> Reply | None:
    roles = [turn["role"] for turn in body.get("messages", ())]
    wanted = ["user", "assistant"] * len(roles)
    message = "Conversation roles must alternate user/assistant/user/assistant/..."
    return error(400, message) if roles != wanted[: len(roles)] else None


def window(context: int, prompt: int, message: str, status: int = 400) -> Callable[[Body], Reply | None]:
    """A context of so many tokens, of which the prompt takes some."""

    def refuse(body: Body) -> Reply | None:
        most = body.get("max_tokens", body.get("max_completion_tokens", 0))
        if prompt + most <= context:
            return None
        return error(status, message.format(context=context, prompt=prompt, most=most, total=prompt + most))

    return refuse


def window_of_500(body: Body) -> Reply | None:
    """A context of 500 tokens; of the prompt four characters are one."""
    prompt = sum(len(turn["content"]) for turn in body["messages"]) // 4
    message = "This model's maximum context length is {context} tokens and your request has {prompt} input tokens."
    return window(500, prompt, message)(body)


def strictly_positive(body: Body) -> Reply | None:
    refusal = Reply(422, {"error": "Input validation error: `temperature` must be strictly positive"})
    return refusal if body.get("temperature", 1) <= 0 else None


REFUSALS: dict[str, Callable[[Body], Reply | None]] = {
    "max_completion_tokens only": refuses(
        "max_tokens",
        error(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
            param="max_tokens",
            code="unsupported_parameter",
        ),
    ),
    "max_completion_tokens only, as a field": extra_forbidden("max_tokens"),
    "max_tokens only": refuses(
        "max_completion_tokens", error(400, "Unrecognized request argument supplied: max_completion_tokens")
    ),
    "no limit of tokens": refuses("max_tokens", error(400, "Unsupported parameter: max_tokens")),
    "no limit of tokens by its other name": refuses(
        "max_completion_tokens", error(400, "Unsupported parameter: max_completion_tokens")
    ),
    "temperature 1 only": only_temperature_one,
    "no temperature": refuses("temperature", error(400, "`temperature` is deprecated for this model.")),
    "temperature above 0": strictly_positive,
    "temperature up to 1": above("temperature", 1.0, "temperature must be between 0 and 1, was {sent}"),
    "no log-probabilities, 403": refuses(
        "logprobs", error(403, "You are not allowed to request logprobs from this model", code=None)
    ),
    "no log-probabilities, 400": refuses("logprobs", error(400, "This model does not support log probabilities.")),
    "no log-probabilities, 404": refuses(
        "logprobs", error(404, "No endpoints found that support the parameter: logprobs", code=404)
    ),
    "no log-probabilities, 500": refuses("logprobs", error(500, "logprobs is not implemented")),
    "no log-probabilities, 501": refuses("logprobs", Reply(501, "Logprobs unsupported", media_type="text/plain")),
    "no alternatives": extra_forbidden("top_logprobs"),
    "two alternatives": above("top_logprobs", 2, "top_logprobs must be less than or equal to 2, but got {sent}"),
    "three alternatives": above(
        "top_logprobs", 3, "Invalid value for 'top_logprobs': {sent}. It has to be in the range of [0, 3]", 422
    ),
    "no seed": refuses("seed", error(400, "property 'seed' is unsupported")),
    "no stop": refuses("stop", error(400, "Unsupported parameter: 'stop' is not supported with this model.")),
    "no response format": refuses("response_format", error(400, "response_format is not supported by this model")),
    "no reasoning effort": refuses("reasoning_effort", error(400, "Unknown parameter: 'reasoning_effort'.")),
    "no top_p": refuses("top_p", error(400, "Unsupported parameter: 'top_p' is not supported with this model.")),
    "no system role": no_system("System role not supported"),
    "no developer instruction": no_system("Developer instruction is not enabled for this model"),
    "user and assistant only": no_system("Only user and assistant roles are supported!", 422),
    "alternating roles": alternating,
    "short answers": above(
        "max_tokens", 64, "max_tokens is too large: {sent}. This model supports at most 64 completion tokens."
    ),
    "short answers under the new name": above(
        "max_completion_tokens", 64, "max_tokens is too large: {sent}. This model takes at most 64 completion tokens."
    ),
    "window as vLLM says it": window(
        1100,
        262,
        "'max_tokens' or 'max_completion_tokens' is too large: {most}. This model's maximum context length is "
        "{context} tokens and your request has {prompt} input tokens ({most} > {context} - {prompt}).",
    ),
    "window as OpenAI says it": window(
        8192,
        7476,
        "This model's maximum context length is {context} tokens. However, you requested {total} tokens ({prompt} in "
        "the messages, {most} in the completion). Please reduce the length of the messages or completion.",
    ),
    "window as TGI says it": window(
        4096,
        3900,
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= {context}. Given: {prompt} `inputs` "
        "tokens and {most} `max_new_tokens`",
        422,
    ),
    "window as SGLang says it": window(
        1100,
        262,
        "Requested token count exceeds the model's maximum context length of {context} tokens. You requested a total "
        "of {total} tokens: {prompt} tokens from the input messages and {most} tokens for the completion.",
    ),
    "window of 500": window_of_500,
    "window without numbers": window(1100, 900, "The context window is exceeded.", 500 - 100),
    "window by and by": window(
        1100,
        262,
        "This model's maximum context length is {context} tokens. However, you requested {most} output tokens and your "
        "prompt contains at least 77 input tokens, for a total of at least {total} tokens.",
    ),
}  # fmt: skip

FAULTS: dict[str, Reply] = {
    "429": error(429, "Too many requests"),
    "429 with decimals": error(429, "Slow down", {"Retry-After": "0.05"}),
    "429 in milliseconds": error(429, "Slow down", {"Retry-After-Ms": "50"}),
    "429 in words": error(429, "Rate limit reached. Please try again in 50ms.", code="rate_limit_exceeded"),
    "429 with a reset": error(
        429, "Slow down", {"X-RateLimit-Remaining-Requests": "0", "X-RateLimit-Reset-Requests": "50ms"}
    ),
    "429 with a delay": Reply(429, {"error": {"message": "Quota", "details": [{"retryDelay": "0.05s"}]}}),
    "429 inside 200": Reply(
        200,
        {"id": None, "choices": None, "error": {"message": "Provider returned error", "code": 429}},
    ),
    "502 inside 200": Reply(200, {"error": {"message": "Upstream error", "code": "502"}}),
    "words inside 200": Reply(200, {"error": "model overloaded"}),
    "an error as an object": Reply(200, {"object": "error", "message": "internal error", "code": 503}),
    "an error in the choice": Reply(
        200,
        {
            "choices": [
                {"finish_reason": "error", "message": {"content": ""}, "error": {"code": 502, "message": "broke"}}
            ]
        },
    ),
    "finished by an error": Reply(200, {"choices": [{"finish_reason": "error", "message": {"content": "Answer: 1"}}]}),
    "an error in the stream": Reply(
        200, b'data: {"error": {"message": "overloaded", "code": 503}}\n\n', media_type="text/event-stream"
    ),
    "half a stream": Reply(
        200, b'data: {"choices": [{"index": 0, "delta": {"content": "Answ"}}]}\n\n', media_type="text/event-stream"
    ),
    "network error": Reply(200, {"choices": [{"finish_reason": "network_error", "message": {"content": "Answer: 1"}}]}),
    "an error without its name": Reply(200, {"code": 50505, "message": "Model service overloaded.", "data": None}),
    "throttled, 400": Reply(400, {"__type": "ThrottlingException", "message": "Too many requests"}),
    "throttled, 403": error(403, "User Rate Limit Exceeded", code=403),
    "no choices": Reply(200, {"choices": [], "model": "m"}),
    "choices null": Reply(200, {"choices": None}),
    "nothing": Reply(200, b""),
    "503 as a web page": Reply(503, b"<html><h1>Service unavailable</h1></html>", media_type="text/html"),
    "529": error(529, "Overloaded", type="overloaded_error"),
}

FINAL: dict[str, Reply] = {
    "no credit": error(402, "Insufficient credits", code=402),
    "no credit inside 200": Reply(200, {"error": {"message": "Insufficient credits", "code": 402}}),
    "no balance": error(400, "Insufficient Balance"),
    "spent quota": error(429, "You exceeded your current quota", code="insufficient_quota"),
    "spent quota by type": error(403, "You exceeded your current quota", type="insufficient_quota"),
    "wrong key": error(401, "Incorrect API key provided"),
    "wrong key, 400": error(400, "API key not valid. Please pass a valid API key."),
}

FILTERS: dict[str, Reply] = {
    "filter by its code": error(400, "No.", code="content_filter"),
    "filter of Azure": Reply(
        400,
        {
            "error": {
                "message": "The response was filtered",
                "code": None,
                "innererror": {
                    "code": "ResponsibleAIPolicyViolation",
                    "content_filter_result": {"hate": {"filtered": True, "severity": "high"}},
                },
            }
        },
    ),
    "filter of a router": error(
        403, "Input was flagged by moderation", code=403, metadata={"reasons": ["violence"]}
    ),
    "filter in words": error(
        400, "Invalid prompt: your prompt was flagged as potentially violating our usage policy.", code="invalid_prompt"
    ),
    "filter of inspection": error(400, "Input data may contain inappropriate content.", code="data_inspection_failed"),
    "filter inside 200": Reply(200, {"error": {"code": "content_filter", "message": "blocked"}}),
    "filter without choices": Reply(
        200, {"choices": [], "prompt_filter_results": [{"content_filter_results": {"hate": {"filtered": True}}}]}
    ),
    "filter as a reason": Reply(200, {"choices": [{"finish_reason": "content_filter", "message": {"content": None}}]}),
    "filter as another reason": Reply(200, {"choices": [{"finish_reason": "SAFETY", "message": {"content": ""}}]}),
    "filter with its reason": Reply(
        200, {"choices": [{"finish_reason": "content_filter: PROHIBITED_CONTENT", "message": {"role": "assistant"}}]}
    ),
    "filter as feedback": Reply(200, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
    "refusal of the model": Reply(
        200, {"choices": [{"finish_reason": "stop", "message": {"content": None, "refusal": "I can't help."}}]}
    ),
}  # fmt: skip

THOUGHT = "Rules:\n- be brief\n- no duplicates\nThat is false. - So ALL_CORRECT is wrong. Answer: 1, 2, 3"


def reshaped(change: Callable[[dict[str, Any], str], None]) -> Callable[[dict[str, Any]], Any]:
    """The answer with its message changed."""

    def reshape(answer: dict[str, Any]) -> dict[str, Any]:
        for choice in answer["choices"]:
            if "message" in choice:
                change(choice["message"], choice["message"]["content"])
        return answer

    return reshape


def with_content(form: str) -> Callable[[dict[str, Any]], Any]:
    """What was said within other text, which has log-probabilities too where the answer has some."""
    before, after = (part.format(thought=THOUGHT) for part in form.split("{said}"))

    def reshape(answer: dict[str, Any]) -> dict[str, Any]:
        for choice in answer["choices"]:
            if "message" in choice:
                choice["message"]["content"] = f"{before}{choice['message']['content']}{after}"
                if tokens := (choice.get("logprobs") or {}).get("content"):
                    choice["logprobs"]["content"] = [*tokens_of(before), *tokens, *tokens_of(after)]
        return answer

    return reshape


def tokens_of(text: str) -> list[dict[str, Any]]:
    """A token for each word, beside which False is as likely."""
    words = re.findall(r"\s*\S+|\s+", text)
    return [{"token": word, "logprob": -0.7, "top_logprobs": [{"token": " False", "logprob": -0.7}]} for word in words]


def with_fields(**fields: Any) -> Callable[[dict[str, Any]], Any]:
    return reshaped(lambda message, said: message.update(fields))


def in_parts(message: dict[str, Any], said: str) -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
    message["content"] = [thinking, {"type": "text", "text": said[:3]}, {"type": "text", "text": said[3:]}]


def in_parts_of_a_thought(message: dict[str, Any], said: str) -> None:
    message["content"] = [{"text": THOUGHT, "thought": True}, {"text": said}]


def streamed(answer: dict[str, Any]) -> Reply:
    return Reply(200, stream_of(answer), media_type="text/event-stream")


def stream_of(answer: dict[str, Any]) -> bytes:
    [choice] = answer["choices"]
    said = choice["message"]["content"]
    half = len(said) // 2
    deltas: list[dict[str, Any]] = [
        {"delta": {"role": "assistant", "reasoning_content": THOUGHT}},
        {"delta": {"content": said[:half]}},
        {"delta": {"content": said[half:]}, "finish_reason": choice["finish_reason"]},
    ]
    events = [{"model": answer["model"], "choices": [{"index": 0, **delta}]} for delta in deltas]
    events.append({"choices": [], "usage": answer.get("usage")})
    lines = [": keep-alive", *(f"data: {json.dumps(event)}" for event in events), "data: [DONE]"]
    return "\n\n".join(lines).encode()


def without_logprob(answer: dict[str, Any]) -> dict[str, Any]:
    for choice in answer["choices"]:
        choice["logprobs"] = {"content": [{"token": "x", "logprob": None, "top_logprobs": None}]}
    return answer


def with_usage(usage: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda answer: {**answer, "usage": usage}


def with_reasoning_tokens(answer: dict[str, Any]) -> dict[str, Any]:
    """The thought itself is kept back, and its tokens are part of the completion."""
    usage = dict(answer.get("usage") or {})
    usage["completion_tokens"] = usage.get("completion_tokens", 0) + 64
    return {**answer, "usage": {**usage, "completion_tokens_details": {"reasoning_tokens": 64}}}


FORMS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "thought in tags": with_content("<think>{thought}</think>\n\n{said}"),
    "thought without an opening tag": with_content("{thought}\n</think>\n\n{said}"),
    "thought in other tags": with_content("<Reasoning>{thought}</Reasoning>{said}"),
    "thought of Mistral": with_content("[THINK]{thought}[/THINK]{said}</s>"),
    "thought of Gemma": with_content("<|channel>thought\n{thought}<channel|>{said}<turn|>"),
    "thought in channels": with_content(
        "<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>{said}<|return|>"
    ),
    "thought in reasoning_content": with_fields(reasoning_content=THOUGHT),
    "thought in reasoning": with_fields(reasoning=THOUGHT),
    "thought in thinking": with_fields(thinking=THOUGHT),
    "thought in reasoning_details": with_fields(reasoning_details=[{"type": "reasoning.text", "text": THOUGHT}]),
    "content in parts": reshaped(in_parts),
    "content in parts that are thoughts": reshaped(in_parts_of_a_thought),
    "tokens at the end": with_content("{said}<|im_end|>"),
    "logprob null": without_logprob,
    "reasoning tokens": with_reasoning_tokens,
    "usage null": with_usage(None),
    "usage as text": with_usage({"prompt_tokens": "12", "completion_tokens": "3"}),
    "usage negative": with_usage({"prompt_tokens": -1, "completion_tokens": -1}),
    "usage is a word": with_usage("unknown"),
    "plain text": lambda answer: Reply(200, answer, media_type="text/plain; charset=utf-8"),
    "a web page's type": lambda answer: Reply(200, answer, media_type="text/html"),
    "stream": streamed,
    "stream called JSON": lambda answer: Reply(200, stream_of(answer)),
    "stream of JSON lines": lambda answer: Reply(
        200, re.sub(rb"data: (?!\[DONE)|: keep-alive\n\n|data: \[DONE\]", b"", stream_of(answer))
    ),
    "within data": lambda answer: {"code": 0, "msg": "ok", "data": answer},
    "within a result": lambda answer: {"success": True, "errors": [], "result": answer},
    "within a list": lambda answer: [answer],
}

UNENDED = {
    "thought without an end": reshaped(lambda message, said: message.update(content=f"<think>{THOUGHT}")),
    "thought without an end in channels": reshaped(
        lambda message, said: message.update(content=f"<|channel|>analysis<|message|>{THOUGHT}")
    ),
}

# Whole servers, as people meet them.
OF_REQUESTS = ("max_completion_tokens only", "temperature 1 only", "no log-probabilities, 403", "no stop", "no top_p")
SERVERS: dict[str, tuple[str, ...]] = {
    "as GPT-5": (*OF_REQUESTS, "no seed", "reasoning tokens"),
    "thinking": ("thought in tags", "tokens at the end"),
    "thinking, without the opening tag": ("thought without an opening tag", "tokens at the end"),
    "refusing all": (
        *OF_REQUESTS, "no seed", "no response format", "no reasoning effort", "no system role", "usage null",
    ),
}  # fmt: skip


def refusal_of(names: list[str], body: Body) -> Reply | None:
    """What the dialects refuse of the request; None: nothing."""
    refusals = (REFUSALS[name](body) for name in names if name in REFUSALS)
    found = next((refusal for refusal in refusals if refusal is not None), None)
    if found is None and "forbidden" in json.dumps(body):
        found = next((FILTERS[name] for name in names if name in FILTERS), None)
    return found or next((FINAL[name] for name in names if name in FINAL), None)


def fault_of(names: list[str]) -> Reply | None:
    return next((FAULTS[name] for name in names if name in FAULTS), None)


def in_form(names: list[str], answer: Any) -> Any:
    """The answer in the form of the dialects."""
    for name in names:
        if form := FORMS.get(name) or UNENDED.get(name):
            answer = form(answer)
    return answer
