"""Chunks of a text with markup, which know their place in its source."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

from markdown_it.token import Token

from core.markup import DEEPEST, MARKDOWN
from core.mathml import mathml

ALIGNED = {"text-align:center": ' class="centre"', "text-align:right": ' class="end"'}


@dataclass(eq=False, slots=True)
class Element:
    """An element around chunks. `attributes` are written as they are. `begun` is where its first chunk begins."""

    tag: str
    attributes: str = ""
    begun: int = -1


@dataclass(frozen=True, slots=True)
class Chunk:
    """[start, end) of the source and what is shown for it: those characters as they are, or else `html`."""

    start: int
    end: int
    text: str
    html: str
    path: tuple[Element, ...]


def chunks_of(text: str) -> list[Chunk]:
    """The text in order of its source. What only marks is left out."""
    source = text.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")
    tokens = MARKDOWN.parse(source)
    if any(token.level >= DEEPEST for token in tokens):  # the parser leaves out what is deeper
        return [Chunk(0, len(source), source, "", (Element("p"),))]
    return _Walk(source).chunks(tokens)


@dataclass
class _Walk:
    """One pass over the tokens of a source."""

    source: str
    path: tuple[Element, ...] = ()
    hidden: list[bool] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    found: list[Chunk] = field(default_factory=list)
    # Where in the line of a table the next cell is looked for.
    cell: int = 0

    def __post_init__(self) -> None:
        self.lines = self.source.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def chunks(self, tokens: Sequence[Token]) -> list[Chunk]:
        for number, token in enumerate(tokens):
            if token.type == "inline":
                self._inline(token, self._place_of(token))
            elif token.nesting == 1:
                self._open(token, empty=tokens[number + 1].nesting == -1)
            elif token.nesting == -1:
                self._close()
            else:
                self._leaf(token)
        return self.found

    def _open(self, token: Token, empty: bool) -> None:
        self.hidden.append(token.hidden)
        if token.type == "tr_open" and token.map:
            self.cell = self.starts[token.map[0]]
        if token.hidden:
            return
        attributes = ALIGNED.get(str(token.attrGet("style")), "")
        if token.tag == "ol":
            self.numbers.append(int(token.attrGet("start") or 1))
            attributes = ' class="bracketed"' if token.markup == ")" else ""
        elif token.tag == "ul":
            self.numbers.append(-1)
        elif token.tag == "li" and self.numbers[-1] >= 0:
            attributes = f' value="{self.numbers[-1]}"'
            self.numbers[-1] += 1
        elif token.tag == "a":
            address = escape(str(token.attrGet("href")))
            attributes = f' href="{address}" rel="noopener noreferrer nofollow"'
        self.path = (*self.path, Element(token.tag, attributes))
        if token.tag == "li" and empty and token.map:
            self._atom(self.starts[token.map[0]], self.starts[token.map[0] + 1] - 1, "")

    def _close(self) -> None:
        if self.hidden.pop():
            return
        if self.path[-1].tag in ("ol", "ul"):
            self.numbers.pop()
        self.path = self.path[:-1]

    def _leaf(self, token: Token) -> None:
        first, behind = token.map or [0, 0]
        end = self.starts[behind] - 1
        if token.type in ("fence", "code_block"):
            self.path = (*self.path, Element("pre", ' dir="ltr"'), Element("code"))
            lines = token.content.split("\n")[:-1]
            for at, line in enumerate(lines, start=first + (token.type == "fence")):
                before = max(len(self.lines[at]) - len(line), 0)
                last = at - first + (token.type != "fence") == len(lines)
                self._text(self.starts[at] + before, line if last else line + "\n")
            self.path = self.path[:-2]
        elif token.type == "displayed":
            drawn = mathml(token.content, display=True)
            self.path = (*self.path, Element("div", ' class="formula"'))
            self._atom(self.source.find(token.markup[:2], self.starts[first]), end, drawn or escape(token.markup))
            self.path = self.path[:-1]
        elif token.type == "hr":
            self._atom(self.source.find(token.markup[0], self.starts[first]), end, "<hr>")

    def _inline(self, token: Token, place: Callable[[int], int]) -> None:
        if not token.content and self.path and self.path[-1].tag in ("th", "td"):
            self._atom(self.cell, self.cell, "")
        for child in token.children or ():
            at = child.meta.get("at", 0)
            if child.nesting == 1:
                self._open(child, empty=False)
            elif child.nesting == -1:
                self._close()
            elif child.type == "text":
                self._text(place(at), child.content)
            elif child.type == "code_inline":
                self._code(token.content, at, child, place)
            else:
                html, length = _drawn(token.content, at, child)
                start = place(at)
                self._atom(start, max(place(at + length - 1) + 1, start), html)

    def _code(self, content: str, at: int, token: Token, place: Callable[[int], int]) -> None:
        self.path = (*self.path, Element("code"))
        begin = at + len(token.markup)
        begin += not content.startswith(token.content, begin)  # a blank beside the mark is none of the code
        if content.startswith(token.content, begin):
            self._text(place(begin), token.content)
        else:  # over several lines
            self._atom(place(at), place(at) + len(token.content), escape(token.content))
        self.path = self.path[:-1]

    def _text(self, start: int, text: str) -> None:
        if self.source.startswith(text, start):
            if text:
                self._add(Chunk(start, start + len(text), text, "", self.path))
        else:  # a cell's \\| is a |
            self._atom(start, start + len(text) + text.count("|"), escape(text))

    def _atom(self, start: int, end: int, html: str) -> None:
        self._add(Chunk(start, end, "", html, self.path))

    def _add(self, chunk: Chunk) -> None:
        for element in chunk.path:
            if element.begun == -1:
                element.begun = chunk.start
        self.found.append(chunk)

    def _place_of(self, token: Token) -> Callable[[int], int]:
        """From a character of the token's content to one of the source."""
        first, behind = token.map or [0, 0]
        if self.path and self.path[-1].tag in ("th", "td"):
            written = token.content.replace("|", "\\|")
            start = self.source.find(written, self.cell, self.starts[first + 1]) if written else self.cell
            self.cell = start + len(written)
            return lambda at: start + at + token.content.count("|", 0, at)
        begins, sources = [0], []
        lines = token.content.split("\n")
        for line, number in zip(lines, range(first, behind), strict=False):
            sources.append(self.starts[number] + _column(self.lines[number], line))
            begins.append(begins[-1] + len(line) + 1)

        def place(at: int) -> int:
            line = min(bisect_right(begins, at), len(sources)) - 1
            return sources[line] + at - begins[line]

        return place


def _column(source: str, content: str) -> int:
    """Where in a line its content begins: markers stand before it, and # behind it in a heading."""
    column = len(source.rstrip()) - len(content.rstrip())
    if not source.rstrip().endswith(content.rstrip()):
        column = source.find(content.strip())
    return max(column, 0)


def _drawn(content: str, at: int, token: Token) -> tuple[str, int]:
    """A token that is shown otherwise than it is written, as HTML, and its length in the content."""
    if token.type == "formula":
        return token.content or escape(token.markup), len(token.markup)
    if token.type == "softbreak":
        return "\n", 1
    if token.type == "hardbreak":
        return "<br>", 1
    if token.type == "written_break":
        return "<br>", len(token.markup)
    if token.type == "image":
        address = escape(str(token.attrGet("src")))
        return f'<span class="picture">Image: {escape(token.content)} <code>{address}</code></span>', 1
    return escape(token.content), max(len(token.markup), 1)
