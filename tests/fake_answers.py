"""What the fake model server says: answers in OpenAI's forms, as a test told it to."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from tests.fake_claims import WRONG, is_wrong, searching


@dataclass
class Behaviour:
    """answers: so many calls are answered; those after them wait until the server is told otherwise. answer: this text
    for every request; None: what fits the prompt (`fitting`). answer_of: by model, before that. wrong: a text in
    which this regular expression is found is called wrong. garble_first: so many calls are answered in a form that
    nobody asked for.
    fail_first: so many calls fail before one succeeds; fail_first_of_each: so many of each request; fail_every: each
    n-th call fails. fail_status 0 drops the connection without an answer. break_first: so many answers break off in the
    middle. raw_body: sent as it is, with status 200. usage: whether token counts are given. logprobs: whether
    log-probabilities are given where they are asked for; a word is a token, and as likely as `logprob` says, or
    `logprobs_of` by word (None: not a number).
    echoes: whether a prompt comes back with the answer, offsets: with those of its tokens, echo_off: by so much another
    log-probability than when they are generated; prompt_logprobs: whether its log-probabilities come beside the answer,
    as vLLM gives them. batches: what becomes of a batch (tests/fake_batches.py). most_words: a longer prompt is
    refused. serves: the interfaces that there are.
    context_length: what the list of models says, if it says something. dialects: names of tests/fake_dialects.py;
    faults_always: their faults come with every call, not before the first answer to each request alone."""

    latency: float = 0.0
    answers: int | None = None
    answer: str | None = None
    answer_of: dict[str, str] = field(default_factory=dict)
    wrong: str = WRONG
    garble_first: int = 0
    finish_reason: str = "stop"
    fail_first: int = 0
    fail_first_of_each: int = 0
    fail_every: int = 0
    fail_status: int = 500
    fail_text: str = "told to fail"
    fail_code: str | None = None
    retry_after: str | None = None
    location: str | None = None  # of a failure that redirects
    break_first: int = 0
    raw_body: str | None = None
    logprobs: bool = True
    logprob: float = -0.25
    logprobs_of: dict[str, float | None] = field(default_factory=dict)
    echoes: bool = True
    offsets: bool = True
    echo_off: float = 0.0
    prompt_logprobs: bool = False
    most_words: int | None = None
    serves: str = "chat completions embeddings"
    context_length: int | None = None
    usage: bool = True
    batches: str = "completed"
    dialects: list[str] = field(default_factory=list)
    faults_always: bool = False

    def fails(self, number: int, time: int) -> bool:
        """Whether the call with this number fails, which asks the same for this time; both from 1."""
        every = self.fail_every > 0 and number % self.fail_every == 0
        return every or number <= self.fail_first or time <= self.fail_first_of_each


def flagged_ids(text: str, wrong: str) -> str:
    """The answer to a message that ends in numbered segments: which of them are wrong."""
    numbered = re.findall(r"^(\d+)\.(.*)$", text, flags=re.MULTILINE)
    ids = [number for number, segment in numbered if is_wrong(segment, wrong)]
    return f"Answer: {','.join(ids)}" if ids else "ALL_CORRECT"


# How questions about a statement end, with the answers to a right and to a wrong one.
QUESTIONS = (
    (r"True or False\?", "True", "False"),
    (r"Yes or No\?", "Yes", "No"),
    ("Label:", "supported", "not supported"),
)


def fitting(messages: list[dict[str, str]], wrong: str) -> str:
    """Facts cut at "and", sentences with "right" for "wrong" where an editor asks, segments at the ends of lines,
    False, No or "not supported" of a statement that is wrong, labels of numbered statements alike, eight prompts
    where more are asked for, segments as their own claims (none of an exclamation), variants of a sentence, the
    flagged ids of numbered segments; to methods that search what tests/fake_claims.py says."""
    if (said := searching(messages, wrong)) is not None:
        return said
    for message in reversed(messages):
        if found := re.match(r"Take this sentence apart: (.*)", message["content"]):
            return "".join(f"- {fact.strip(' ,.')}.\n" for fact in re.split(r"\band\b", found.group(1)))
    if sentence := re.search(r"^Input: (.*)\n(?:Fact .*\n)*Edit:$", messages[-1]["content"], flags=re.MULTILINE):
        return sentence.group(1).replace("wrong", "right")
    if separator := re.search(r"the separator (\*+)", messages[0]["content"]):
        return f"\n{separator.group(1)}\n".join(messages[1]["content"].splitlines())
    if "more of the same kind" in messages[-1]["content"]:
        return prompts(messages[-1]["content"])
    for question, good, bad in QUESTIONS:
        if statement := re.search(rf"^Statement: (.*)\n{question}$", messages[-1]["content"], flags=re.MULTILINE):
            return bad if is_wrong(statement.group(1), wrong) else good
    if "You label statements" in messages[0]["content"]:
        numbered = re.findall(r"^(\d+)\. (.*)$", messages[-1]["content"], flags=re.MULTILINE)
        return "\n".join(f"{number}: {'not ' * is_wrong(text, wrong)}supported" for number, text in numbered)
    if "You break answers up into claims" in messages[0]["content"]:
        numbered = re.findall(r"^(\d+)\. (.*)$", messages[-1]["content"], flags=re.MULTILINE)
        claims = (f"\nClaim 1. {segment}" if not segment.endswith("!") else "" for _, segment in numbered)
        return "\n".join(f"Segment {number}:{claim}" for (number, _), claim in zip(numbered, claims, strict=True))
    if variants := re.findall(
        r"^Sentence: (.*)\n\nWrite (\d+) variants?\.", messages[-1]["content"], flags=re.MULTILINE
    ):
        return contradictions(*variants[-1], messages[0]["content"])
    return flagged_ids(messages[-1]["content"], wrong)


def prompts(request: str) -> str:
    """Eight questions that share few words with each other, of each request other ones."""
    digests = [hashlib.sha256(f"{request} {number}".encode()).hexdigest() for number in range(8)]
    return "\n".join(f"- Why {' '.join(re.findall('.{8}', digest))}?" for digest in digests)


def contradictions(sentence: str, wanted: str, request: str) -> str:
    """So many variants of the sentence with planned edits, of each request other ones: a word changed in each."""
    words = sentence.split()
    kind = hashlib.sha256(request[:500].encode()).hexdigest()[:6]
    planned = [(words[place % len(words)], f"other{kind}{place}") for place in range(1, int(wanted) + 1)]
    return "\n".join(
        f'{number}. Change: "{word}" to "{other}".\nContradiction: {sentence.replace(word, other, 1)}'
        for number, (word, other) in enumerate(planned, start=1)
    )


def completion(body: dict[str, Any], behaviour: Behaviour, number: int) -> dict[str, Any]:
    told = behaviour.answer_of.get(body["model"], behaviour.answer)
    text = told if told is not None else by_schema(body, fitting(body["messages"], behaviour.wrong))
    if number <= behaviour.garble_first:
        text = "I would rather not."
    prompt_tokens = sum(len(message["content"].split()) for message in body["messages"])
    answer: dict[str, Any] = {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": f"{body['model']}-fake",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": behaviour.finish_reason,
            }
        ],
    }
    if body.get("logprobs") and behaviour.logprobs:
        answer["choices"][0]["logprobs"] = chat_logprobs(text, behaviour)
    if behaviour.usage:
        tokens = len(text.split())
        answer["usage"] = {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": tokens,
            "total_tokens": prompt_tokens + tokens,
        }
    return answer


def by_schema(body: dict[str, Any], text: str) -> str:
    """The text by the schema that the request asks for: an object with a list of its lines, unless it is one."""
    wanted = (body.get("response_format") or {}).get("json_schema")
    if wanted is None or text.startswith("{"):
        return text
    [field] = wanted["schema"]["properties"]
    items = json.loads(text) if text.startswith("[") else [line.removeprefix("- ") for line in text.splitlines()]
    return json.dumps({field: items})


def plain_completion(body: dict[str, Any], behaviour: Behaviour, number: int) -> dict[str, Any]:
    """The chat's answer to the prompt as a text that goes on; with `echo` the prompt before it."""
    chat = {**body, "messages": [{"role": "user", "content": body["prompt"]}]}
    answer = completion({**chat, "logprobs": None}, behaviour, number)
    choice = answer["choices"][0]
    said = choice.pop("message")["content"]
    echoed = bool(body.get("echo")) and behaviour.echoes
    text = body["prompt"] + said if echoed else said
    choice["text"] = text
    if body.get("logprobs") and behaviour.logprobs:
        words = [*words_of(body["prompt"]), *words_of(said)] if echoed else words_of(said)
        starts = [0, *accumulate(map(len, words))][:-1]
        logprobs = [logprob_of(word, behaviour) for word in words]
        choice["logprobs"] = {
            "tokens": words,
            # Nothing stands before the first of a prompt.
            "token_logprobs": [None, *(each + behaviour.echo_off for each in logprobs[1:])] if echoed else logprobs,
            "top_logprobs": [alternatives(word, behaviour) for word in words],
            **({"text_offset": starts} if behaviour.offsets else {}),
        }
    if "prompt_logprobs" in body and behaviour.prompt_logprobs:
        words = words_of(body["prompt"])
        told = [{"7": {"logprob": logprob_of(word, behaviour), "decoded_token": word}} for word in words]
        choice["prompt_logprobs"] = [None, *told[1:]]
    return answer


