"""The passage of a source that bears most on a query, by BM25."""

import asyncio
from collections.abc import Collection
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from factor.retrieval.model import RetrievedPassage
from knowledge.index_files import index_of
from knowledge.models import KnowledgeSource, Passage
from knowledge.search import passage_texts
from knowledge.source_index import best
from knowledge.words import content_words

# Documents whose passages one query asks for.
CHUNK = 400


class SourcePassages:
    """The passages of a source as they are now, without those of some documents (primary keys).

    A passage is one of those that the source is searched by everywhere: whole sentences, at most 256 words (Ram et al.
    take 100 words); the title of its document stands on a line above it. Made, and asking
    the database, in the database thread.
    """

    def __init__(self, source: KnowledgeSource, without: Collection[int], database_thread: Executor) -> None:
        self._desk = database_thread
        self._index = index_of(source)
        self._barred = self._places(without)

    def bar(self, documents: Collection[int]) -> None:
        """Leave out these documents too."""
        self._barred = np.union1d(self._barred, self._places(documents))

    async def best(self, query: str) -> RetrievedPassage | None:
        """The passage with the highest score, the earlier one where two are alike; None where none shares a word."""
        return await asyncio.get_running_loop().run_in_executor(self._desk, self.best_at_desk, query)

    def best_at_desk(self, query: str) -> RetrievedPassage | None:
        keys = self.keys(query, 1)
        if not keys:
            return None
        title = Passage.objects.values_list("document__title", flat=True).get(pk=keys[0])
        text = passage_texts(Passage.objects.filter(pk=keys[0]))[keys[0]]
        return RetrievedPassage(keys[0], f"{title}\n{text}\n")

    def keys(self, query: str, count: int) -> list[int]:
        """The primary keys of the best passages, best first."""
        scores = self._index.scores(content_words(query))
        scores[self._barred] = 0
        return [int(self._index.keys[place]) for place in best(scores, count)]

    def _places(self, documents: Collection[int]) -> NDArray[np.intp]:
        """Where the documents' passages stand in the index, whose keys ascend."""
        keys: list[int] = []
        wanted = sorted(documents)
        for start in range(0, len(wanted), CHUNK):
            chunk = Passage.objects.filter(document__in=wanted[start : start + CHUNK])
            keys.extend(chunk.values_list("pk", flat=True))
        own = np.array(sorted(keys), dtype=np.int64)
        return np.flatnonzero(np.isin(self._index.keys, own))
