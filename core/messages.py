"""The messages of templates and code that catalogs translate, each with the file where it stands first.

GNU xgettext is not asked for: the lexer of Django and the parser of Python find the same.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.template.base import Lexer, Token, TokenType
from django.utils.text import smart_split
from django.utils.translation import trim_whitespace

QUOTED = r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\''
CONSTANT = re.compile(rf"(?<!\w)_\(({QUOTED})\)")
ONE = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop"})
MANY = frozenset({"ngettext", "ngettext_lazy"})


@dataclass(frozen=True)
class Message:
    """`plural` is None where there is no count."""

    text: str
    plural: str | None
    place: str


def messages_of_template(source: str, place: str) -> Iterator[Message]:
    tokens = iter(Lexer(source).tokenize())
    for token in tokens:
        if token.token_type == TokenType.TEXT:
            continue
        name = token.contents.split(maxsplit=1)[0] if token.contents else ""
        if token.token_type == TokenType.BLOCK and name in ("blocktranslate", "blocktrans"):
            yield _block(token, tokens, place)
        elif token.token_type == TokenType.BLOCK and name in ("translate", "trans"):
            first = list(smart_split(token.contents))[1]
            if re.fullmatch(QUOTED, first):
                yield Message(_unquoted(first).replace("%", "%%"), None, place)
        for constant in CONSTANT.finditer(token.contents):
            yield Message(_unquoted(constant[1]), None, place)


def messages_of_code(source: str, place: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        texts = [each.value for each in node.args[:2] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if name in ONE and texts:
            yield Message(texts[0], None, place)
        elif name in MANY and len(texts) == 2:
            yield Message(texts[0], texts[1], place)


def all_messages(folder: Path) -> dict[str, list[Message]]:
    """By catalog: those of the templates, and those of the code that no template has."""
    pages = _once(
        message
        for path in sorted((folder / "templates").rglob("*"))
        if path.suffix in (".html", ".txt")
        for message in messages_of_template(path.read_text(), str(path.relative_to(folder)))
    )
    code = _once(
        message
        for path in sorted(folder.glob("*/**/*.py"))
        if path.relative_to(folder).parts[0] not in ("tests", "var") and path.relative_to(folder).parts[0][0] != "."
        for message in messages_of_code(path.read_text(), str(path.relative_to(folder)))
    )
    return {"pages": list(pages.values()), "code": [code[text] for text in code if text not in pages]}


def _once(messages: Iterator[Message]) -> dict[str, Message]:
    found: dict[str, Message] = {}
    for message in messages:
        known = found.setdefault(message.text, message)
        if message.plural and not known.plural:
            found[message.text] = message
    return found


def _block(opening: Token, tokens: Iterator[Token], place: str) -> Message:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.TEXT:
            parts[-1].append(token.contents.replace("%", "%%"))
        elif token.token_type == TokenType.VAR:
            parts[-1].append(f"%({token.contents})s")
        elif token.contents.strip() == "plural":
            parts.append([])
        else:
            break
    whole = ["".join(part) for part in parts]
    if "trimmed" in opening.contents.split():
        whole = [trim_whitespace(part) for part in whole]
    return Message(whole[0], whole[1] if len(whole) > 1 else None, place)


def _unquoted(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\'", "'").replace("\\\\", "\\")
