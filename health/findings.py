"""What a check finds."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """WARNING: the server works, with something left out. ERROR: it does not work as it is meant to."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Finding:
    """name: of the check, a word. sentence: what was found, and what to do about it."""

    name: str
    state: State
    sentence: str


def ok(name: str, sentence: str) -> Finding:
    return Finding(name, State.OK, sentence)


def warning(name: str, sentence: str) -> Finding:
    return Finding(name, State.WARNING, sentence)


def error(name: str, sentence: str) -> Finding:
    return Finding(name, State.ERROR, sentence)
