"""The page of a topic where its title is not the topic letter by letter: found by a rule that is named, or reported.

The rules, the strictest first; the first that finds a page decides, and where it finds several the topic is ambiguous.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from knowledge.models import Document, KnowledgeSource, Redirect

LONGEST_TITLE = 500
# "Tim Fischer (politician)": the part that distinguishes pages of one name.
DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
# A page that only lists the pages of a name is the page of none of them, and shows that there are several.
LIST_OF_PAGES = "(disambiguation)"
# Letters that no decomposition parts from their strokes.
STROKES = str.maketrans({"ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ø": "o"})
# They part no words: O'Neill, O’Neill and ONeill are one name.
APOSTROPHES = "'’ʼ‘`"
# Titles that a report names beside a topic without a page.
CANDIDATES = 5
# Topics looked up by one query.
CHUNK = 400


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
    """The result for a topic.

    documents: primary keys of its page, several where an import brought the same title under several ids; empty where
    there is no page. rule: the rule that found the page; None without a page. candidates: possible titles, where there
    is no page or more than one.
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
    plain_letters = (letter for letter in letters if not unicodedata.combining(letter) and letter not in APOSTROPHES)
    return " ".join("".join(letter if letter.isalnum() else " " for letter in plain_letters).split())[:LONGEST_TITLE]


def plain_title(title: str) -> str:
    """The spelling key without the parentheses at the end; the whole key where nothing else would be left."""
    return spelling_key(DISAMBIGUATION.sub("", title)) or spelling_key(title)


def resolve(source: KnowledgeSource, topic: str) -> Resolution:
    """The page of the topic. Nothing is guessed: of several pages that a rule finds none is taken.

    A page whose title has a disambiguation that the topic lacks is taken where it is the only one of that name, and no
    page lists several; a topic that has one never takes a page with another or with none.
    """
    return resolve_all(source, [topic])[0]


def resolve_all(source: KnowledgeSource, topics: Sequence[str]) -> list[Resolution]:
    """The same for each of the topics, with three queries for some hundreds of them."""
    return [
        resolution
        for first in range(0, len(topics), CHUNK)
        for resolution in _resolve_chunk(source, topics[first : first + CHUNK])
    ]


def _resolve_chunk(source: KnowledgeSource, topics: Sequence[str]) -> list[Resolution]:
    redirects = _by_key(source, {title_key(topic) for topic in topics} - {""})
    titles = _by_title(source, "title_key", {title_key(topic) for topic in topics} - {""})
    left = {topic for topic in topics if not redirects[title_key(topic)] and not titles[title_key(topic)]}
    plain = _by_title(source, "plain_title", {plain_title(topic) for topic in left} - {""})
    return [
        _decide(topic, redirects[title_key(topic)], titles[title_key(topic)], plain[plain_title(topic)])
        for topic in topics
    ]


def _by_key(source: KnowledgeSource, keys: set[str]) -> defaultdict[str, list[Redirect]]:
    redirects = defaultdict(list)
    rows = Redirect.objects.filter(source=source, name_key__in=keys, document__revision__lte=source.revision)
    for redirect in rows.select_related("document").defer("document__text"):
        redirects[redirect.name_key].append(redirect)
    return redirects


def _by_title(source: KnowledgeSource, column: str, keys: set[str]) -> defaultdict[str, list[Document]]:
    documents = defaultdict(list)
    for document in Document.objects.visible().filter(source=source, **{f"{column}__in": keys}).defer("text"):
        documents[getattr(document, column)].append(document)
    return documents


def _decide(topic: str, redirects: list[Redirect], alike: list[Document], plain: list[Document]) -> Resolution:
    """By the first rule that finds a page."""
    exact = [document for document in alike if document.title == topic.strip()]
    spelled = [document for document in plain if spelling_key(document.title) == spelling_key(topic)]
    rules = {
        Rule.BY_HAND: [redirect.document for redirect in redirects if redirect.by_hand],
        Rule.EXACT: exact,
        Rule.CASE: alike,
        Rule.REDIRECT: [redirect.document for redirect in redirects],
        Rule.SPELLING: spelled,
        Rule.DISAMBIGUATION: [] if DISAMBIGUATION.search(topic) or any(map(_lists_pages, plain)) else plain,
    }
    rule, pages = next(((rule, pages) for rule, pages in rules.items() if pages), (None, plain))
    titles = sorted({document.title for document in pages if rule or not _lists_pages(document)})
    if rule is None or len(titles) > 1:
        return Resolution(topic, candidates=tuple(titles[:CANDIDATES]))
    return Resolution(topic, tuple(sorted(document.pk for document in pages)), titles[0], rule)


def _lists_pages(document: Document) -> bool:
    return document.title.casefold().endswith(LIST_OF_PAGES)


def name_by_hand(source: KnowledgeSource, topic: str, document: Document) -> None:
    """Have the topic looked up on this page from now on, before every other rule."""
    Redirect.objects.update_or_create(
        source=source,
        name_key=title_key(topic),
        by_hand=True,
        defaults={"name": topic.strip()[:LONGEST_TITLE], "document": document},
    )
