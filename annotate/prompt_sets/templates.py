"""Access of methods to their prompt templates (llm/templates.py), and to guidelines that stand in a prompt."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from annotate.models import Dataset
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.guidelines import find_guidelines
from annotate.prompt_sets.placeholders import DOMAINS, placeholders_of
from annotate.prompt_sets.sets import find_set
from llm.templates import PromptError, PromptTemplate, parse_template

# Templates that serve several kinds of request: a set without one of its own uses the project's.
AGAIN = "ask_again"
SHARED = frozenset({AGAIN})
GUIDELINES = "dataset_guidelines"  # among the hashes of the templates read


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


def read_by_domain(prompt_set: str, name: str) -> dict[str, PromptTemplate]:
    """The template of this name under "", and those of domains that have their own, such as felm_claims_science.

    Raises PromptError where there is no general one.
    """
    names = templates_in(prompt_set)
    own = {domain: f"{name}_{domain}" for domain in DOMAINS if f"{name}_{domain}" in names}
    return {domain: read_template(prompt_set, name) for domain, name in {"": name, **own}.items()}


def read_template(prompt_set: str, name: str) -> PromptTemplate:
    """The template of this name in the set. Raises PromptError where there is none.

    A method reads its templates while it is built, so that a run knows them before it begins.
    """
    text = templates_in(prompt_set).get(name)
    if text is None and name in SHARED:
        text = templates_in(PROJECT_SET)[name]
    if text is None:
        raise PromptError(f"The prompt set {prompt_set!r} has no template {name!r}.")
    template = parse_template(text, f"{prompt_set}/{name}.txt", placeholders_of(name))
    reading = _reading.get()
    if reading is not None:
        reading.noted[name] = template.hash
    return template


def read_guidelines(version: int) -> str:
    """The text of this version of the dataset's guidelines; 0: the newest. It is noted like a template, so that a run
    knows it too. Raises PromptError where there is none, or no dataset."""
    reading = _reading.get()
    if reading is None or reading.dataset is None:
        raise PromptError("Guidelines belong to a dataset, and there is none here.")
    text = find_guidelines(reading.dataset, version).text
    reading.noted[GUIDELINES] = hashlib.sha256(text.encode()).hexdigest()
    return text


@contextmanager
def reading_templates(dataset: Dataset | None) -> Iterator[dict[str, str]]:
    """Meanwhile sets are those that the dataset may name. The templates read: their names with their hashes."""
    reading = Reading(dataset)
    token = _reading.set(reading)
    try:
        yield reading.noted
    finally:
        _reading.reset(token)
