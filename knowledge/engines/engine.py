"""The declaration of a search engine's protocol: how it is asked, and how its answer is read.

A new one is a file beside this one and a line in the registry, or an entry point of another package
(docs/web-search.md).
"""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from knowledge.fetching.page import one_line

LONGEST_TITLE = 500
LONGEST_TEXT = 5_000
MARKUP = re.compile(r"</?(?:strong|b|em|mark|span)\b[^>]*>", flags=re.IGNORECASE)


class AnswerShapeError(ValueError):
    """The answer is not of the engine's form: the place in it and what is wrong there."""


@dataclass(frozen=True)
class FoundPage:
    """A page that an engine found. text: its snippet, plain text on one line."""

    title: str
    url: str
    text: str


@dataclass(frozen=True)
class SearchRequest:
    """What is sent to the engine's address: `params` in the address, `body` as JSON (None: no body)."""

    method: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Engine:
    """A protocol. name: what endpoints call it; title: what pages call it.

    request: of a query, the number of results wanted and the key ("" where it needs none). read: the pages in an
    answer that was decoded from JSON, best first; raises AnswerShapeError.
    """

    name: str
    title: str
    request: Callable[[str, int, str], SearchRequest]
    read: Callable[[Any], list[FoundPage]]
    needs_key: bool = True


def part_of(answer: Any, place: str, name: str, kind: type) -> Any:
    """The part of this name of an object at this place of the answer ("" is the whole). Raises AnswerShapeError where
    it is none of the kind."""
    if not isinstance(answer, dict):
        raise AnswerShapeError(f"{place or 'the answer'} is {_kind(answer)}, not an object")
    there = f"{place}.{name}" if place else name
    if name not in answer:
        raise AnswerShapeError(f"{there} is missing")
    if not isinstance(answer[name], kind):
        raise AnswerShapeError(f"{there} is {_kind(answer[name])}, not {KINDS[kind]}")
    return answer[name]


def read_pages(results: Sequence[Any], place: str, title: str, url: str, text: str) -> list[FoundPage]:
    """The pages in a list of objects with parts of these names. A page without an address is an error; without title
    or text it has an empty one. Raises AnswerShapeError."""
    return [
        FoundPage(
            url=one_line(part_of(each, f"{place}[{number}]", url, str)),
            title=_plain(each.get(title))[:LONGEST_TITLE],
            text=_plain(each.get(text))[:LONGEST_TEXT],
        )
        for number, each in enumerate(results)
    ]


def _plain(text: Any) -> str:
    """Without the marks that engines put around the words of the query."""
    return one_line(html.unescape(MARKUP.sub("", text))) if isinstance(text, str) else ""


KINDS: dict[type, str] = {dict: "an object", list: "a list", str: "a text"}


def _kind(value: Any) -> str:
    return KINDS.get(type(value), "null" if value is None else "a number or a truth value")
