"""The body of an answer as JSON, whatever it is called: also a stream of events that nobody asked for."""

import json
from typing import Any


class UnreadBodyError(ValueError):
    def __init__(self, body: str) -> None:
        super().__init__(body)
        self.body = body


class BrokenBodyError(UnreadBodyError):
    """The body ends in the middle."""


class NotJsonError(UnreadBodyError):
    """The body is something else, such as a web page."""


# In which some relays wrap a completion.
WRAPPERS = ("data", "result", "response", "body", "output")


def parse(content: bytes) -> Any:
    """Raises BrokenBodyError, NotJsonError."""
    try:
        return _unwrapped(json.loads(content))
    except ValueError:
        text = content.decode("utf-8", "replace").strip()
    if text.startswith("data:") or "\ndata:" in text:
        return join_events(text)
    if len(lines := text.splitlines()) > 1 and all(line.startswith("{") for line in lines if line):
        return join_events("\n".join(f"data:{line}" for line in lines))
    if not text or text[0] in "{[":
        raise BrokenBodyError(text)
    raise NotJsonError(text)


def _unwrapped(answer: Any) -> Any:
    """The completion within the answer; the answer itself where it is one, or has none."""
    if isinstance(answer, dict) and "choices" in answer:
        return answer
    inner = [answer.get(name) for name in WRAPPERS] if isinstance(answer, dict) else answer
    inner = inner if isinstance(inner, list) and (isinstance(answer, dict) or len(inner) == 1) else []
    return next((each for each in inner if isinstance(each, dict) and "choices" in each), answer)


def join_events(text: str) -> Any:
    """The answer that the events of a stream make up (choice 0), or the error that one of them is."""
    lines = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")]
    try:
        events = [json.loads(line) for line in lines if line and line != "[DONE]"]
    except ValueError:
        raise BrokenBodyError(text) from None
    answer: dict[str, Any] = {}
    choice: dict[str, Any] = {}
    message: dict[str, Any] = {}
    for event in events:
        if not isinstance(event, dict) or event.get("error"):
            return event
        answer |= {name: value for name, value in event.items() if name != "choices" and value is not None}
        for part in event.get("choices") or ():
            if part.get("index", 0) == 0:
                _add(message, part.get("delta") or part.get("message") or {"text": part.get("text")})
                _add(choice.setdefault("logprobs", {}), part.get("logprobs") or {})
                choice["finish_reason"] = part.get("finish_reason") or choice.get("finish_reason")
    if not choice:
        return answer
    if not choice["finish_reason"] and "[DONE]" not in lines:
        raise BrokenBodyError(text)
    return {**answer, "choices": [{**choice, "message": message, "text": message.get("text")}]}


def _add(whole: dict[str, Any], part: dict[str, Any]) -> None:
    """Add the fields of a part: texts and lists go on where they ended."""
    for name, value in part.items():
        before = whole.get(name)
        together = name != "role" and type(before) is type(value) and isinstance(value, str | list)
        whole[name] = before + value if together else (before if value is None else value)
