"""Finding the passages of a source that bear on a text: the topic's page first, then the best of all others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import F
from django.db.models.functions import Substr

from knowledge.documents import title_key
from knowledge.index_files import index_of
from knowledge.inverted import InvertedIndex, Places, best
from knowledge.marking import Piece, mark
from knowledge.models import Document, KnowledgeSource, Passage
from knowledge.words import content_words


@dataclass(frozen=True)
class Hit:
    """A passage that was found.

    document: that of the passage, its text not loaded. score: BM25+, 0 where it shares no word with the query, which
    only a passage of the topic's page may do. pieces: the passage's text with the query's words marked.
    """

    passage: Passage
    document: Document
    score: float
    pieces: Sequence[Piece]
    of_topic: bool

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def search(source: KnowledgeSource, query: str, count: int, topic: str = "") -> list[Hit]:
    """First the best `count` passages of the page titled like the topic, then the best `count` of all other pages.

    Best first; what is alike stands in the order in which it was imported. Titles are compared without regard to case
    and white space; without such a page, or with "" as topic, only the others are there.
    """
    index = index_of(source)
    words = content_words(query)
    scores = index.scores(words)
    page = _places_of_page(source, topic, index)
    first = page[np.argsort(-scores[page], kind="stable")][:count]
    of_page = {int(index.keys[place]): float(scores[place]) for place in first}
    scores[page] = 0
    of_others = {int(index.keys[place]): float(scores[place]) for place in best(scores, count)}
    found = {**of_page, **of_others}
    # Without those that were deleted since the index was built.
    passages = Passage.objects.select_related("document").defer("document__text").in_bulk(found)
    texts = _texts(passages)
    return [
        Hit(passages[key], passages[key].document, score, mark(texts[key], words), key in of_page)
        for key, score in found.items()
        if key in passages
    ]


def _places_of_page(source: KnowledgeSource, topic: str, index: InvertedIndex) -> Places:
    """Where the index has the passages of the documents with that title, in reading order."""
    if not topic.strip():
        return np.zeros(0, dtype=np.int64)
    of_page = Passage.objects.filter(document__source=source, document__title_key=title_key(topic))
    keys = np.array(of_page.order_by("pk").values_list("pk", flat=True), dtype=np.int64)
    # One that is not in the index, because its import is not complete, would stand where another stands.
    places: Places = np.searchsorted(index.keys, keys).astype(np.int64)
    there = [place for place, key in zip(places, keys, strict=True) if key in index.keys[place : place + 1]]
    return np.array(there, dtype=np.int64)


def _texts(keys: Iterable[int]) -> dict[int, str]:
    """What each of the passages says. The database cuts it out: a document may be long."""
    text = Substr("document__text", F("start") + 1, F("end") - F("start"))
    return dict(Passage.objects.filter(pk__in=list(keys)).values_list("pk", text))
