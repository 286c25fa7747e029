"""The paper's list of facts, and the published code's rules on generated facts: what is read as a list, and which facts
are dropped (docs/methods.md, Generated facts)."""

import calendar
import re
import string
from collections.abc import Iterator, Sequence

from annotate.prompts.asking import UnreadableError
from knowledge.english import tag_english

# Sentences that get no facts: by their beginning anywhere, and by that of the text's first sentence.
FACTLESS, FACTLESS_FIRST = ("This sentence does not contain any facts", "Sure", "Please"), "Here are"

# A fact with one of these ends says less than a fact that goes on where it stops. Not all begin at a word's border.
UNFINISHED = (
    "born.",
    " appointed.",
    " characterized.",
    " described.",
    " known.",
    " member.",
    " advocate.",
    "served.",
    "elected.",
)
FINISHED = "founding member."

# Entities of time and number, as the tagger calls them (OntoNotes).
COUNTED = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
MONTHS = frozenset(month.lower() for month in calendar.month_name if month)
WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
ARTICLES = frozenset({"a", "an", "the"})
DIGITS = re.compile(r"\b\d+\b")

Figures = dict[str, None]
"""Dates and numbers in the order in which they are found."""

MARK = "- "
NOTHING = "none"


def read_facts_of_paper(answer: str) -> tuple[str, ...]:
    """The lines that begin with "- ", without it; () where the answer is that the sentence states nothing.

    Only the beginning of a line is looked at: "1990 - 1995" is one fact, and a heading above the list is none.
    Raises UnreadableError where there is no such line.
    """
    if answer.strip().rstrip(".").lower() == NOTHING:
        return ()
    lines = (line.strip() for line in answer.split("\n"))
    facts = tuple(line.removeprefix(MARK).strip() for line in lines if line.startswith(MARK))
    if not any(facts):
        raise UnreadableError(f'no line of it begins with "{MARK}"')
    return tuple(filter(None, facts))


def read_facts_as_released(answer: str) -> tuple[str, ...]:
    """The text after each "- ", also within a line: "1990 - 1995" comes apart into two facts, and a numbered list
    yields none. The last fact alone is given a full stop. An empty piece, which ends the published code with an error,
    is passed over."""
    facts = [stripped for piece in answer.split(MARK)[1:] if (stripped := piece.strip())]
    if facts and not facts[-1].endswith("."):
        facts[-1] += "."
    return tuple(facts)


def has_no_facts(sentence: str, is_first: bool) -> bool:
    return sentence.startswith(FACTLESS) or (is_first and sentence.startswith(FACTLESS_FIRST))


def without_invented(sentence: str, facts: Sequence[str]) -> tuple[str, ...]:
    """The facts without those that are unfinished, repeated, or have a figure of their own; a figure that begins one of
    the sentence's becomes that one. All facts as they were where those left would not cover the sentence's figures."""
    own = figures_in(sentence)
    covered: set[str] = set()
    kept: list[str] = []
    for fact in facts:
        if _is_unfinished(fact, facts):
            continue
        figures = figures_in(fact)
        covered |= figures.keys() & own.keys()
        completed = _complete(fact, [figure for figure in figures if figure not in own], own, covered)
        if completed is not None and completed not in kept:
            kept.append(completed)
    return tuple(kept) if covered == own.keys() else tuple(facts)


def _is_unfinished(fact: str, facts: Sequence[str]) -> bool:
    if not fact.endswith(UNFINISHED) or fact.endswith(FINISHED):
        return False
    return any(fact[:-1] in other for other in facts if other != fact)


def _complete(fact: str, unknown: Sequence[str], own: Figures, covered: set[str]) -> str | None:
    """The fact with each unknown figure replaced by one of the sentence's that begins with it, which counts as covered;
    None where there is none such."""
    for figure in unknown:
        longer = next((each for each in own if each.startswith(figure)), None)
        if longer is None:
            return None
        fact = fact.replace(figure, longer)
        covered.add(longer)
    return fact


def figures_in(text: str) -> Figures:
    """Dates and numbers of the text: of its entities, then of its other runs of digits."""
    figures: Figures = {}
    for entity in tag_english(text).ents:
        if entity.label_ in COUNTED:
            figures |= dict.fromkeys(_figures_of(entity.text))
    for digits in DIGITS.findall(text):
        if not any(digits in figure for figure in figures):
            figures[digits] = None
    return figures


def _figures_of(entity: str) -> Iterator[str]:
    """The entity whole, or its words, as far as they are figures, cut at hyphens."""
    for piece in [entity] if is_figure(entity) else filter(is_figure, entity.split()):
        yield from (part.strip() for part in piece.split("-"))


def is_figure(text: str) -> bool:
    """Whether integers and names of months are all of its words."""
    plain = text.lower().translate(WITHOUT_PUNCTUATION).split()
    words = [word for word in plain if word not in ARTICLES]
    return bool(words) and all(word in MONTHS or _is_integer(word) for word in words)


def _is_integer(word: str) -> bool:
    try:
        int(word)
    except ValueError:
        return False
    return True
