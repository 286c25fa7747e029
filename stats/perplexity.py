"""The perplexity of a model over a corpus, with its interval.

References
----------
docs/statistics.md, FACTOR.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, ratio
from stats.bootstrap import Interval, Resampling
from stats.intervals import mean_interval


@dataclass(frozen=True)
class DocumentSum:
    """A document: the sum of its tokens' log-probabilities, how many tokens, and how many characters they are."""

    total: float
    count: int
    characters: int


@dataclass(frozen=True)
class PerplexityFigures:
    """Perplexity and bits per character of a corpus; all are None without a document, intervals below eight.

    Attributes
    ----------
    perplexity : exp(−mean log-probability of a token)
        Over all tokens of all documents alike; comparable between models of one tokenizer only.
    bits_per_character : −mean log₂ probability of a character
        Independent of the tokenizer.
    """

    documents: int
    tokens: int
    characters: int
    perplexity: float | None
    perplexity_interval: Interval | None
    bits_per_character: float | None
    bits_interval: Interval | None


def figures(documents: Sequence[DocumentSum]) -> PerplexityFigures:
    """Figures over the documents that have a score; documents are resampled."""
    sums = np.array([[each.total, each.count, each.characters] for each in documents], dtype=float).reshape(-1, 3)
    whole = sums.sum(axis=0, keepdims=True)
    counted = len(documents)
    drawn = Resampling(np.zeros(counted, dtype=np.int64)).totals(sums) if counted > 1 else whole
    return PerplexityFigures(
        documents=counted,
        tokens=int(whole[0, 1]),
        characters=int(whole[0, 2]),
        perplexity=_known(_perplexity(whole)),
        perplexity_interval=_on_logarithms(whole, drawn, counted),
        bits_per_character=_known(_bits(whole)),
        bits_interval=mean_interval(_known(_bits(whole)), _bits(drawn), counted),
    )


def _on_logarithms(whole: Floats, drawn: Floats, documents: int) -> Interval | None:
    """The interval of a perplexity: that of its logarithm, which varies as the mean that it is."""
    around = mean_interval(_known(np.log(_perplexity(whole))), np.log(_perplexity(drawn)), documents)
    return None if around is None else Interval(math.exp(around.low), math.exp(around.high), around.undefined)


def _perplexity(sums: Floats) -> Floats:
    perplexity: Floats = np.exp(-ratio(sums[:, 0], sums[:, 1]))
    return perplexity


def _bits(sums: Floats) -> Floats:
    return -ratio(sums[:, 0], sums[:, 2]) / math.log(2)


def _known(values: Floats) -> float | None:
    return None if math.isnan(values[0]) else float(values[0])
