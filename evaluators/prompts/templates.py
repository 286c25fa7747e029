"""Access of methods to their prompt templates (llm/templates.py)."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from evaluators.prompts.sets import find_set
from llm.templates import PromptError, PromptTemplate, parse_template

_read: ContextVar[dict[str, str] | None] = ContextVar("templates read", default=None)


def read_template(prompt_set: str, name: str) -> PromptTemplate:
    """The template of this name in the set. Raises PromptError where there is none.

    A method reads its templates while it is built, so that a run knows them before it begins.
    """
    text = find_set(prompt_set).templates.get(name)
    if text is None:
        raise PromptError(f"The prompt set {prompt_set!r} has no template {name!r}.")
    template = parse_template(text, f"{prompt_set}/{name}.txt")
    noted = _read.get()
    if noted is not None:
        noted[name] = template.hash
    return template


@contextmanager
def noting_templates() -> Iterator[dict[str, str]]:
    """The templates read meanwhile: their names with their hashes."""
    noted: dict[str, str] = {}
    token = _read.set(noted)
    try:
        yield noted
    finally:
        _read.reset(token)
