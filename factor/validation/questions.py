"""How the questions are put to people."""

from collections.abc import Mapping
from dataclasses import dataclass

from factor.models import ErrorType
from factor.validation.word import QUESTIONS


@dataclass(frozen=True)
class Question:
    """`said`: "yes", "no" or "" as it was answered before; `yes` and `no` are keys of the keyboard."""

    name: str
    words: str
    help: str
    yes: str
    no: str
    said: str


@dataclass(frozen=True)
class Kind:
    """An error type to choose, with its key."""

    value: str
    label: str
    help: str
    key: str


WORDS = {
    "non_factual": (
        "Does it contradict the original?",
        "If the original is true, it cannot be. A mere change of wording does not contradict.",
    ),
    "fluent": ("Is it fluent?", "It is grammatical, and reads as somebody would write it here."),
    "self_consistent": (
        "Is it consistent in itself?",
        "It could be true: nothing in it contradicts the rest of it, or what everybody knows.",
    ),
}
KEYS = dict(zip(QUESTIONS, (("1", "2"), ("3", "4"), ("5", "6")), strict=True))
KINDS = (
    Kind(ErrorType.ENTITY, "Entity", "who or what does it, or to whom or what it is done", "e"),
    Kind(ErrorType.PREDICATE, "Predicate", "what is done, or what is said of somebody or something", "p"),
    Kind(ErrorType.CIRCUMSTANCE, "Circumstance", "when, where, how or how much", "c"),
    Kind(ErrorType.COREFERENCE, "Coreference", "whom or what a pronoun or another reference means", "o"),
    Kind(ErrorType.LINK, "Link", "how statements hang together: before or after, because or although", "k"),
)
# How a figure of each question is called.
PROPERTIES = {"non_factual": "Non-factual", "fluent": "Fluent", "self_consistent": "Self-consistent"}


def questions_with(said: Mapping[str, str]) -> list[Question]:
    """All three, answered as `said` by name."""
    return [Question(name, *WORDS[name], *KEYS[name], said.get(name, "")) for name in QUESTIONS]
