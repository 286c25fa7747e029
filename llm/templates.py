"""Prompt templates: the messages to a model, as a text file.

A template is a file of turns, each begun by a line `== system`, `== user` or `== assistant`. A turn's text goes out as
it stands, up to the line break at its end. `$name` or `${name}` is a field that is filled in for each request, `$$` is
a dollar sign, and so is a `$` before anything but a name. A changed template has another hash.
"""

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

TURN = re.compile(r"^== (system|user|assistant)\n", flags=re.MULTILINE)
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
FIELD = re.compile(rf"\$(?:(?P<dollar>\$)|(?P<name>{NAME})|\{{(?P<braced>{NAME})\}})")


class PromptError(ValueError):
    """No such template, or one that cannot be read."""


@dataclass(frozen=True)
class PromptTemplate:
    """turns: pairs of role and text. hash: SHA-256 of the file, in hexadecimal."""

    turns: tuple[tuple[str, str], ...]
    hash: str

    def messages(self, **fields: str) -> list[dict[str, str]]:
        """The chat messages with the fields filled in; a `$` in a field stays as it is."""

        def fill(match: re.Match[str]) -> str:
            return "$" if match["dollar"] else fields[match["name"] or match["braced"]]

        return [{"role": role, "content": FIELD.sub(fill, text)} for role, text in self.turns]


def read_file(path: Path) -> PromptTemplate:
    """The template in the file. Raises PromptError where it is not one."""
    return parse_template(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.name}")


def parse_template(text: str, place: str, fields: Collection[str] | None = None) -> PromptTemplate:
    """The template that the text is.

    fields: the names that can be filled in; None: any. Raises PromptError, which names the place the text is from, and
    the line of a name that cannot be filled in.
    """
    before, *parts = TURN.split(text)
    if before.strip() or not parts:
        raise PromptError(f"{place} must begin with a line that names a turn, such as `== user`.")
    if fields is not None:
        _check_fields(text, place, fields)
    turns = tuple((role, words.removesuffix("\n")) for role, words in zip(parts[::2], parts[1::2], strict=True))
    return PromptTemplate(turns, hashlib.sha256(text.encode()).hexdigest())


def _check_fields(text: str, place: str, fields: Collection[str]) -> None:
    for match in FIELD.finditer(text):
        name = match["name"] or match["braced"]
        if name and name not in fields:
            line = text.count("\n", 0, match.start()) + 1
            filled = ", ".join(f"${field}" for field in sorted(fields)) or "nothing"
            raise PromptError(
                f"{place}, line {line}: {match.group()} is not filled in here ({filled} is). "
                f"For the text itself write ${match.group()}."
            )
