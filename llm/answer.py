"""What comes back from a model, as a caller sees it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """A model's answer to one request. `call_id` is its row in the cache (llm.models.Call); `finish_reason` "length"
    means that it was cut off."""

    call_id: int
    text: str
    finish_reason: str
