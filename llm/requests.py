"""A request to a model, and the hash under which its answer is kept."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from llm.interfaces import CHAT, TEXT, as_text, next_turns, word_for_word

Message = Mapping[str, str]


@dataclass(frozen=True)
class Request:
    """Everything that can change the answer.

    `parameters`: of the chat protocol (temperature, max_tokens, logprobs, ...). `sample`: the number of the answer to
    the same messages, from 0; it is not sent, but makes each a request of its own. `interface`: whether the messages go
    out as a chat, as one text in turns, or word for word.
    """

    base_url: str
    model: str
    messages: Sequence[Message]
    parameters: Mapping[str, Any]
    sample: int = 0
    interface: str = CHAT

    @cached_property
    def content(self) -> dict[str, Any]:
        """The request as plain JSON values, as it is stored beside its answer."""
        return {
            "base_url": self.base_url,
            "model": self.model,
            "interface": self.interface,
            "messages": [dict(message) for message in self.messages],
            "parameters": dict(self.parameters),
            "sample": self.sample,
        }

    @cached_property
    def text(self) -> str:
        """The content as JSON, written in one canonical way."""
        return canonical(self.content)

    @cached_property
    def hash(self) -> str:
        return hash_of(self.text)

    @property
    def path(self) -> str:
        return "/chat/completions" if self.interface == CHAT else "/completions"

    @property
    def body(self) -> dict[str, Any]:
        """The body of the request. In plain completions `logprobs` is the number of alternatives itself, and they end
        where the model would begin a turn of the user's."""
        messages, parameters = self.content["messages"], dict(self.parameters)
        if self.interface == CHAT:
            return {"model": self.model, "messages": messages, **parameters}
        alternatives = parameters.pop("top_logprobs", 0)
        if parameters.pop("logprobs", False):
            parameters["logprobs"] = max(1, alternatives)
        if self.interface == TEXT:
            return {"model": self.model, "prompt": word_for_word(messages), **parameters}
        stop = {"stop": ends} if (ends := next_turns(messages)) else {}
        return {"model": self.model, "prompt": as_text(messages), **stop, **parameters}

    @property
    def echoing(self) -> str | None:
        """The prompt, where it is asked back with the log-probabilities of its own tokens (llm/echo.py)."""
        asked_back = self.parameters.get("echo") or "prompt_logprobs" in self.parameters
        return self.body["prompt"] if asked_back and self.interface != CHAT else None

    @property
    def most_tokens(self) -> int:
        """An estimate, rather too high, of the tokens of prompt and answer together: a token has three characters or
        more in most texts, and a turn a few tokens around it."""
        prompt = sum(len(message["content"]) // 3 + 8 for message in self.messages)
        return prompt + int(self.parameters.get("max_tokens", 0))


@dataclass(frozen=True)
class EmbeddingRequest:
    """A text to be embedded."""

    base_url: str
    model: str
    text: str

    @cached_property
    def hash(self) -> str:
        return hash_of(canonical({"base_url": self.base_url, "model": self.model, "input": self.text}))


def canonical(content: Mapping[str, Any]) -> str:
    """The content as JSON in ASCII, its keys sorted: the same content is the same text."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def hash_of(text: str) -> str:
    """SHA-256, in hexadecimal, of a text in ASCII."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()
