"""A request to a chat model, and the hash under which its answer is kept."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Message = Mapping[str, str]


@dataclass(frozen=True)
class Request:
    """Everything that can change the answer.

    `parameters` go into the body as they are (temperature, max_tokens, ...). `sample` counts from 0 the answers asked
    to the same words; it is not sent, but it makes each of them a request of its own.
    """

    base_url: str
    model: str
    messages: Sequence[Message]
    parameters: Mapping[str, Any]
    sample: int = 0

    @cached_property
    def content(self) -> dict[str, Any]:
        """The request as plain JSON values, as it is stored beside its answer."""
        return {
            "base_url": self.base_url,
            "model": self.model,
            "messages": [dict(message) for message in self.messages],
            "parameters": dict(self.parameters),
            "sample": self.sample,
        }

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hexadecimal, of the content written in one canonical way."""
        text = json.dumps(self.content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
        return hashlib.sha256(text.encode("ascii")).hexdigest()
