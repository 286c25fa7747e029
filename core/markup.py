"""Markdown with TeX, parsed into chunks that know their place in the source.

CommonMark with tables and struck text, changed where answers of models and plain texts would lose characters: line ends
and white space stay, definitions of links stay text, a backslash stays before all but Markdown's own signs, a star
between two letters or digits (2*3*4) is a star. Bold text beside Chinese and Japanese signs needs no blank
(https://github.com/tats-u/markdown-cjk-friendly). There is no HTML of the writer's own, and pictures are not loaded.
"""

import re
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from markdown_it.utils import EnvType

from core.mathml import LONGEST, TEX, mathml

# What a text has at least one of, where it is more than lines of text.
MARKED = re.compile(
    r"[*_`$\\|]|~~|\]\(|<(?:https?:|br)|&#?\w+;"
    r"|^[ \t]*(?:#{1,6}\s|>|[-+](?:\s|$)|\d{1,9}[.)]\s|=+\s*$|-+\s*$)|^(?: {4}|\t)",
    re.MULTILINE | re.IGNORECASE,
)
# A formula on lines of its own.
DISPLAYED = re.compile(rf"\$\$([^$]{{1,{LONGEST}}})\$\$|\\\[(.{{1,{LONGEST}}}?)\\\]", re.DOTALL)
MOST_LINES = 60
DEEPEST = 60
# What stands on both sides of a star that multiplies.
TIMES = re.compile(r"[a-zA-Z0-9]{2}|[0-9)][0-9($-]")
# An address after http or https, with the signs of Markdown in it.
ADDRESS = re.compile(r"://[^\s<>()\[\]|`]+(?<![*_~])")
# Where text ends and a rule may begin.
STOPS = re.compile(r"[\n!$&*<\[\]\\_`~]|(?<=http):|(?<=https):")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
ESCAPED = frozenset("`*_#+-.!|>~$<")
CJK = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")


def is_marked(text: str) -> bool:
    """Whether it may be more than lines of text."""
    return MARKED.search(text) is not None


class PlacedState(StateInline):
    """Its tokens say in `meta` at which character of the content they begin."""

    begun = 0

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self.begun = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802
        token = super().pushPending()
        token.meta["at"] = self.begun
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        # Signs that may become emphasis are pushed one by one from the place of the first.
        before = self.tokens[-2] if len(self.tokens) > 1 and ttype == "text" else None
        follows = before is not None and before.meta.get("from") == self.pos
        token.meta["at"] = before.meta["at"] + len(before.content) if before and follows else self.pos
        token.meta["from"] = self.pos
        return token

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803 - a method of markdown-it-py
        """Which emphasis a run of signs can open or close."""
        found = super().scanDelims(start, canSplitWord)
        end = start + found.length
        before, behind = self.src[start - 1 : start] or " ", self.src[end : min(end + 1, self.posMax)] or " "
        if found.length == 1 and TIMES.fullmatch(before + behind):
            return Scanned(can_open=False, can_close=False, length=1)
        if self.src[start] != "*" or not CJK.search(before + behind):
            return found
        opens = found.can_open or (not behind.isspace() and _ends_word(before))
        return Scanned(opens, found.can_close or (not before.isspace() and _ends_word(behind)), found.length)


class PlacedInline(ParserInline):
    def __init__(self) -> None:
        super().__init__()
        self.terminator_re = STOPS

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = PlacedState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _ends_word(character: str) -> bool:
    return bool(CJK.match(character)) or isPunctChar(character) or isMdAsciiPunct(ord(character))


def _line_end(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "\n":
        return False
    if not silent:
        hard = state.pending.endswith("  ")
        state.push("hardbreak" if hard else "softbreak", "br", 0)
    state.pos += 1
    return True


def _address(state: StateInline, silent: bool) -> bool:
    """An address within the text, as it is written: signs of Markdown in it mark nothing."""
    before = state.src[max(state.pos - 5, 0) : state.pos]
    if state.src[state.pos] != ":" or not before.endswith(("http", "https")):
        return False
    found = ADDRESS.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    if not silent:
        state.append_pending(found[0])
    state.pos = found.end()
    return True


def _escape(state: StateInline, silent: bool) -> bool:
    """A sign of Markdown without its backslash. Other signs keep it: it is rather TeX."""
    if state.src[state.pos] != "\\" or state.pos + 1 >= state.posMax:
        return False
    sign = state.src[state.pos + 1]
    if sign == "\n" or not isMdAsciiPunct(ord(sign)):
        return False
    if not silent:
        token = state.push("text_special", "", 0)
        token.markup = "\\" + sign
        token.content = sign if sign in ESCAPED else token.markup
    state.pos += 2
    return True


def _formula(state: StateInline, silent: bool) -> bool:
    """TeX between its marks, as MathML or as it is written."""
    if state.src[state.pos] not in "$\\":
        return False
    found = TEX.match(state.src, state.pos, min(state.posMax, state.pos + LONGEST + 4))
    if not found:
        return False
    name = found.lastgroup or ""
    drawn = mathml(found[name], display=name in ("shown", "block"))
    if not drawn and name == "dollars" and "\\" not in found[name]:
        return False  # prices
    if not silent:
        token = state.push("formula", "", 0)
        token.content, token.markup = drawn, found[0]
    state.pos = found.end()
    return True


def _break(state: StateInline, silent: bool) -> bool:
    """<br>, as models write it within the cells of tables: the one element that they may write."""
    found = BREAK.match(state.src, state.pos) if state.src[state.pos] == "<" else None
    if not found:
        return False
    if not silent:
        token = state.push("written_break", "br", 0)
        token.markup = found[0]
    state.pos = found.end()
    return True


def _displayed(state: StateBlock, start: int, behind: int, silent: bool) -> bool:
    """A formula between $$ and $$, or \\[ and \\], that has its lines for itself."""
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith(("$$", "\\["), begin):
        return False
    closing = "$$" if state.src[begin] == "$" else "\\]"
    for line in range(start, min(behind, start + MOST_LINES)):
        end = state.src.find(closing, begin + 2 if line == start else state.bMarks[line], state.eMarks[line])
        if end == -1:
            continue
        found = DISPLAYED.fullmatch(state.getLines(start, line + 1, state.blkIndent, False).strip())
        if not found:
            return False
        if not silent:
            token = state.push("displayed", "", 0)
            token.content, token.markup = found[1] or found[2], found[0]
            token.map = [start, line + 1]
            state.line = line + 1
        return True
    return False


class Markdown(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802
        return url.lower().startswith(("http://", "https://"))


def _parser() -> MarkdownIt:
    parser = Markdown("commonmark", {"html": False, "maxNesting": DEEPEST + 1})
    parser.inline = PlacedInline()
    parser.enable(["table", "strikethrough"]).disable(["reference", "html_block"])
    parser.core.ruler.enableOnly(["normalize", "block", "inline"])
    rules = parser.inline.ruler
    rules.enableOnly(["text", "backticks", "strikethrough", "emphasis", "link", "image", "autolink", "entity"])
    for name, rule in (("line_end", _line_end), ("formula", _formula), ("sign", _escape), ("address", _address)):
        rules.before("backticks", name, rule)
    rules.before("backticks", "break", _break)
    parser.inline.ruler2.enableOnly(["balance_pairs", "strikethrough", "emphasis"])
    parser.block.ruler.before("fence", "displayed", _displayed, {"alt": ["paragraph", "blockquote", "list"]})
    return parser


MARKDOWN = _parser()
