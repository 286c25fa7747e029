"""The page of a topic where its title is not the topic letter by letter: found by a rule that is named, or reported.

The rules, the strictest first; the first that finds a page decides, and where it finds several the topic is ambiguous.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models.functions import Substr

from knowledge.aside import HEAD, lists_meanings, redirect_target
from knowledge.models import Document, KnowledgeSource, Redirect

LONGEST_TITLE = 500
# "Tim Fischer (politician)": the part that distinguishes pages of one name.
DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
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
    page lists several; a topic that has one never takes a page with another or with none. A page that lists meanings or
    redirects is taken by hand alone.
    """
    return resolve_all(source, [topic])[0]


def resolve_all(source: KnowledgeSource, topics: Sequence[str]) -> list[Resolution]:
    """The same for each of the topics, with three queries for some hundreds of them."""
    return [
        resolution
        for first in range(0, len(topics), CHUNK)
        for resolution in _resolve_chunk(source, topics[first : first + CHUNK])
    ]


@dataclass(frozen=True)
class _Page:
    """A document whose text is not loaded but for its `head`."""

    pk: int
    title: str
    head: str

    @property
    def lists(self) -> bool:
        return lists_meanings(self.title, self.head)

    @property
    def is_page(self) -> bool:
        return not self.lists and redirect_target(self.head) is None


# Pages by the key that they are looked up by.
Pages = defaultdict[str, list[_Page]]


def _resolve_chunk(source: KnowledgeSource, topics: Sequence[str]) -> list[Resolution]:
    keys = {title_key(topic) for topic in topics} - {""}
    by_hand, redirects = _by_name(source, keys)
    titles = _by_title(source, "title_key", keys)
    left = {topic for topic in topics if not _has_page(title_key(topic), by_hand, redirects, titles)}
    plain = _by_title(source, "plain_title", {plain_title(topic) for topic in left} - {""})
    return [
        _decide(
            topic,
            by_hand[title_key(topic)],
            redirects[title_key(topic)],
            titles[title_key(topic)],
            plain[plain_title(topic)],
        )
        for topic in topics
    ]


def _has_page(key: str, by_hand: Pages, redirects: Pages, titles: Pages) -> bool:
    return bool(by_hand[key]) or any(page.is_page for page in (*redirects[key], *titles[key]))


def _by_name(source: KnowledgeSource, keys: set[str]) -> tuple[Pages, Pages]:
    """Pages that a person named, and those that the corpus names."""
    by_hand: Pages = defaultdict(list)
    redirects: Pages = defaultdict(list)
    rows = Redirect.objects.filter(source=source, name_key__in=keys, document__revision__lte=source.revision)
    columns = ("document_id", "document__title", Substr("document__text", 1, HEAD))
    for key, named, *page in rows.values_list("name_key", "by_hand", *columns):
        (by_hand if named else redirects)[key].append(_Page(*page))
    return by_hand, redirects


def _by_title(source: KnowledgeSource, column: str, keys: set[str]) -> Pages:
    pages: Pages = defaultdict(list)
    rows = Document.objects.visible().filter(source=source, **{f"{column}__in": keys})
    for key, *page in rows.values_list(column, "pk", "title", Substr("text", 1, HEAD)):
        pages[key].append(_Page(*page))
    return pages


def _decide(
    topic: str, by_hand: list[_Page], redirects: list[_Page], alike: list[_Page], plain: list[_Page]
) -> Resolution:
    """By the first rule that finds a page."""
    exact = [page for page in alike if page.title == topic.strip()]
    spelled = [page for page in plain if spelling_key(page.title) == spelling_key(topic)]
    rules = {
        Rule.EXACT: exact,
        Rule.CASE: alike,
        Rule.REDIRECT: redirects,
        Rule.SPELLING: spelled,
        Rule.DISAMBIGUATION: plain if not DISAMBIGUATION.search(topic) and all(page.is_page for page in plain) else [],
    }
    found = {Rule.BY_HAND: by_hand} | {rule: [page for page in pages if page.is_page] for rule, pages in rules.items()}
    rule, pages = next(((rule, pages) for rule, pages in found.items() if pages), (None, []))
    titles = sorted({page.title for page in pages} if rule else _near([*alike, *redirects, *plain]))
    if rule is None or len(titles) > 1:
        return Resolution(topic, candidates=tuple(titles[:CANDIDATES]))
    return Resolution(topic, tuple(sorted(page.pk for page in pages)), titles[0], rule)


def _near(pages: Sequence[_Page]) -> set[str]:
    """Titles that may be meant: of the pages, and those that redirects among them lead to."""
    return {redirect_target(page.head) or page.title for page in pages if not page.lists}


def name_by_hand(source: KnowledgeSource, topic: str, document: Document) -> None:
    """Have the topic looked up on this page from now on, before every other rule."""
    Redirect.objects.update_or_create(
        source=source,
        name_key=title_key(topic),
        by_hand=True,
        defaults={"name": topic.strip()[:LONGEST_TITLE], "document": document},
    )
