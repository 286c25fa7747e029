"""A model's answer that is a list: facts, claims, queries. The one reader of lists, however a model marks them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from annotate.prompts.json_answers import read_json
from llm.completion import storable

BULLET = re.compile(r"[-*+‒–—]\s+(?:\[[ xX]\]\s+)?|[•‣▪◦·●○∙⁃■□]\s*")
LINE_MARK = re.compile(r"\s*[-*•]\s+")  # also before an item of a JSON list, where the prompt asks for lines
NUMBER = re.compile(r"[(\[]?\s*(\d{1,3})\s*(?:[.:)\]]+\s+|[．、）]\s*)|\(?[a-z]\)\s+")
NAME = re.compile(r"(?:\w+\s+)?(?:fact|claim|statement)\s*\d{1,3}\s*[.:)–-]\s*", flags=re.IGNORECASE)
EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]+?)(?<=[^\s*])\1")
WRAPPED = re.compile(r"([_`\"'])(?=\S)([^_`\"]+)(?<=\S)\1|(“)([^“”]+)”")
JSON_BEGINS = re.compile(r"^(?![ \t]*(?:[-*•]|\d))(?:[^\n:]*:)?[ \t]*(?:```\w*\s*)?([\[{])", flags=re.MULTILINE)
NOTHING = re.compile(
    r"\W*(?:none|null|n ?/ ?a|nothing(?: to \w+)?|no(?: \w+){0,2} (?:facts?|claims?)(?: found)?"
    r"|there(?:['’]s| is| are) (?:none|nothing(?: \w+){0,3}))\W*",
    flags=re.IGNORECASE,
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
# Marks that are some only where the lines count, or where each line begins with the same.
COUNTING = re.compile(r"\W?(\d{1,3}|[a-z]|[ivx]{1,5})(?:\s*[.:)/]\s*|\s+[-–—]\s+)(\S.*)", flags=re.IGNORECASE)
SAME_MARK = re.compile(r"(\\?[-*+~]|&\w{2,6};|[^\w\s\"'“”„«»()\[\]{}<>|`:;,.!?¿¡\\]{1,2})\s*(\S.*)")
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
RULE = re.compile(r"\s*\|[\s:|-]*-[\s:|-]*\|?\s*")  # below the head of a table
QUOTED = re.compile(r"[\"“](.+)[\"”],?")
ITEM_TAG = re.compile(r"<(?:li|item|fact|claim|statement|query)(?:\s[^<>]*)?>", flags=re.IGNORECASE)
OTHER_TAG = re.compile(
    r"</?(?:ul|ol|li|items?|facts?|claims?|statements?|quer(?:y|ies)|list)(?:\s[^<>]*)?>", flags=re.IGNORECASE
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
    return [item for item in map(_unwrapped, _uncounted(items)) if _is_item(item)]


def says_nothing(text: str) -> bool:
    """Whether the text is that there is no item."""
    return bool(NOTHING.fullmatch(text) or SAYS_NOTHING.fullmatch(text.strip()))


def is_next_question(line: str) -> bool:
    """Whether the line begins a question of the model's own, behind which nothing belongs to the answer."""
    return _unmarked(line) is None and NEXT_QUESTION.match(line) is not None


def _is_item(text: str) -> bool:
    return re.search(r"\w", text) is not None and not text.endswith(":")


def _in_lines(answer: str) -> list[str] | None:
    lines: list[str] = []
    none_said = listed = False
    for line in OTHER_TAG.sub("\n", ITEM_TAG.sub("\n- ", answer)).splitlines():
        if (listed or none_said) and is_next_question(line):
            break
        marked = _unmarked(line) is not None
        listed = listed or marked or _may_be_marked(line)
        none_said = none_said or (not marked and says_nothing(line))
        lines.append(line)
    items = read_items(lines) or _otherwise_marked([line for line in lines if line.strip()])
    return items if items or none_said else None


def _otherwise_marked(lines: Sequence[str]) -> list[str]:
    """The items of lines none of which is marked for certain: they count, all begin with the same sign, are rows of a
    table, or texts in quotation marks; [] where they are none of these."""
    items = _counting(lines) or _marked_alike(lines) or _rows(lines) or _quoted(lines)
    return [item for item in map(_unwrapped, items) if _is_item(item)]


def _counting(lines: Sequence[str]) -> list[str]:
    """What stands behind 1, 2, 3, behind a, b, c or behind i, ii, iii, of two lines at least."""
    found = [match for line in lines if (match := COUNTING.fullmatch(_level(line)))]
    marks = [match[1].lower() for match in found]
    orders = ([str(number) for number in range(1, len(marks) + 1)], list(LETTERS), list(ROMAN))
    counts = len(marks) > 1 and any(marks == order[: len(marks)] for order in orders)
    return [match[2] for match in found] if counts else []


def _marked_alike(lines: Sequence[str]) -> list[str]:
    found = [match for line in lines if (match := SAME_MARK.fullmatch(line.strip()))]
    counts = Counter(match[1] for match in found)
    mark = max(counts, key=lambda each: counts[each], default="")
    alike = [match[2] for match in found if match[1] == mark]
    return alike if _are_many(alike, lines) else []


def _rows(lines: Sequence[str]) -> list[str]:
    """The longest cell of each row of a table."""
    head = next((place for place, line in enumerate(lines) if RULE.fullmatch(line)), None)
    rows = [line for line in lines[head + 1 :] if line.lstrip().startswith("|")] if head is not None else []
    return [max((cell.strip() for cell in row.split("|")), key=len) for row in rows]


def _quoted(lines: Sequence[str]) -> list[str]:
    found = [match[1] for line in lines if (match := QUOTED.fullmatch(line.strip()))]
    return found if _are_many(found, lines) else []


def _are_many(found: Sequence[Any], lines: Sequence[str]) -> bool:
    """Whether they are all lines, or not by chance some of them."""
    return len(found) > 1 or 0 < len(found) == len(lines)


def _may_be_marked(line: str) -> bool:
    forms = (COUNTING.fullmatch(_level(line)), SAME_MARK.fullmatch(line.strip()), QUOTED.fullmatch(line.strip()))
    return any(forms) or line.lstrip().startswith("|")


def _level(line: str) -> str:
    """The line without emphasis, in which ① is 1 and full-width signs are narrow."""
    return re.sub(r"[①-⑳]", lambda sign: f"{unicodedata.numeric(sign[0]):.0f}. ", EMPHASIS.sub(r"\2", line)).strip()


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
    whole = [" ".join(LINE_MARK.sub("", text).split()) for text in texts if text is not None]
    return list(filter(None, whole)) if len(whole) == len(texts) else None


def _list_in(found: Any, part: str) -> list[Any] | None:
    if isinstance(found, dict):
        if all(isinstance(text, str) and re.fullmatch(r"\D{0,12}\d{1,3}", name) for name, text in found.items()):
            return list(found.values())
        lists = {name: value for name, value in found.items() if isinstance(value, list)}
        named = [lists[name] for each in (part, *PARTS) for name in (each, f"{each}s") if name in lists]
        return named[0] if named else next(iter(lists.values()), None)
    return found if isinstance(found, list) else None


def _text_of(item: Any, part: str) -> str | None:
    if isinstance(item, dict):
        texts = [value for value in item.values() if isinstance(value, str)]
        item = next((item[name] for name in (part, *PARTS) if name in item), texts[0] if len(texts) == 1 else None)
    return item if isinstance(item, str) else None
