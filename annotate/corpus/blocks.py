"""Blocks of a text that is read as Markdown: what its author set apart.

Fences, formulas, headings and rows of tables are whole. Paragraphs are prose, those of a list's item or a quotation
too. HTML is text as any other, and so is what stands above `---`: models draw it as a rule.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

# The ends of lines, as markdown-it counts them.
LINE_END = re.compile(r"\r\n|\r|\n")
FORMULA = re.compile(r"\$\$|\\\[|\\begin\{(\w+\*?)\}")
# In lines: what opens none is not looked for to the end of a long text.
LONGEST_FORMULA = 200
AFTER_FORMULA = " \t.,;:"
PROSE = "paragraph_open"
LEAVES = {PROSE, "heading_open", "thead_open", "tr_open", "fence", "code_block", "hr", "formula"}


@dataclass(frozen=True, slots=True)
class Block:
    """Half-open offsets of whole lines; is_prose: it has sentences."""

    start: int
    end: int
    is_prose: bool


def blocks_of(text: str) -> Iterator[Block]:
    """In reading order, covering all that is no white space; none for a blank text."""
    lines = [0, *(match.end() for match in LINE_END.finditer(text)), len(text)]
    for first, last, is_prose in _line_blocks(_parser().parse(text), len(lines) - 1):
        if text[lines[first] : lines[last]].strip():
            yield Block(lines[first], lines[last], is_prose)


def _line_blocks(tokens: "list[Token]", count: int) -> Iterator[tuple[int, int, bool]]:
    """First line, line after the last, and whether it is prose. Lines in no leaf, such as the target of a link, are
    blocks too."""
    place = 0
    for token in tokens:
        if token.type not in LEAVES or token.map is None or token.map[0] < place:
            continue
        first, last = token.map
        if place < first:
            yield place, first, False
        # The line under a table's head belongs to it.
        place = last + 1 if token.type == "thead_open" else last
        yield first, place, token.type == PROSE
    if place < count:
        yield place, count, False


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["lheading", "html_block"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.before("fence", "formula", _formula, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    return parser


def _formula(state: "StateBlock", first: int, last: int, silent: bool) -> bool:
    """A rule of markdown-it: a formula on lines of its own, but for a mark after it."""
    start = state.bMarks[first] + state.tShift[first]
    opening = FORMULA.match(state.src, start, state.eMarks[first])
    if opening is None:
        return False
    closing = {"$$": "$$", r"\[": r"\]"}.get(opening.group(), rf"\end{{{opening.group(1)}}}")
    for line in range(first, min(last, first + LONGEST_FORMULA)):
        start = opening.end() if line == first else state.bMarks[line]
        content = state.src[start : state.eMarks[line]].rstrip(AFTER_FORMULA)
        if closing in content:
            if content.index(closing) + len(closing) < len(content):
                return False
            if not silent:
                state.push("formula", "", 0).map = [first, line + 1]
                state.line = line + 1
            return True
    return False
