"""Finding the passages of a source that bear on a text: the topic's page first, then the best of all others.

Both are ranked by the same variant of BM25: the handful of passages of a page among themselves, in memory
(knowledge/bm25.py), all others by the index of the source in files (knowledge/source_index.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from django.db.models import F, QuerySet
from django.db.models.functions import Substr

from knowledge.bm25 import PassageIndex
from knowledge.index_files import index_of
from knowledge.marking import MarkedText, mark
from knowledge.models import Document, KnowledgeSource, Passage
from knowledge.source_index import best
from knowledge.titles import resolve
from knowledge.words import content_words

# Pages whose passages are kept in memory: the facts of a response are looked up on one page, one after the other.
PAGES_KEPT = 64


@dataclass(frozen=True)
class Hit:
    """A passage that was found.

    document: that of the passage, its text not loaded. pieces: the passage's text with the query's words marked; only
    on the topic's page may there be none.
    """

    passage: Passage
    document: Document
    pieces: Sequence[MarkedText]
    of_topic: bool

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def search(source: KnowledgeSource, query: str, count: int, topic: str = "") -> list[Hit]:
    """First the best `count` passages of the topic's page, then the best `count` of all other pages.

    Best first; passages of equal score stand in the order of import. knowledge/titles.py resolves the topic to its
    page. Without such a page, or with "" as topic, there are only the others.
    """
    source = KnowledgeSource.objects.get(pk=source.pk)
    words = content_words(query)
    page = _page_of(source, topic)
    first = page.best(words, count)
    return _hits(first + _best_of_others(source, page, words, count), words, set(first))


def search_page(source: KnowledgeSource, topic: str, query: str, count: int) -> list[Hit]:
    """The best `count` passages of the topic's page alone, best first (FActScore §4.1); [] where it has no page."""
    words = content_words(query)
    first = _page_of(KnowledgeSource.objects.get(pk=source.pk), topic).best(words, count)
    return _hits(first, words, set(first))


class _Page:
    """A page's passages by their primary keys, in reading order."""

    def __init__(self, keys: Sequence[int], texts: Sequence[str]) -> None:
        self.keys = keys
        self._index = PassageIndex(texts)

    def best(self, words: Sequence[str], count: int) -> list[int]:
        return [self.keys[place] for place in self._index.ranking(words)[:count]]


def _page_of(source: KnowledgeSource, topic: str) -> _Page:
    """Without any passage where the topic has no page."""
    documents = resolve(source, topic).documents
    return _read_page(source.edition, documents) if documents else _Page((), ())


@lru_cache(maxsize=PAGES_KEPT)
def _read_page(edition: str, documents: tuple[int, ...]) -> _Page:
    """`edition` is the source's: its documents never change within one."""
    passages = passage_texts(Passage.objects.filter(document__in=documents))
    return _Page(list(passages), list(passages.values()))


def _best_of_others(source: KnowledgeSource, page: _Page, words: Sequence[str], count: int) -> list[int]:
    """Primary keys of passages that share a word with the query and do not stand on the page."""
    index = index_of(source)
    scores = index.scores(words)
    # Every passage of a visible document is in the index, whose keys ascend.
    scores[np.searchsorted(index.keys, np.array(page.keys, dtype=np.int64))] = 0
    return [int(index.keys[place]) for place in best(scores, count)]


def _hits(keys: Sequence[int], words: Sequence[str], of_topic: set[int]) -> list[Hit]:
    """The passages in that order, without passages deleted since the index was built."""
    passages = Passage.objects.select_related("document").defer("document__text").in_bulk(keys)
    texts = passage_texts(Passage.objects.filter(pk__in=keys))
    return [
        Hit(passages[key], passages[key].document, mark(texts[key], words), key in of_topic)
        for key in keys
        if key in passages
    ]


def passage_texts(passages: QuerySet[Passage]) -> dict[int, str]:
    """The text of each passage, by ascending key. The database cuts it out: a document may be long."""
    text = Substr("document__text", F("start") + 1, F("end") - F("start"))
    return dict(passages.order_by("pk").values_list("pk", text))
