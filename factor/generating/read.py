"""Reading the contradictions in a model's answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PLAN = r"(?:Pronouns?|Additional changes?|Planned edits?|Edits?|Changes?)"
SAID = r"(?:Contradictions?|Contradictory (?:sentence|completion)|Contradiction sentence)"
NUMBER = r"(?:\(?\d{1,3}[.):])"
# The answer goes on in the same line where a new line should begin.
INLINE = re.compile(rf"(?<=\S)[ \t]+(?={NUMBER}\s+[*_]*{PLAN}\b|[*_]*{SAID}(?: \d+)?[*_]*\s*:)", flags=re.IGNORECASE)
NUMBERED = re.compile(rf"\s*(?:[-*•]\s+)?[*_]*{NUMBER}[*_]*(?:\s+|$)")
BULLET = re.compile(r"\s*[-*•]\s+")
PLANNED = re.compile(rf"[*_\s]*{PLAN}[*_\s]*:[*_\s]*", flags=re.IGNORECASE)
CONTRADICTION = re.compile(rf"[*_\s]*{SAID}(?: \d+)?[*_\s]*:[*_\s]*", flags=re.IGNORECASE)
NOTHING = re.compile(r"\W*(?:N\s*/?\s*A|none|not applicable)\W*", flags=re.IGNORECASE)
QUOTES = (('"', '"'), ("“", "”"), ("'", "'"), ("‘", "’"), ("«", "»"))


@dataclass(frozen=True)
class WrittenContradiction:
    """One contradiction of an answer. edits: the plan in the model's words, "" where it made none. text: "" where the
    model wrote none. cut_off: the answer ended within it. nothing: the model says that there is nothing to change."""

    edits: str
    text: str
    cut_off: bool = False
    nothing: bool = False


@dataclass
class _Block:
    """The lines of one contradiction. `labelled`: "Contradiction:" stood before its text; `ended`: a blank line came
    after it."""

    edits: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    labelled: bool = False
    ended: bool = False


def read(answer: str, cut_off: bool = False) -> list[WrittenContradiction]:
    """The contradictions in their order; [] where the answer has nothing that looks like one.

    Read so: numbered or not, with or without a plan, with its parts on lines of their own or on one; a sentence without
    "Contradiction:" before it counts where it has a number or follows a plan. `cut_off`: the answer ended at the
    greatest length, so its last contradiction is unfinished.
    """
    if NOTHING.fullmatch(answer):
        return [WrittenContradiction("", answer.strip(), nothing=True)]
    written = [
        WrittenContradiction(" ".join(block.edits), text, nothing=bool(NOTHING.fullmatch(text)))
        for block in _blocks(answer)
        if (text := _unquoted(" ".join(block.text))) or block.edits
    ]
    if cut_off and written:
        written[-1] = WrittenContradiction(written[-1].edits, written[-1].text, cut_off=True)
    return written


def _blocks(answer: str) -> Iterator[_Block]:
    block: _Block | None = None
    for line in INLINE.sub("\n", answer).splitlines():
        numbered = NUMBERED.match(line)
        rest = line[numbered.end() :] if numbered else BULLET.sub("", line, count=1)
        if numbered or (block is not None and _begins_another(block, rest)):
            if block is not None:
                yield block
            block = _Block()
        elif block is None and (PLANNED.match(rest) or CONTRADICTION.match(rest)):
            block = _Block()
        if block is not None:
            _take(block, rest)
    if block is not None:
        yield block


def _begins_another(block: _Block, line: str) -> bool:
    """Without a number: a plan or a contradiction after one that is there already."""
    return bool(block.text) and bool(PLANNED.match(line) or CONTRADICTION.match(line))


def _take(block: _Block, line: str) -> None:
    """The line into the block: to its plan or its text; chatter after a blank line is left."""
    if label := CONTRADICTION.match(line):
        block.labelled, block.ended = True, False
        # Without the label a line of a plan that could not be told may have come first.
        block.edits += block.text
        block.text = [line[label.end() :].strip()] if line[label.end() :].strip() else []
    elif PLANNED.match(line) and not block.text:
        block.edits.append(line.replace("**", "").strip())
    elif not line.strip():
        block.ended = bool(block.text)
    elif not block.ended:
        block.text.append(line.strip())


def _unquoted(text: str) -> str:
    """Without the emphasis or the quotation marks that are around the whole."""
    text = text.strip().strip("*_").strip()
    for opening, closing in QUOTES:
        inner = text[1:-1]
        if (
            len(text) > 1
            and text[0] == opening
            and text[-1] == closing
            and opening not in inner
            and closing not in inner
        ):
            return inner.strip()
    return text
