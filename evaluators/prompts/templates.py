"""Access of methods to their prompt templates (llm/templates.py)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from annotate.models import Dataset
from evaluators.prompts.placeholders import placeholders_of
from evaluators.prompts.sets import find_set
from llm.templates import PromptError, PromptTemplate, parse_template


@dataclass(frozen=True)
class Reading:
    """dataset: whose sets are named; None: the shared ones. noted: the hash of each template read, by name."""

    dataset: Dataset | None
    noted: dict[str, str] = field(default_factory=dict)


_reading: ContextVar[Reading | None] = ContextVar("templates read", default=None)


def templates_in(prompt_set: str) -> Mapping[str, str]:
    """The templates of the set as their texts by name. Raises PromptError where there is no such set."""
    reading = _reading.get()
    return find_set(reading.dataset if reading else None, prompt_set).templates


def read_template(prompt_set: str, name: str) -> PromptTemplate:
    """The template of this name in the set. Raises PromptError where there is none.

    A method reads its templates while it is built, so that a run knows them before it begins.
    """
    text = templates_in(prompt_set).get(name)
    if text is None:
        raise PromptError(f"The prompt set {prompt_set!r} has no template {name!r}.")
    template = parse_template(text, f"{prompt_set}/{name}.txt", placeholders_of(name))
    reading = _reading.get()
    if reading is not None:
        reading.noted[name] = template.hash
    return template


@contextmanager
def reading_templates(dataset: Dataset | None) -> Iterator[dict[str, str]]:
    """Meanwhile sets are those that the dataset may name. The templates read: their names with their hashes."""
    reading = Reading(dataset)
    token = _reading.set(reading)
    try:
        yield reading.noted
    finally:
        _reading.reset(token)
