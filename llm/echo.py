"""A text that came back with the log-probabilities of its own tokens: which characters each of them stands for.

Servers write this in two forms: `logprobs` of an echoed prompt, with or without offsets, and `prompt_logprobs`. A part
of a character comes as nothing, or as a replacement character, and the mark of a text's beginning as a token of no
text. So offsets are not believed but checked, and where there are none the tokens are laid along the text.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llm.answer import EchoedToken

LEAST_LOGPROB = -9999.0  # servers write this for "impossible"; a database takes no infinity
PART_OF_CHARACTER = re.compile("\ufffd|^bytes:")
LONGEST_UNREADABLE = 64  # characters that tokens without a readable text are taken to stand for

Span = tuple[int, int]


@dataclass(frozen=True)
class ServerToken:
    """A token as a server writes it. text: None where it is not known. offset: where it says that the token starts."""

    text: str | None
    logprob: float | None
    offset: int | None = None

    @property
    def is_readable(self) -> bool:
        return self.text is not None and not PART_OF_CHARACTER.search(self.text)


def read_echo(choice: dict[str, Any], prompt: str) -> tuple[EchoedToken, ...]:
    """The tokens of the prompt, in order, without generated ones; () where they cannot be laid over it.

    Raises KeyError, TypeError or ValueError where the choice has another form.
    """
    if choice.get("prompt_logprobs") is not None:
        tokens, text = [_of_prompt_logprobs(entry) for entry in choice["prompt_logprobs"]], prompt
    else:
        tokens = _of_logprobs(choice.get("logprobs") or {})
        text = choice.get("text") or ""
    if not tokens or not text.startswith(prompt):
        return ()
    spans = _as_offsets_say(tokens, text) or _laid_along(tokens, text)
    if spans is None or spans[-1][1] < len(prompt):
        return ()
    placed = zip(spans, tokens, strict=True)
    return tuple(
        EchoedToken(start, min(end, len(prompt)), _finite(token.logprob))
        for (start, end), token in placed
        if start < end and start < len(prompt)
    )


def _of_logprobs(logprobs: dict[str, Any]) -> list[ServerToken]:
    texts, values = logprobs.get("tokens") or [], logprobs.get("token_logprobs") or []
    offsets = logprobs.get("text_offset") or [None] * len(texts)
    return [ServerToken(*token) for token in zip(texts, values, offsets, strict=True)]


def _of_prompt_logprobs(entry: dict[str, Any] | None) -> ServerToken:
    """Of the token itself, which comes before the likeliest where there are more."""
    if not entry:
        return ServerToken(None, None)
    token = next(iter(entry.values()))
    return ServerToken(token.get("decoded_token"), token["logprob"])


def _as_offsets_say(tokens: Sequence[ServerToken], text: str) -> list[Span] | None:
    """None where there are no offsets, or where they do not agree with the tokens' texts."""
    starts = [token.offset for token in tokens if token.offset is not None]
    if len(starts) < len(tokens) or starts[0] != 0 or starts != sorted(starts):
        return None
    for start, token in zip(starts, tokens, strict=True):
        if token.is_readable and not text.startswith(token.text or "", start):
            return None
    ends = [*starts[1:], len(text)]
    # Of a character's parts all but the last seem to be of no width.
    return [(start, max(end, min(start + 1, len(text)))) for start, end in zip(starts, ends, strict=True)]


def _laid_along(tokens: Sequence[ServerToken], text: str) -> list[Span] | None:
    """Each readable run where it stands next; those between two such, or before the first, stand for what lies
    between. None where that fits nowhere, or in several ways."""
    spans: list[Span] = []
    place = 0
    while len(spans) < len(tokens):
        unreadable = _run(tokens, len(spans), readable=False)
        if not spans and not unreadable and not text.startswith(tokens[0].text or ""):
            unreadable = 1  # such as the mark of the text's beginning
        readable = _run(tokens, len(spans) + unreadable, readable=True)
        words = [tokens[len(spans) + unreadable + each].text or "" for each in range(readable)]
        skipped = _skipped(text, place, "".join(words), unreadable)
        if skipped is None:
            return None
        spans += [(place, place + skipped)] * unreadable
        place += skipped
        for word in words:
            spans.append((place, place + len(word)))
            place += len(word)
    return spans


def _run(tokens: Sequence[ServerToken], first: int, *, readable: bool) -> int:
    """How many tokens from there on are (not) readable."""
    count = 0
    while first + count < len(tokens) and tokens[first + count].is_readable is readable:
        count += 1
    return count


def _skipped(text: str, place: int, words: str, unreadable: int) -> int | None:
    """How many characters the unreadable tokens before the words stand for."""
    if not unreadable:
        return 0 if text.startswith(words, place) else None
    if not words:
        return len(text) - place
    longest = min(LONGEST_UNREADABLE, len(text) - place)
    fitting = [skipped for skipped in range(longest + 1) if text.startswith(words, place + skipped)]
    return fitting[0] if len(fitting) == 1 else None


def _finite(logprob: float | None) -> float | None:
    """None, as of the first token, where there is none or it is not a number."""
    if logprob is None or math.isnan(logprob):
        return None
    return max(LEAST_LOGPROB, min(float(logprob), 0.0))
