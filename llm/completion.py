"""An endpoint's JSON, read in the forms of all servers."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from llm.answer import CUT_OFF, REFUSED, STOPPED, UNREADABLE, Answer, EchoedToken, Token
from llm.echo import LEAST_LOGPROB, read_echo
from llm.interfaces import CHAT
from llm.thoughts import take_apart, tokens_said

# Why an answer ended, in the words of other servers than OpenAI's.
SAME_REASON = {
    **dict.fromkeys(("max_tokens", "max_output_tokens", "max_length", "model_length", "token_limit"), CUT_OFF),
    "model_context_window_exceeded": CUT_OFF,
    **dict.fromkeys(
        ("safety", "refusal", "blocked", "recitation", "prohibited_content", "spii", "blocklist", "sensitive"), REFUSED
    ),
    **dict.fromkeys(("guardrail_intervened", "content_filtered", REFUSED), REFUSED),
}
LONGEST_REASON = 50
LONGEST_NAME = 200
THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking", "thinking_content", "thought", "reasoning_details")
THOUGHT_PARTS = ("thinking", "reasoning", "redacted_thinking", "thought", "reasoning.text", "reasoning.summary")
TEXT_FIELDS = ("text", "thinking", "reasoning", "summary", "content", "value", "refusal")
MOST_COUNTED = 2**31 - 1  # that a database takes
MOST_USD = 100_000
CENT_FRACTION = Decimal("0.000001")


class NotACompletionError(ValueError):
    """The answer is of another form than that of the interface: nothing of a completion was found in it."""


@dataclass(frozen=True)
class ModelCompletion:
    """An answered request. `text` is raw, as the server gave it, where the thought can still be in it; `thought` came
    beside it. `finish_reason`: as of llm.answer.Answer. Token counts are None where the server gave none that can be:
    cached_tokens of the prompt it had read before, reasoning_tokens of the completion were thought. served_usd: the
    price, where the server names it. `seconds` is that of the attempt that succeeded. adapted: what was sent otherwise
    than asked (llm/dialects.py), in words.
    """

    text: str
    finish_reason: str
    served_model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    served_usd: Decimal | None = None
    tokens: tuple[Token, ...] = ()
    echoed: tuple[EchoedToken, ...] = ()
    thought: str = ""
    adapted: tuple[str, ...] = ()
    attempts: int = 1
    seconds: float = 0.0

    def after(self, attempts: int, seconds: float, adapted: tuple[str, ...] = ()) -> "ModelCompletion":
        return replace(self, attempts=attempts, seconds=seconds, adapted=adapted)


@dataclass
class Content:
    """What a message holds, of whatever form it is."""

    said: list[str] = field(default_factory=list)
    thought: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    is_readable: bool = True

    def read(self, content: Any) -> None:
        """Add the content of a message: a text, parts, or parts of parts."""
        if content is None:
            return
        if isinstance(content, str):
            self.said.append(content)
        elif isinstance(content, list):
            for part in content:
                self.read(part)
        elif isinstance(content, dict):
            self._read_part(content)
        else:
            self.is_readable = False

    def _read_part(self, part: Mapping[str, Any]) -> None:
        kind = part.get("type")
        if kind in THOUGHT_PARTS or part.get("thought") is True:
            self.thought += _texts(part)
        elif kind == "refusal":
            self.refusal += _texts(part)
        elif texts := _texts(part.get("text", part.get("content"))):
            self.said += texts
        elif kind not in ("text", "output_text", "tool_use"):
            self.is_readable = False


def read_completion(answer: Any, interface: str, echoing: str | None = None) -> ModelCompletion:
    """`echoing`: the prompt, where it is echoed. The text begins after it.

    What has a choice is a completion; where its text is of no known form, it is kept whole as UNREADABLE. Raises
    NotACompletionError: a web page with status 200 arrives as text, an error as an object without choices.
    """
    try:
        choice = answer["choices"][0]
        message = _message(choice, interface)
        content = Content()
        content.read(message.get("content"))
    except (AttributeError, IndexError, KeyError, TypeError):
        raise NotACompletionError from None
    said, refusal = "".join(content.said), "".join([*content.refusal, *_texts(message.get("refusal"))])
    beside = next(filter(None, (_texts(message.get(name)) for name in THOUGHT_FIELDS)), [])
    reason = _reason(choice.get("finish_reason") or choice.get("stop_reason"))
    if not said and not content.is_readable:
        said, reason = json.dumps(answer, ensure_ascii=False), UNREADABLE
    elif not said and refusal:
        said, reason = refusal, REFUSED
    text = storable(said.removeprefix(echoing or ""))
    return ModelCompletion(
        text=text,
        finish_reason=CUT_OFF if take_apart(text).is_cut_off else reason,
        served_model=storable("".join(_texts(answer.get("model"))))[:LONGEST_NAME],
        **read_usage(answer.get("usage")),
        tokens=_tokens(choice.get("logprobs")) if echoing is None else (),
        echoed=_echo(choice, echoing) if echoing is not None else (),
        thought=storable("\n".join([*beside, *content.thought])),
    )


def ended_at(completion: ModelCompletion, stops: str | Sequence[str]) -> ModelCompletion:
    """The completion up to the first of the texts at which it was to stop, where the server would not."""
    raw = completion.text
    apart = take_apart(raw)
    begin = apart.said[0][0] if apart.said else len(raw)
    stops = [stops] if isinstance(stops, str) else stops
    ends = [place for stop in stops if (place := raw.find(stop, begin)) >= 0]
    if not ends:
        return completion
    text = raw[: min(ends)]
    return replace(completion, text=text, finish_reason=STOPPED, tokens=tokens_said(completion.tokens, raw, text))


def read_answer(call_id: int, completion: ModelCompletion) -> Answer:
    """The completion, new or stored, taken apart: what was said, what was thought, and why it ended."""
    raw = completion.text
    if completion.finish_reason in (REFUSED, UNREADABLE):
        reason, thought, adapted = completion.finish_reason, completion.thought, completion.adapted
        return Answer(call_id, "", reason, thought=thought, adapted=adapted, is_missing=True)
    apart = take_apart(raw)
    text = apart.text(raw)
    reason = CUT_OFF if apart.is_cut_off else completion.finish_reason
    thought = "\n".join(filter(None, (completion.thought, apart.thought_in(raw))))
    return Answer(
        call_id,
        text,
        reason,
        tokens_said(completion.tokens, raw, text) if completion.tokens else (),
        completion.echoed,
        thought,
        completion.adapted,
        is_missing=not text.strip() and (reason == CUT_OFF or bool(thought)),
    )


def _message(choice: Mapping[str, Any], interface: str) -> Mapping[str, Any]:
    """The message of a chat, or the text that goes on as the content of one; some servers give the one for the
    other."""
    message = choice.get("message") or choice.get("delta")
    if message is None or (interface != CHAT and choice.get("text") is not None):
        message = {**choice, "content": choice.get("text")}
    if not isinstance(message, dict):
        raise NotACompletionError
    return message


def _texts(value: Any) -> list[str]:
    """All texts in a value: of itself, its items, or its fields that hold some."""
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, dict):
        return next(filter(None, (_texts(value.get(name)) for name in TEXT_FIELDS)), [])
    return []


def _reason(value: Any) -> str:
    reason = value if isinstance(value, str) else ""
    kind = reason.lower().partition(":")[0].strip()  # some say why a filter refused
    return SAME_REASON.get(kind, reason)[:LONGEST_REASON]


def read_usage(usage: Any) -> dict[str, Any]:
    """The counts and the price of a ModelCompletion, as far as they can be read."""
    if not isinstance(usage, dict):
        return {}
    of_prompt, of_completion = (_fields(usage, name) for name in ("prompt", "completion"))
    prompt = _count(usage, "prompt_tokens", "input_tokens")
    completion = _count(usage, "completion_tokens", "output_tokens")
    reasoning = _count({**usage, **of_completion}, "reasoning_tokens", "thinking_tokens")
    if prompt is not None and completion is not None and reasoning:
        # Some servers leave the thought out of the completion, but not out of the sum.
        completion += reasoning * (_count(usage, "total_tokens") == prompt + completion + reasoning)
    cached = _count({**usage, **of_prompt}, "cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens")
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "cached_tokens": cached,
        "reasoning_tokens": reasoning,
        "served_usd": _usd(usage.get("cost", usage.get("total_cost"))),
    }


def _fields(usage: Mapping[str, Any], of: str) -> Mapping[str, Any]:
    other = {"prompt": "input", "completion": "output"}[of]
    found = usage.get(f"{of}_tokens_details") or usage.get(f"{other}_tokens_details")
    return found if isinstance(found, dict) else {}


def _count(fields: Mapping[str, Any], *names: str) -> int | None:
    """The first of the fields that is a number of tokens; also one that is written as text."""
    for name in names:
        value = fields.get(name)
        number = str(value).strip().removesuffix(".0") if isinstance(value, int | float | str) else ""
        if number.isdecimal() and number.isascii() and int(number) <= MOST_COUNTED:
            return int(number)
    return None


def _usd(value: Any) -> Decimal | None:
    try:
        usd = Decimal(str(value).strip())
        return usd.quantize(CENT_FRACTION, rounding=ROUND_HALF_UP) if 0 <= usd < MOST_USD else None
    except InvalidOperation:
        return None


def read_embeddings(answer: Any, count: int) -> tuple[list[list[float]], int | None]:
    """One vector a text, in the order of the texts, and the tokens that they took. Raises NotACompletionError."""
    try:
        rows = sorted(answer["data"], key=lambda row: row.get("index", 0))
        vectors = [_vector(row["embedding"]) for row in rows]
        tokens = read_usage(answer.get("usage")).get("prompt_tokens")
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


def _echo(choice: dict[str, Any], prompt: str) -> tuple[EchoedToken, ...]:
    try:
        return read_echo(choice, prompt)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise NotACompletionError from None


def _tokens(logprobs: Any) -> tuple[Token, ...]:
    """Of either form: a list of objects (chat), or parallel lists (completions). () where they are of neither, or one
    has no log-probability: the others alone would be another text."""
    try:
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
        tokens = list(zip(texts, values, tops, strict=True))
        nothing_before = bool(tokens) and tokens[0][1] is None  # it may be the first of a prompt that was echoed
        return tuple(_token(*token) for token in tokens[nothing_before:])
    except (AttributeError, KeyError, TypeError, ValueError):
        return ()


def _token(text: str, logprob: float, top: dict[str, float] | None) -> Token:
    alternatives = {storable(other): _finite(value) for other, value in (top or {}).items() if value is not None}
    return Token(storable(text), _finite(logprob), alternatives)


def _finite(logprob: float) -> float:
    return LEAST_LOGPROB if math.isnan(logprob) else max(LEAST_LOGPROB, min(logprob, 0.0))


def storable(text: str) -> str:
    """The text with characters that no database takes (NUL, lone surrogates) replaced by the replacement character."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
