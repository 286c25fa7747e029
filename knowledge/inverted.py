"""An inverted index: which passages hold a word, and what each counts there. Arrays only, so it can lie in files.

A passage's score is the sum of the weights of the query's words in it, each as often as the query holds it. The weights
are those of rank_bm25's BM25Plus (k1 1.5, b 0.75), without the constant that it adds to every passage of a corpus, the
ones without the word among them: the order is the same, and a passage that shares no word has the score 0.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from knowledge.words import content_words

K1 = 1.5
B = 0.75

Scores = NDArray[np.float32]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class InvertedIndex:
    """Passages by their places, from 0, in the order in which they were added.

    words: the words' hashes, ascending, uint64. Those of words[i] are the entries starts[i] to starts[i + 1] of
    `places` (ascending, uint32) and `weights` (float32). keys: of each place whatever the builder was told, int64.
    """

    words: NDArray[np.uint64]
    starts: NDArray[np.int64]
    places: NDArray[np.uint32]
    weights: NDArray[np.float32]
    keys: NDArray[np.int64]

    def scores(self, words: Sequence[str]) -> Scores:
        """The score of every place for the words of a query."""
        scores = np.zeros(len(self.keys), dtype=np.float32)
        for word, times in Counter(words).items():
            entry = int(np.searchsorted(self.words, hash_of(word)))
            if entry < len(self.words) and self.words[entry] == hash_of(word):
                held = slice(int(self.starts[entry]), int(self.starts[entry + 1]))
                scores[self.places[held]] += times * self.weights[held]
        return scores


def best(scores: Scores, count: int) -> Places:
    """The places of the highest scores above 0, at most `count`, best first; the earlier one first where they tie."""
    if count < len(scores):
        least = np.partition(scores, -count)[-count]
        candidates = np.flatnonzero((scores > 0) & (scores >= least))
    else:
        candidates = np.flatnonzero(scores > 0)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:count]


def hash_of(word: str) -> np.uint64:
    """64 bits: of a million words two are alike in one of 37 million corpora."""
    return np.uint64(int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big"))


class IndexBuilder:
    """Takes passages one after the other and holds of each only its words' numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._words = array("I")
        self._times = array("I")
        self._distinct = array("I")
        self._sizes = array("I")
        self._keys = array("q")

    def add(self, key: int, passage: str) -> None:
        """One more place; a passage without content words has one too, but is never found and counts for nothing."""
        words = Counter(content_words(passage))
        self._keys.append(key)
        self._sizes.append(words.total())
        self._distinct.append(len(words))
        for word, times in words.items():
            self._words.append(self._numbers.setdefault(word, len(self._numbers)))
            self._times.append(times)

    def build(self) -> InvertedIndex:
        numbers = np.array(self._words, dtype=np.int64)
        places = np.repeat(np.arange(len(self._keys), dtype=np.uint32), np.array(self._distinct, dtype=np.int64))
        hashes = np.array([hash_of(word) for word in self._numbers], dtype=np.uint64)
        order = np.argsort(hashes)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        by_word = np.argsort(rank[numbers], kind="stable")
        held = np.bincount(rank[numbers], minlength=len(order))
        return InvertedIndex(
            words=hashes[order],
            starts=np.concatenate([[0], np.cumsum(held)]).astype(np.int64),
            places=places[by_word],
            weights=self._weights(numbers, places)[by_word],
            keys=np.array(self._keys, dtype=np.int64),
        )

    def _weights(self, numbers: NDArray[np.int64], places: NDArray[np.uint32]) -> NDArray[np.float32]:
        """Of each word in each passage, in the order of adding."""
        if not len(numbers):
            return np.zeros(0, dtype=np.float32)
        sizes = np.array(self._sizes, dtype=np.float64)
        worded = np.count_nonzero(sizes)
        rarity = np.log((worded + 1) / np.bincount(numbers))[numbers]
        times = np.array(self._times, dtype=np.float64)
        length = K1 * (1 - B + B * sizes[places] / (sizes.sum() / worded))
        weights: NDArray[np.float64] = rarity * times * (K1 + 1) / (length + times)
        return weights.astype(np.float32)
