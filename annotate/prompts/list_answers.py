"""A model's answer that is a list: facts, claims, queries. The one reader of lists, however a model marks them."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from annotate.prompts.json_answers import read_json
from llm.completion import storable

BULLET = re.compile(r"[-*+‒–—]\s+(?:\[[ xX]\]\s+)?|[•‣▪◦·●○∙⁃■□]\s*")
NUMBER = re.compile(r"[(\[]?\s*(\d{1,3})\s*(?:[.:)\]]+\s+|[．、）]\s*)|\(?[a-z]\)\s+")
NAME = re.compile(r"(?:\w+\s+)?(?:fact|claim|statement)\s*\d{1,3}\s*[.:)–-]\s*", flags=re.IGNORECASE)
EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]+?)(?<=[^\s*])\1")
WRAPPED = re.compile(r"([_`\"'])(?=\S)([^_`\"]+)(?<=\S)\1|(“)([^“”]+)”")
JSON_BEGINS = re.compile(r"^(?![ \t]*(?:[-*•]|\d))(?:[^\n:]*:)?[ \t]*(?:```\w*\s*)?([\[{])", flags=re.MULTILINE)
NOTHING = re.compile(
    r"\W*(?:none|n ?/ ?a|nothing|no(?: \w+){0,2} (?:facts?|claims?)(?: found)?)\W*", flags=re.IGNORECASE
)
SAYS_NOTHING = re.compile(
    r"\W*(?:there (?:are|is) |(?:the|this) (?:\w+ ){1,2}[^.]{0,60}?\b)?(?:no|not \w+ any|\w+n['’]t \w+ any) "
    r"(?!(?:other|more|further|additional) )(?:\w+ ){0,3}(?:facts?|claims?)\b.*",
    flags=re.IGNORECASE,
)
# A model that goes on with the demonstrations of the prompt writes the next question, and answers it.
NEXT_QUESTION = re.compile(
    r"\W*(?:(?:next |new |another )?(?:sentence|input|passage|question|text|user|human|instruction)\s*\d*\s*[:：]"
    r"|(?:now )?(?:please )?(?:break ?down|(?:break|take|split) (?:the|this|these|down))\b)",
    flags=re.IGNORECASE,
)
# What an object calls its item, and the list of its items, where nobody says it.
PARTS = ("fact", "claim", "statement", "text", "content")


def read_list(answer: str, part: str = "") -> tuple[str, ...] | None:
    """The items, () where the answer says that there is none; None where it has no list.

    The items are those of a JSON list, texts or objects with a text, which `part` names; else the marked lines
    (`read_items`), as far as the next question.
    """
    items = _in_json(answer, part)
    if items is None:
        items = _in_lines(answer)
    if items is None or (len(items) == 1 and says_nothing(items[0])):
        return None if items is None else ()
    return tuple(storable(item) for item in items if not NOTHING.fullmatch(item))


def read_items(lines: Iterable[str]) -> list[str]:
    """The texts of the lines that are marked by a dash, a bullet, a number or `Claim 1.`, each with what lines add to
    it that stand further to the right.

    Other lines are no items, nor is one that ends with a colon: it announces others. The marks, emphasis, and quotation
    marks around an item do not belong to it. Numbers behind dashes are marks only if they count the items: "12. Mai
    1815" is a date.
    """
    items: list[str] = []
    unfinished: int | None = None  # where the last item begins in its line, until a line does not belong to it
    for line in lines:
        start = len(line) - len(line.lstrip())
        item = _unmarked(line)
        if item is not None:
            items.append(item)
            unfinished = start
        elif unfinished is not None and line.strip() and start > unfinished:
            items[-1] += f" {line.strip()}"
        else:
            unfinished = None
    return [item for item in map(_unwrapped, _uncounted(items)) if re.search(r"\w", item) and not item.endswith(":")]


def says_nothing(text: str) -> bool:
    """Whether the text is that there is no item."""
    return bool(NOTHING.fullmatch(text) or SAYS_NOTHING.fullmatch(text.strip()))


def is_next_question(line: str) -> bool:
    """Whether the line begins a question of the model's own, behind which nothing belongs to the answer."""
    return _unmarked(line) is None and NEXT_QUESTION.match(line) is not None


def _in_lines(answer: str) -> list[str] | None:
    lines: list[str] = []
    none_said = listed = False
    for line in answer.splitlines():
        if (listed or none_said) and is_next_question(line):
            break
        marked = _unmarked(line) is not None
        listed = listed or marked
        none_said = none_said or (not marked and says_nothing(line))
        lines.append(line)
    items = read_items(lines)
    return items if items or none_said else None


def _unmarked(line: str) -> str | None:
    """The text behind the mark of the line; None where it has none."""
    line = EMPHASIS.sub(r"\2", line).strip().lstrip("#>").strip()
    bullet = BULLET.match(line)
    rest = line[bullet.end() :] if bullet else line
    mark = NAME.match(rest) or (None if bullet else NUMBER.match(rest))
    return rest[mark.end() :] if mark else rest if bullet else None


def _uncounted(items: Sequence[str]) -> list[str]:
    """The items without numbers that count them."""
    marks = [NUMBER.match(item) for item in items]
    counted = [mark[1] for mark in marks if mark and mark[1]] == [str(place) for place in range(1, len(items) + 1)]
    return [item[mark.end() :] if mark and counted else item for item, mark in zip(items, marks, strict=True)]


def _unwrapped(item: str) -> str:
    item = " ".join(item.split())
    match = WRAPPED.fullmatch(item)
    return (match[2] or match[4]).strip() if match else item


def _in_json(answer: str, part: str) -> list[str] | None:
    """The items of a list that begins a line, of the list in an object, or of objects, a line each; None where there is
    no such list of texts."""
    begins = JSON_BEGINS.search(answer)
    if begins is None or read_items(answer[: begins.start()].splitlines()):
        return None
    text = answer[begins.start(1) :]
    found = _list_in(read_json(text), part)
    if found is None:
        found = [read_json(line) for line in text.splitlines() if line.lstrip().startswith("{")] or [None]
    texts = [_text_of(item, part) for item in found]
    whole = [" ".join(text.split()) for text in texts if text is not None]
    return list(filter(None, whole)) if len(whole) == len(texts) else None


def _list_in(found: Any, part: str) -> list[Any] | None:
    if isinstance(found, dict):
        lists = {name: value for name, value in found.items() if isinstance(value, list)}
        named = [lists[name] for each in (part, *PARTS) for name in (each, f"{each}s") if name in lists]
        return named[0] if named else next(iter(lists.values()), None)
    return found if isinstance(found, list) else None


def _text_of(item: Any, part: str) -> str | None:
    if isinstance(item, dict):
        texts = [value for value in item.values() if isinstance(value, str)]
        item = next((item[name] for name in (part, *PARTS) if name in item), texts[0] if len(texts) == 1 else None)
    return item if isinstance(item, str) else None
