"""Why a server did not answer: read from the status, the headers and the body, wherever it says so."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from llm.answer import BROKEN_OFF
from llm.retries import retry_after, seconds_until

PASSING = frozenset({408, 409, 425, 429})  # and every 5xx
ACCESS = frozenset({401, 402, 403, 404, 405})  # key, credit, rights, address or model
BAD_GATEWAY = 502

# Codes that name their cause by themselves, in small letters alone.
FILTER_CODES = frozenset(
    {
        "contentfilter",
        "contentpolicyviolation",
        "responsibleaipolicyviolation",
        "datainspectionfailed",
        "contentfiltererror",
        "moderationblocked",
        "prohibitedcontent",
        "guardrailintervened",
    }
)
SPENT_CODES = frozenset(
    {
        "insufficientquota",
        "insufficientuserquota",
        "insufficientcredits",
        "insufficientbalance",
        "billinghardlimitreached",
        "billingnotactive",
        "spendinglimitreached",
        "paymentrequired",
        "arrearage",
        "accountdeactivated",
        "accessterminated",
        "invalidapikey",
        "apikeyinvalid",
    }
)
FILTERED = re.compile(
    r"content[ _-]?(?:filter|policy|management)|moderation|\bmoderated\b|\bflagged\b|safety (?:system|filter|polic)"
    r"|safety_check|(?:use|usage) (?:polic|guideline)|responsibleaipolicyviolation|potentially (?:harmful|unsafe)"
    r"|(?:inappropriate|sensitive|harmful|unsafe|prohibited) (?:content|material)|content exists risk|high[ -]risk"
    r"|guardrail|data may contain|potentially sensitive|敏感|不安全|违规",
    flags=re.IGNORECASE,
)
OF_ACCOUNT = re.compile(r"\b(?:account|organi[sz]ation|api key|billing|subscription)\b", flags=re.IGNORECASE)
SPENT = re.compile(
    r"insufficient (?:credits?|balance|funds|quota)|credit balance is too low|out of credits|no credits|spending limit"
    r"|(?:specified|monthly) (?:api )?usage limits?|余额不足|欠费"
    r"|(?:incorrect|invalid|wrong|expired) api[ _-]?key|api[ _-]?key (?:is |has )?(?:not valid|invalid|expired)",
    flags=re.IGNORECASE,
)
# What passes, under whatever status a server says it.
SAID_TO_PASS = re.compile(
    r"rate.?limit|too many requests|resource.?exhausted|throttl|overloaded|\b(?:too|server is|system is) busy"
    r"|(?:is|being) (?:\w+ )?load(?:ing|ed)\b|getting ready|capacity exceeded|temporarily (?:unavailable|out of)"
    r"|(?:quota|limit) exceeded.{0,60}per (?:second|minute|hour)",
    flags=re.IGNORECASE,
)
NEVER_PASSING = frozenset({401, 402})
# What an error without a number says of its kind.
STATUS_WORDS = (
    (429, re.compile(r"rate.?limit|too many requests|resource.?exhausted|throttl", flags=re.IGNORECASE)),
    (402, re.compile(r"insufficient.(?:quota|credit|balance)|payment.required", flags=re.IGNORECASE)),
    (401, re.compile(r"authentication|unauthori[sz]ed|invalid.api.key", flags=re.IGNORECASE)),
    (400, re.compile(r"invalid.request|bad.?request|context.length|unsupported|invalid.argument", flags=re.IGNORECASE)),
    (503, re.compile(r"unavailable|overloaded|busy|internal.?(?:server.?)?error|time[d -]?out", flags=re.IGNORECASE)),
)
# Fields in which servers say what is wrong, and none in which they repeat the request.
SAYING = (
    "message", "msg", "detail", "details", "error", "errors", "error_message", "code", "type", "status", "param",
    "reason", "reasons", "raw", "innererror", "inner_error", "metadata", "title", "description", "loc",
    "error_code", "error_type", "__type", "promptFeedback", "blockReason", "block_reason",
)  # fmt: skip
FLAGS = ("filtered", "flagged", "blocked", "moderated")
DEEPEST = 8
LONGEST_MESSAGE = 300


@dataclass(frozen=True)
class Fault:
    """An answer that is none. status: of the error, also where the answer itself came with 200. body: as it came, JSON
    or text. headers: with names in lower case."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What the server says: its messages, codes and the names of what it complains of."""
        return tuple(_texts(self.body, 0))

    @cached_property
    def words(self) -> str:
        return "\n".join(self.texts)

    @property
    def message(self) -> str:
        """The server's words to a person: of a web page its text, without marks."""
        if isinstance(self.body, str):
            return " ".join(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", self.body, flags=re.DOTALL).split())
        said = [text for text in self.texts if " " in text.strip()] or list(self.texts)
        return " ".join(" – ".join(dict.fromkeys(said)).split()) or repr(self.body)

    @property
    def codes(self) -> frozenset[str]:
        return frozenset(re.sub(r"[^a-z0-9]", "", text.lower()) for text in self.texts)

    @property
    def is_filtered(self) -> bool:
        """Whether a filter refuses this one input."""
        if self.codes & FILTER_CODES or _is_flagged(self.body, 0):
            return True
        refused = 400 <= self.status < 500 and self.status not in PASSING
        return refused and bool(FILTERED.search(self.words)) and not OF_ACCOUNT.search(self.words)

    @property
    def concerns_all(self) -> bool:
        """Whether it would meet every other request too."""
        if self.codes & SPENT_CODES or SPENT.search(self.words):
            return True
        return self.status in ACCESS and not self._is_said_to_pass

    @property
    def may_pass(self) -> bool:
        """Whether the same call may succeed later."""
        passes = self.status in PASSING or self.status >= 500 or self._is_said_to_pass
        return passes and not self.concerns_all

    @property
    def _is_said_to_pass(self) -> bool:
        return self.status not in NEVER_PASSING and SAID_TO_PASS.search(self.words) is not None

    @property
    def wait(self) -> float | None:
        """The seconds for which the server asks to wait."""
        headers = {**self.headers, **_headers_in(self.body)}
        if self.status != 429:  # most servers tell the state of their limits with every answer
            headers = {name: value for name, value in headers.items() if name.startswith("retry-after")}
        asked = retry_after(headers, self.words)
        return _retry_delay(self.body, 0) if asked is None else asked


def fault_in(answer: Any, headers: Mapping[str, str], of_choices: bool) -> Fault | None:
    """The fault in an answer that came with status 200; None where there is none. of_choices: it should have some."""
    if not isinstance(answer, dict):
        return None
    error = answer.get("error") or (answer if answer.get("object") == "error" else None)
    if not error and of_choices:
        error = _error_of_choices(answer)
    return Fault(_status_of(error), answer, headers) if error else None


def _error_of_choices(answer: Mapping[str, Any]) -> Any:
    choices = answer.get("choices")
    if not choices:
        # Of a filter, or by mistake: the rest of the body says. What says nothing of a fault is no completion at all.
        return {"message": "gave no answer"} if "choices" in answer else _unnamed_error(answer)
    choice = choices[0] if isinstance(choices, list) and isinstance(choices[0], dict) else None
    if choice is None:
        return None
    if choice.get("error"):
        return choice["error"]
    if str(choice.get("finish_reason")).lower() in BROKEN_OFF:
        return {"message": "broke off"}
    is_empty = all(choice.get(name) is None for name in ("message", "text", "delta", "finish_reason"))
    return {"message": "gave no answer"} if is_empty else None


def _unnamed_error(answer: Mapping[str, Any]) -> Any:
    """The body itself, where it says what is wrong without calling it an error."""
    is_error = answer.get("success") is False or answer.get("errors") or answer.get("promptFeedback")
    return answer if is_error or _status_said(answer) else None


def _status_of(error: Any) -> int:
    """The number of an error that is written in a body."""
    return _status_said(error if isinstance(error, dict) else {"message": str(error)}) or BAD_GATEWAY


def _status_said(fields: Mapping[str, Any]) -> int | None:
    for name in ("code", "status", "status_code", "http_code", "error_code"):
        code = str(fields.get(name) or "").strip()
        if code.isdecimal() and 400 <= int(code) < 600:
            return int(code)
    words = "\n".join(_texts(fields, 0))
    return next((status for status, said in STATUS_WORDS if said.search(words)), None)


def _texts(value: Any, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict):
        for name in SAYING:
            if name in value:
                yield from _texts(value[name], depth + 1)
        for choice in value.get("choices") or () if depth == 0 else ():
            if isinstance(choice, dict):
                yield from _texts(choice.get("error"), depth + 1)


def _is_flagged(value: Any, depth: int) -> bool:
    """Whether a field anywhere says that something was filtered."""
    if depth > DEEPEST:
        return False
    if isinstance(value, dict):
        return (
            any(value.get(name) is True for name in FLAGS)
            or bool(value.get("flagged_input"))
            or any(_is_flagged(each, depth + 1) for each in value.values())
        )
    return isinstance(value, list) and any(_is_flagged(each, depth + 1) for each in value)


def _headers_in(body: Any) -> dict[str, str]:
    """Headers of the server behind a router, which writes them into the body."""
    error = body.get("error") if isinstance(body, dict) else None
    metadata = error.get("metadata") if isinstance(error, dict) else None
    headers = metadata.get("headers") if isinstance(metadata, dict) else None
    return {str(name).lower(): str(value) for name, value in headers.items()} if isinstance(headers, dict) else {}


def _retry_delay(value: Any, depth: int) -> float | None:
    """The wait of a field for it, wherever it stands."""
    if depth > DEEPEST or not isinstance(value, dict | list):
        return None
    if isinstance(value, dict):
        for name in ("retryDelay", "retry_after", "retry_after_seconds", "retry-after"):
            if name in value and (seconds := seconds_until(str(value[name]))) is not None:
                return seconds
    inner = value.values() if isinstance(value, dict) else value
    return next((found for each in inner if (found := _retry_delay(each, depth + 1)) is not None), None)
