"""Ranking a few passages, such as those of one response's references; a whole source has an index in files."""

from collections.abc import Sequence

import numpy as np
from rank_bm25 import BM25Okapi, BM25Plus

from knowledge.words import content_words


class PassageIndex:
    """Passages searched by BM25 over their content words; passages without any are left out. False where it is empty.

    BM25+ because its inverse document frequency, log((N + 1) / n), is positive however common a word is. Okapi's turns
    zero or negative for a word that half of the passages hold, which in the few passages of one response's references
    is the rule: the passage that shares most with the query would then come last.
    """

    def __init__(self, passages: Sequence[str]) -> None:
        self._passages = passages
        worded = [(place, words) for place, passage in enumerate(passages) if (words := content_words(passage))]
        self._places = [place for place, _ in worded]
        self._bm25 = BM25Plus([words for _, words in worded]) if worded else None

    def __bool__(self) -> bool:
        return self._bm25 is not None

    def search(self, words: Sequence[str], count: int) -> list[str]:
        """The best passages for the words, at most `count`, best first; the earlier one first where two are alike."""
        return [self._passages[place] for place in self.ranking(words)[:count]]

    def ranking(self, words: Sequence[str]) -> list[int]:
        """The places of the passages, best first, from 0; passages without a common word come last."""
        if self._bm25 is None:
            return []
        scores = self._bm25.get_scores(words)
        return [self._places[entry] for entry in np.argsort(-scores, kind="stable")]


def rank_by_okapi(passages: Sequence[str], query: str) -> list[int]:
    """The places of the passages, best first, from 0, as the published FActScore code ranks them: Okapi over words
    between white space, in which case and punctuation count. A passage that shares no word with the query may come
    before one that does. Where two are alike the earlier comes first; there the machine decides."""
    words = [passage.split() for passage in passages]
    if not any(words):
        return list(range(len(passages)))
    return [int(place) for place in np.argsort(-BM25Okapi(words).get_scores(query.split()), kind="stable")]
