"""The index over all passages of a source, as bm25s searches it from memory-mapped files.

A passage's score is the sum of the weights of the query's words in it, each as often as the query holds it. The weights
are those of rank_bm25's BM25Plus (k1 1.5, b 0.75), without the constant that it adds to every passage of a corpus, the
ones without the word among them: the order is the same, and a passage that shares no word has the score 0. bm25s calls
that "atire" with the inverse document frequency of "bm25+", log((N + 1) / n), which is positive for every word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import bm25s  # with SciPy, which only who searches imports

K1 = 1.5
B = 0.75
# The best are looked for in so many blocks of places, or more.
BLOCKS = 1000

Scores = NDArray[np.float32]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class SourceIndex:
    """Passages by their places, from 0, in the order in which they were added.

    words: the words' hashes, ascending, uint64; a word's number is its place there. keys: the key of each place,
    ascending, int64.
    """

    words: NDArray[np.uint64]
    keys: NDArray[np.int64]
    weights: "bm25s.BM25"

    @classmethod
    def open(cls, folder: Path) -> "SourceIndex":
        """The index that IndexBuilder wrote there, read from the files on demand."""
        import bm25s

        return cls(
            words=np.load(folder / "words.npy", mmap_mode="r"),
            keys=np.load(folder / "keys.npy", mmap_mode="r"),
            weights=bm25s.BM25.load(folder, mmap=True, load_vocab=False),
        )

    def scores(self, words: Sequence[str]) -> Scores:
        """The score of every place for the words of a query."""
        numbers = [number for word in words if (number := self._number(word)) is not None]
        if not numbers:
            return np.zeros(len(self.keys), dtype=np.float32)
        scores: Scores = self.weights.get_scores_from_ids(numbers)
        return scores

    def _number(self, word: str) -> int | None:
        number = int(np.searchsorted(self.words, hash_of(word)))
        return number if number < len(self.words) and self.words[number] == hash_of(word) else None


def bm25() -> "bm25s.BM25":
    """bm25s with the parameters of rank_bm25's BM25Plus."""
    import bm25s

    return bm25s.BM25(k1=K1, b=B, method="atire", idf_method="bm25+")


def best(scores: Scores, count: int) -> Places:
    """The places of the highest scores above 0, at most `count`, best first; the earlier one first where they tie."""
    candidates = np.flatnonzero((scores > 0) & (scores >= _least(scores, count)))
    return candidates[np.argsort(-scores[candidates], kind="stable")][:count]


def _least(scores: Scores, count: int) -> np.float32:
    """A score that at least `count` places reach, none where there are fewer places.

    So many blocks have each a place that reaches the least of the `count` highest maxima of blocks; to find those takes
    a thirtieth of the time that a partition of a million scores does.
    """
    if count >= len(scores):
        return np.float32(0)
    size = max(1, len(scores) // max(BLOCKS, 10 * count))
    highest = np.maximum.reduceat(scores, np.arange(0, len(scores), size))
    return np.float32(np.partition(highest, -count)[-count])


@lru_cache(maxsize=200_000)
def hash_of(word: str) -> np.uint64:
    """64 bits: of a million words two are alike in one of 37 million corpora."""
    return np.uint64(int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big"))