def embeddings(body: dict[str, Any], behaviour: Behaviour, number: int) -> dict[str, Any]:
    """Of each text: its characters, its words, 1."""
    rows = [
        {"object": "embedding", "index": place, "embedding": [float(len(text)), float(len(text.split())), 1.0]}
        for place, text in enumerate(body["input"])
    ]
    tokens = sum(len(text.split()) for text in body["input"])
    # In the wrong order, as the protocol allows.
    return {"object": "list", "data": rows[::-1], "model": body["model"], "usage": {"prompt_tokens": tokens}}


def words_of(text: str) -> list[str]:
    """The text cut before each white space."""
    return re.findall(r"\s*\S+", text)


def logprob_of(word: str, behaviour: Behaviour) -> float:
    found = behaviour.logprobs_of.get(word.strip(), behaviour.logprob)
    return float("nan") if found is None else found


def alternatives(word: str, behaviour: Behaviour) -> dict[str, float]:
    return {word: behaviour.logprob, " False": -3.0}


def chat_logprobs(text: str, behaviour: Behaviour) -> dict[str, Any]:
    return {
        "content": [
            {
                "token": word,
                "logprob": behaviour.logprob,
                "top_logprobs": [
                    {"token": other, "logprob": value} for other, value in alternatives(word, behaviour).items()
                ],
            }
            for word in words_of(text)
        ]
    }


Made = Callable[[dict[str, Any], Behaviour, int], dict[str, Any]]
MADE_BY_PATH: dict[str, Made] = {
    "/v1/chat/completions": completion,
    "/v1/completions": plain_completion,
    "/v1/embeddings": embeddings,
}
