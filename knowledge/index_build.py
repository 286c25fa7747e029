"""Building the index of a source within bounded memory.

bm25s builds its arrays from a corpus in memory, 8 GB for a million passages. Here they are written in two passes over
chunks. The first writes each passage's words and their counts to a file, and counts the words. The second writes the
weights, which need those counts, to their places. The result is that of bm25s itself.
"""

import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from knowledge.source_index import K1, B, bm25, hash_of
from knowledge.words import content_words

# Passages whose words are held in memory at a time.
CHUNK = 20_000
HASHES, TIMES, WEIGHTS, PLACES = "hashes.bin", "times.bin", "weights.npy", "places.npy"


class IndexBuilder:
    """Takes passages one after the other and writes the files of their SourceIndex into a folder that is its own.

    In memory are one chunk, 16 bytes a passage and 16 bytes for each word that there is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._keys = array("q")
        self._sizes = array("I")
        self._distinct = array("I")
        self._hashes: list[np.uint64] = []
        self._times = array("I")
        self._words = np.zeros(0, dtype=np.uint64)
        self._held_by = np.zeros(0, dtype=np.int64)

    def add(self, key: int, passage: str) -> None:
        """One more place; a passage without content words has one too, but is never found and counts for nothing."""
        words = Counter(content_words(passage))
        self._keys.append(key)
        self._sizes.append(words.total())
        self._distinct.append(len(words))
        self._hashes.extend(map(hash_of, words))
        self._times.extend(words.values())
        if len(self._keys) % CHUNK == 0:
            self._spill()

    def finish(self, beat: Callable[[], None] = lambda: None) -> None:
        """Write the index; the folder holds nothing else then, and all of it is on the disk. `beat`: for each chunk."""
        self._spill()
        starts = np.concatenate([[0], np.cumsum(self._held_by)]).astype(np.int64)
        np.save(self._folder / "words.npy", self._words)
        np.save(self._folder / "keys.npy", np.array(self._keys, dtype=np.int64))
        index = bm25()
        index.scores = self._weigh(starts, beat)
        index.vocab_dict, index.nonoccurrence_array = {}, None
        index.save(self._folder, show_progress=False)
        for scratch in (HASHES, TIMES, WEIGHTS, PLACES):
            (self._folder / scratch).unlink(missing_ok=True)
        for path in self._folder.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())

    def _spill(self) -> None:
        hashes = np.array(self._hashes, dtype=np.uint64)
        for name, values in ((HASHES, hashes), (TIMES, np.array(self._times, dtype=np.uint32))):
            with (self._folder / name).open("ab") as file:
                values.tofile(file)
        words, held_by = np.unique(hashes, return_counts=True)
        self._words, entries = np.unique(np.concatenate([self._words, words]), return_inverse=True)
        counts = np.concatenate([self._held_by, held_by])
        self._held_by = np.bincount(entries, weights=counts, minlength=len(self._words)).astype(np.int64)
        self._hashes, self._times = [], array("I")

    def _weigh(self, starts: NDArray[np.int64], beat: Callable[[], None]) -> dict[str, object]:
        """The arrays of bm25s: the entries of word number i are starts[i] to starts[i + 1], by place."""
        size = int(starts[-1])
        weights = self._empty(WEIGHTS, "f4", size)
        places = self._empty(PLACES, "i4", size)
        filled = starts[:-1].copy()
        for numbers, at, weight in self._chunks():
            beat()
            order = np.argsort(numbers, kind="stable")
            held = np.bincount(numbers, minlength=len(filled))
            before = np.cumsum(held) - held
            goal = (filled - before)[numbers[order]] + np.arange(len(order))
            weights[goal], places[goal] = weight[order], at[order]
            filled += held
        return {"data": weights, "indices": places, "indptr": starts, "num_docs": len(self._keys)}

    def _empty(self, name: str, kind: str, size: int) -> NDArray[np.generic]:
        # A file of no entries cannot be mapped.
        return open_memmap(self._folder / name, "w+", kind, (size,)) if size else np.zeros(0, dtype=kind)

    def _chunks(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
        """Of each chunk: the words' numbers, the places of the passages, and their weights there (BM25)."""
        sizes = np.array(self._sizes, dtype=np.float64)
        distinct = np.array(self._distinct, dtype=np.int64)
        worded = np.count_nonzero(sizes)
        rarity = np.log((worded + 1) / self._held_by)
        read = 0
        for first in range(0, len(sizes), CHUNK):
            at = first + np.repeat(np.arange(len(distinct[first : first + CHUNK])), distinct[first : first + CHUNK])
            hashes = np.fromfile(self._folder / HASHES, np.uint64, len(at), offset=8 * read)
            times = np.fromfile(self._folder / TIMES, np.uint32, len(at), offset=4 * read).astype(np.float64)
            read += len(at)
            numbers = np.searchsorted(self._words, hashes)
            length = K1 * (1 - B + B * sizes[at] / (sizes.sum() / max(worded, 1)))
            yield numbers, at, rarity[numbers] * times * (K1 + 1) / (length + times)
