"""Texts as HTML, shown as they were written: Markdown, TeX as MathML, each block in the direction of its words.

One renderer for all pages. The stored text stays the source: a stretch of it is shown within the blocks in which it
stands, such as a row of its table. Elements and attributes are those of this module and core/markup_chunks.py; all that
the writer of a text wrote is escaped.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import takewhile

from core.markup import is_marked
from core.markup_chunks import Chunk, Element, chunks_of

# Longer ones are shown as lines of text.
LARGEST = 100_000
# So many characters have most responses: more of these are kept parsed than of others.
SHORT = 10_000
# A line's end that a file spells as two characters (but not the n of LaTeX's \neq).
SPELLED_BREAK = re.compile(r"(?:\\r)?\\n(?![a-z])")
# More than one line without anything.
EMPTY_LINES = re.compile(r"\n(?:[^\S\n]*\n){2,}")
# A row of a table without its head.
ROW = re.compile(r"\|\s[^\n]*\s\|")
WHITE = re.compile(r"\s+")
HEADING = re.compile(r"h[1-6]")
INLINE = frozenset(("a", "code", "em", "s", "strong"))
RULE = "<hr>"
BLOCKS = '<div class="blocks">'
SPACES = ("", "\n", "<br>", RULE)


@dataclass(frozen=True)
class Stretch:
    """[start, end) of a text; marked: of this class, such as the segments of a response."""

    start: int
    end: int
    marked: str = ""


def rendered(text: str) -> str:
    """A whole text: lines where it has no markup or is one paragraph, else blocks."""
    return rendered_stretch(text, 0, len(text))


def rendered_stretch(text: str, start: int, end: int) -> str:
    """A stretch of the text. What has nothing but markers to show, such as the rule below the head of a table, is
    shown as it is written."""
    parsed = _parsed(text)
    if parsed is None:
        return _lines(text[start:end])
    if (start, end) not in parsed.shown:
        writer = _Writer()
        for chunk, html in _within(parsed, start, end):
            writer.add(chunk, html, max(chunk.start, start))
        stretch = text[start:end]
        parsed.shown[start, end] = writer.html() if writer.shows or not stretch.strip() else _lines(stretch)
    return parsed.shown[start, end]


def rendered_with_marks(text: str, stretches: Sequence[Stretch]) -> str:
    """A whole text with the stretches marked: the stretches follow each other and are all of it."""
    parsed = _parsed(text)
    if parsed is None:
        return "".join(_marked(_lines(text[each.start : each.end]), each.marked) for each in stretches)
    writer = _Writer()
    for each in stretches:
        for chunk, html in _within(parsed, each.start, each.end):
            writer.add(chunk, html, max(chunk.start, each.start), each.marked)
    return writer.html()


def rendered_prose(text: str) -> str:
    """Blocks whose headings are headings of the page, and whose lines flow: guidelines."""
    writer = _Writer(prose=True)
    for chunk, html in _within(_Parsed(text), 0, len(text)):
        writer.add(chunk, html, chunk.start)
    return writer.html()


def rendered_short(text: str, length: int) -> str:
    """The beginning in one line, for a list: without blocks, links and emphasis."""
    beginning = text[: 2 * length + 200]
    if ROW.fullmatch(beginning.strip()):
        beginning = beginning.strip().strip("|").replace("|", " ")
    if not is_marked(beginning):
        return _shortened(((" ".join(beginning.split()), ""),), length)
    return _shortened(_in_one_line(chunks_of(beginning)), length)


def is_shown_as_stored(text: str, start: int, end: int) -> bool:
    """Whether a stretch is shown character by character."""
    stretch = text[start:end]
    if _parsed(text) is None:
        return not EMPTY_LINES.search(stretch)
    return rendered_stretch(text, start, end) == escape(stretch)


class _Parsed:
    """A text with markup; `shown` are the stretches of it that were asked for."""

    def __init__(self, text: str) -> None:
        self.chunks = chunks_of(text)
        self.starts = [chunk.start for chunk in self.chunks]
        self.shown: dict[tuple[int, int], str] = {}


def _parsed(text: str) -> _Parsed | None:
    """None where it is lines of text."""
    return _parsed_short(text) if len(text) <= SHORT else _parsed_long(text)


@lru_cache(maxsize=512)
def _parsed_short(text: str) -> _Parsed | None:
    return _Parsed(text) if is_marked(text) else None


@lru_cache(maxsize=16)
def _parsed_long(text: str) -> _Parsed | None:
    return _Parsed(text) if len(text) <= LARGEST and is_marked(text) else None


def _within(parsed: _Parsed, start: int, end: int) -> Iterable[tuple[Chunk, str]]:
    """The chunks of a stretch in order, each with what it shows there."""
    first = bisect_left(parsed.starts, start)
    if first and parsed.chunks[first - 1].text and parsed.chunks[first - 1].end > start:
        first -= 1
    for number in range(first, bisect_left(parsed.starts, end)):
        chunk = parsed.chunks[number]
        text = chunk.text[max(start - chunk.start, 0) : end - chunk.start]
        yield chunk, escape(SPELLED_BREAK.sub("\n", text)) if chunk.text else chunk.html


@dataclass
class _Writer:
    """Elements opened and closed around what they hold, also where a mark or a stretch begins or ends amid them."""

    prose: bool = False
    parts: list[str] = field(default_factory=list)
    path: tuple[Element, ...] = ()
    mark: str = ""
    blocks: list[Element] = field(default_factory=list)
    # Whether there is more than rules and empty elements.
    shows: bool = False

    def add(self, chunk: Chunk, html: str, at: int, mark: str = "") -> None:
        """`at` is the first character of the source that is shown of it."""
        if mark != self.mark or chunk.path != self.path:
            self._end_mark()
            self._walk(chunk.path, at)
        if mark and html and html != RULE and not self.mark:
            self.parts.append(f'<span class="{mark}">')
            self.mark = mark
        self.parts.append(html)
        self.shows = self.shows or (html != RULE and bool(html.strip()))

    def html(self) -> str:
        self._end_mark()
        self._walk((), 0)
        if self.prose:
            return "".join(self.parts)
        if [each.tag for each in self.blocks] == ["p"]:
            return "".join(self.parts[1:-1])
        return "".join((BLOCKS, *self.parts, "</div>"))

    def _end_mark(self) -> None:
        if self.mark:
            self.parts.append("</span>")
        self.mark = ""

    def _walk(self, path: tuple[Element, ...], at: int) -> None:
        """Close and open what leads from the last chunk to the next."""
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(self.path, path, strict=False)))
        self.parts.extend(f"</{self._tag(each)}>" for each in reversed(self.path[shared:]))
        for depth, element in enumerate(path[shared:], start=shared):
            self.parts.append(self._opening(element, at, outermost=depth == 0))
        self.path = path

    def _opening(self, element: Element, at: int, outermost: bool) -> str:
        attributes = element.attributes
        if HEADING.fullmatch(element.tag) and not self.prose:
            attributes = f' class="heading {element.tag}"'
        if element.tag == "li" and at > element.begun:
            attributes += ' class="goes-on"'
        if outermost:
            self.blocks.append(element)
            attributes += "" if " dir=" in attributes else ' dir="auto"'
        return f"<{self._tag(element)}{attributes}>"

    def _tag(self, element: Element) -> str:
        return "p" if HEADING.fullmatch(element.tag) and not self.prose else element.tag


def _lines(text: str) -> str:
    """Several empty lines as one; else as stored."""
    return escape(EMPTY_LINES.sub("\n\n", text) if "\n" in text else text)


def _marked(html: str, mark: str) -> str:
    return f'<span class="{mark}">{html}</span>' if mark else html


def _in_one_line(chunks: Iterable[Chunk]) -> Iterator[tuple[str, str]]:
    """Characters, or HTML in their place."""
    block: tuple[Element, ...] = ()
    for chunk in chunks:
        outer = tuple(each for each in chunk.path if each.tag not in INLINE)
        if outer != block:
            yield " ", ""
        block = outer
        if chunk.text or chunk.html in SPACES:
            yield SPELLED_BREAK.sub(" ", chunk.text) or " ", ""
        else:
            yield "", chunk.html.replace(' display="block"', "")


def _shortened(parts: Iterable[tuple[str, str]], length: int) -> str:
    shown, left, blank = [], length, True
    for text, html in parts:
        collapsed = WHITE.sub(" ", text)
        collapsed = collapsed.lstrip() if blank else collapsed
        blank = not html and (collapsed.endswith(" ") if collapsed else blank)
        if len(collapsed) > left or (html and left <= 0):
            shown.append(escape(collapsed[: max(left - 1, 0)]) + "…")
            break
        shown.append(html or escape(collapsed))
        left -= len(collapsed)
    return "".join(shown)
