"""Similarities of two sentences, from 0 to 1, for SimAl (docs/statistics.md, Edits of sentences)."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from core.light_nltk import load_nltk
from evaluators.methods.sentence_vectors import embed, find_sentence_weights

Pair = tuple[str, str]
# Similarities of pairs of texts; nan where one of them is empty.
Similarity = Callable[[Sequence[Pair]], list[float]]


def by_characters(pairs: Sequence[Pair]) -> list[float]:
    """chrF (Popović 2015): the F-score, with β = 3, of runs of up to six characters; the first of a pair is the
    reference."""
    sentence_chrf = load_nltk("translate.chrf_score").sentence_chrf  # here, for NLTK takes long to load
    return [sentence_chrf(*pair) if all(pair) else float("nan") for pair in pairs]


def by_vectors(weights: str) -> Similarity:
    """(1 + cosine) / 2 of the vectors that a sentence-embedding model in WEIGHTS_DIR makes. Raises NotReadyError."""
    folder = find_sentence_weights(weights, "--similarity-weights")

    @cache
    def vector(text: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.asarray(embed(folder, [text])[0], dtype=np.float64)

    def similarity(one: str, other: str) -> float:
        if not (one and other):
            return float("nan")
        first, second = vector(one), vector(other)
        lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
        cosine = float(first @ second) / lengths if lengths else float("nan")
        return 1.0 if one == other else min(1.0, (1 + cosine) / 2)

    return lambda pairs: [similarity(*pair) for pair in pairs]
