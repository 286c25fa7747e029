"""Sets of prompt templates: a folder a set, a file a template (llm/templates.py). A run's manifest keeps its hash."""

from functools import lru_cache
from pathlib import Path

from llm.templates import PromptError, PromptTemplate, read_file

FOLDER = Path(__file__).resolve().parent


def prompt_sets() -> tuple[str, ...]:
    """The names of the sets that there are."""
    return tuple(sorted(path.name for path in FOLDER.iterdir() if any(path.glob("*.txt"))))


@lru_cache
def read_template(prompt_set: str, name: str) -> PromptTemplate:
    """The template of this name in the set. Raises PromptError where there is none."""
    path = FOLDER / prompt_set / f"{name}.txt"
    if prompt_set not in prompt_sets() or not path.is_file():
        raise PromptError(f"The prompt set {prompt_set!r} has no template {name!r}.")
    return read_file(path)


def prompt_hash(prompt_set: str, name: str) -> str:
    """What a run's manifest keeps of the template."""
    return read_template(prompt_set, name).hash
