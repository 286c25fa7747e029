"""Prompt templates: the messages to a model, as a text file.

A template is a file of turns, each begun by a line `== system`, `== user` or `== assistant`; `$name` is a field that is
filled in for each request. A changed template has another hash.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

TURN = re.compile(r"^== (system|user|assistant)\n", flags=re.MULTILINE)


class PromptError(ValueError):
    """No such template, or one that cannot be read."""


@dataclass(frozen=True)
class PromptTemplate:
    """turns: pairs of role and text. hash: SHA-256 of the file, in hexadecimal."""

    turns: tuple[tuple[str, str], ...]
    hash: str

    def messages(self, **fields: str) -> list[dict[str, str]]:
        """The chat messages with the fields filled in; a `$` in a field stays as it is."""
        return [{"role": role, "content": Template(text).substitute(fields)} for role, text in self.turns]


def read_file(path: Path) -> PromptTemplate:
    """The template in the file. Raises PromptError where it is not one."""
    return parse_template(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.name}")


def parse_template(text: str, place: str) -> PromptTemplate:
    """The template that the text is. Raises PromptError, which names the place the text is from, where it is none."""
    before, *parts = TURN.split(text)
    if before.strip() or not parts:
        raise PromptError(f"{place} must begin with a line that names a turn, such as `== user`.")
    turns = tuple((role, words.strip()) for role, words in zip(parts[::2], parts[1::2], strict=True))
    return PromptTemplate(turns, hashlib.sha256(text.encode()).hexdigest())
