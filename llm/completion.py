"""An endpoint's JSON, read in the forms of all servers."""

import math
from dataclasses import dataclass, replace
from typing import Any

from llm.answer import EchoedToken, Token
from llm.echo import LEAST_LOGPROB, read_echo
from llm.interfaces import CHAT

REFUSED = "content_filter"


class NotACompletionError(ValueError):
    """The answer is of another form than that of the interface."""


@dataclass(frozen=True)
class ModelCompletion:
    """An answered request. `text` is "" where the endpoint would not answer (`finish_reason` "content_filter") or had
    nothing to say. Token counts are None where the server gave none; `seconds` is that of the attempt that succeeded.
    """

    text: str
    finish_reason: str
    served_model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    tokens: tuple[Token, ...] = ()
    echoed: tuple[EchoedToken, ...] = ()
    attempts: int = 1
    seconds: float = 0.0

    def after(self, attempts: int, seconds: float) -> "ModelCompletion":
        return replace(self, attempts=attempts, seconds=seconds)


def read_completion(answer: Any, interface: str, echoing: str | None = None) -> ModelCompletion:
    """`echoing`: the prompt, where it is echoed. The text begins after it.

    Raises NotACompletionError: a web page with status 200 arrives as text, an error as an object without choices.
    """
    try:
        usage = answer.get("usage") or {}
        # Some endpoints leave out every choice of an answer that their filter stopped.
        choice: dict[str, Any] = {"finish_reason": REFUSED} if answer["choices"] == [] else answer["choices"][0]
        return ModelCompletion(
            text=storable(_text(choice, interface).removeprefix(echoing or "")),
            finish_reason=choice.get("finish_reason") or "",
            served_model=storable(answer.get("model") or ""),
            prompt_tokens=usage.get("prompt_tokens"),
            completion_tokens=usage.get("completion_tokens"),
            tokens=_tokens(choice.get("logprobs") or {}) if echoing is None else (),
            echoed=read_echo(choice, echoing) if echoing is not None else (),
        )
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise NotACompletionError from None


def read_embeddings(answer: Any, count: int) -> tuple[list[list[float]], int | None]:
    """One vector a text, in the order of the texts, and the tokens that they took. Raises NotACompletionError."""
    try:
        rows = sorted(answer["data"], key=lambda row: row.get("index", 0))
        vectors = [_vector(row["embedding"]) for row in rows]
        tokens = (answer.get("usage") or {}).get("prompt_tokens")
    except (AttributeError, KeyError, TypeError, ValueError):
        raise NotACompletionError from None
    if len(vectors) != count or not all(vectors):
        raise NotACompletionError
    return vectors, tokens


def _vector(embedding: list[Any]) -> list[float]:
    """The mean of the vectors of a text's tokens, where the server gives these and not one for the text."""
    if embedding and isinstance(embedding[0], list):
        return [math.fsum(numbers) / len(embedding) for numbers in zip(*embedding, strict=True)]
    return [float(number) for number in embedding]


def _text(choice: dict[str, Any], interface: str) -> str:
    if interface == CHAT:
        return (choice.get("message") or {}).get("content") or ""
    return choice.get("text") or ""


def _tokens(logprobs: dict[str, Any]) -> tuple[Token, ...]:
    """Of either form: a list of objects (chat), or parallel lists (completions)."""
    if logprobs.get("content"):
        return tuple(
            _token(
                token["token"],
                token["logprob"],
                {top["token"]: top["logprob"] for top in token.get("top_logprobs") or ()},
            )
            for token in logprobs["content"]
        )
    texts, values = logprobs.get("tokens") or [], logprobs.get("token_logprobs") or []
    tops = logprobs.get("top_logprobs") or [{}] * len(texts)
    return tuple(_token(*token) for token in zip(texts, values, tops, strict=True) if token[1] is not None)


def _token(text: str, logprob: float, top: dict[str, float] | None) -> Token:
    alternatives = {storable(other): _finite(value) for other, value in (top or {}).items()}
    return Token(storable(text), _finite(logprob), alternatives)


def _finite(logprob: float) -> float:
    return LEAST_LOGPROB if math.isnan(logprob) else max(LEAST_LOGPROB, min(logprob, 0.0))


def storable(text: str) -> str:
    """The text with characters that no database takes (NUL, lone surrogates) replaced by the replacement character."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
