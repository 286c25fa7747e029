"""The page of a topic where its title is not the topic letter by letter: found by a rule that is named, or reported.

The rules, the strictest first; the first that finds a page decides, and where it finds several the topic is ambiguous.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import QuerySet

from knowledge.models import Document, KnowledgeSource, Redirect

LONGEST_TITLE = 500
# "Tim Fischer (politician)": what tells pages of one name apart.
DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
# Letters that no decomposition parts from their strokes.
STROKES = str.maketrans({"ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ø": "o"})
# They part no words: O'Neill, O’Neill and ONeill are one name.
APOSTROPHES = "'’ʼ‘`"
# Titles that a report names beside a topic without a page.
CANDIDATES = 5


class Rule(StrEnum):
    """How a topic came to its page."""

    BY_HAND = "by hand"
    EXACT = "exact"
    CASE = "case and spacing"
    REDIRECT = "redirect"
    SPELLING = "accents and punctuation"
    DISAMBIGUATION = "disambiguation"


@dataclass(frozen=True)
class Resolution:
    """What became of a topic.

    documents: primary keys of its page, of several where an import brought the same title under several ids; empty
    where there is no page. rule: which found it; None without a page. candidates: titles that might be meant, where
    there is none or more than one.
    """

    topic: str
    documents: tuple[int, ...] = ()
    title: str = ""
    rule: Rule | None = None
    candidates: tuple[str, ...] = ()


def title_key(title: str) -> str:
    """A title as it is looked up: without regard to case, to white space and to how its letters are composed."""
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())[:LONGEST_TITLE]


def spelling_key(title: str) -> str:
    """The title's letters and digits: without accents, and with one space for any punctuation or underscore."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", title).casefold().translate(STROKES))
    kept = (letter for letter in letters if not unicodedata.combining(letter) and letter not in APOSTROPHES)
    return " ".join("".join(letter if letter.isalnum() else " " for letter in kept).split())[:LONGEST_TITLE]


def plain_title(title: str) -> str:
    """The spelling key without what stands in parentheses at the end; the whole where nothing else would be left."""
    return spelling_key(DISAMBIGUATION.sub("", title)) or spelling_key(title)


def resolve(source: KnowledgeSource, topic: str) -> Resolution:
    """The page of the topic. Nothing is guessed: of several pages that a rule finds none is taken.

    A page whose title has a disambiguation that the topic lacks is taken where it is the only one of that name; a topic
    that has one never takes a page with another or with none.
    """
    if not topic.strip():
        return Resolution(topic)
    for rule, found in _candidates(source, topic):
        if titles := sorted({document.title for document in found}):
            if len(titles) > 1:
                return Resolution(topic, candidates=tuple(titles[:CANDIDATES]))
            return Resolution(topic, tuple(sorted(document.pk for document in found)), titles[0], rule)
    return Resolution(topic, candidates=_near(source, topic))


def _candidates(source: KnowledgeSource, topic: str) -> Iterable[tuple[Rule, list[Document]]]:
    """Each rule with the pages that it finds; a rule is only asked when those before it found none."""
    redirects = list(
        Redirect.objects.filter(source=source, name_key=title_key(topic), document__revision__lte=source.revision)
        .select_related("document")
        .defer("document__text")
    )
    yield Rule.BY_HAND, [redirect.document for redirect in redirects if redirect.by_hand]
    alike = list(_titles(source).filter(title_key=title_key(topic)))
    yield Rule.EXACT, [document for document in alike if document.title == topic.strip()]
    yield Rule.CASE, alike
    yield Rule.REDIRECT, [redirect.document for redirect in redirects]
    plain = list(_titles(source).filter(plain_title=plain_title(topic)))
    spelled = spelling_key(topic)
    yield Rule.SPELLING, [document for document in plain if spelling_key(document.title) == spelled]
    if not DISAMBIGUATION.search(topic):
        yield Rule.DISAMBIGUATION, plain


def _near(source: KnowledgeSource, topic: str) -> tuple[str, ...]:
    """Titles of the same name whose disambiguation is another."""
    found = _titles(source).filter(plain_title=plain_title(topic)).values_list("title", flat=True)
    return tuple(found.order_by("title").distinct()[:CANDIDATES])


def _titles(source: KnowledgeSource) -> QuerySet[Document]:
    return Document.objects.visible().filter(source=source).defer("text")


def name_by_hand(source: KnowledgeSource, topic: str, document: Document) -> None:
    """Have the topic looked up on this page from now on, before every other rule."""
    Redirect.objects.update_or_create(
        source=source,
        name_key=title_key(topic),
        by_hand=True,
        defaults={"name": topic.strip()[:LONGEST_TITLE], "document": document},
    )
