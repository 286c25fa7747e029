"""Sets of prompt templates: a folder a set, a file a template.

A template is a text file of turns, each begun by a line `== system`, `== user` or `== assistant`; `$name` is a field
that the method fills in. A changed template has another hash, which a run's manifest keeps.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template

FOLDER = Path(__file__).resolve().parent
TURN = re.compile(r"^== (system|user|assistant)\n", flags=re.MULTILINE)


class PromptError(ValueError):
    """No such template, or one that cannot be read."""


@dataclass(frozen=True)
class PromptTemplate:
    """turns: pairs of role and text. hash: SHA-256 of the file, in hexadecimal."""

    turns: tuple[tuple[str, str], ...]
    hash: str

    def messages(self, **fields: str) -> list[dict[str, str]]:
        """The chat messages with the fields filled in; a `$` in a field stays what it is."""
        return [{"role": role, "content": Template(text).substitute(fields)} for role, text in self.turns]


def prompt_sets() -> tuple[str, ...]:
    """The names of the sets that there are."""
    return tuple(sorted(path.name for path in FOLDER.iterdir() if any(path.glob("*.txt"))))


@lru_cache
def read_template(prompt_set: str, name: str) -> PromptTemplate:
    """The template of this name in the set. Raises PromptError where there is none."""
    path = FOLDER / prompt_set / f"{name}.txt"
    if prompt_set not in prompt_sets() or not path.is_file():
        raise PromptError(f"The prompt set {prompt_set!r} has no template {name!r}.")
    text = path.read_text(encoding="utf-8")
    before, *parts = TURN.split(text)
    if before.strip() or not parts:
        raise PromptError(f"{prompt_set}/{name}.txt must begin with a line that names a turn, such as `== user`.")
    turns = tuple((role, words.strip()) for role, words in zip(parts[::2], parts[1::2], strict=True))
    return PromptTemplate(turns, hashlib.sha256(text.encode()).hexdigest())


def prompt_hash(prompt_set: str, name: str) -> str:
    """What a run's manifest keeps of the template."""
    return read_template(prompt_set, name).hash
