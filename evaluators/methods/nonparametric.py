"""The nonparametric probability of a fact: its words are looked for by their meaning in passages (FActScore §4.1).

Each token that carries content is masked in turn. The model's expectation at the mask is a vector, and so is each token
of the passages; the nearer a token's vector, the more it counts, and the share of those that are the masked token
itself is its probability (Min et al. 2023, with a single mask).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluators.methods.neural import Encoder, ModelTokens, Vectors
from knowledge.words import content_spans

PREFIX = "Fact: "


class TooLongError(ValueError):
    """The fact is longer than the model takes."""


@dataclass(frozen=True)
class Bank:
    """The tokens of some passages with their vectors, a row each."""

    ids: NDArray[np.int64]
    vectors: Vectors


@dataclass(frozen=True)
class MaskedToken:
    """A masked token of a fact, as it stands there, with its probability."""

    text: str
    probability: float


def encode_passage(encoder: Encoder, text: str) -> Bank:
    """The states of a passage, without the tokens that the model adds; a long passage is read in pieces."""
    pieces = encoder.tokenize(text)
    own_tokens = [~np.array(piece.special) for piece in pieces]
    ids = [np.array(piece.ids, dtype=np.int64)[own] for piece, own in zip(pieces, own_tokens, strict=True)]
    states = encoder.encode([piece.ids for piece in pieces])
    return Bank(np.concatenate(ids), np.concatenate([rows[own] for rows, own in zip(states, own_tokens, strict=True)]))


def join(banks: Iterable[Bank]) -> Bank:
    banks = list(banks)
    return Bank(np.concatenate([bank.ids for bank in banks]), np.concatenate([bank.vectors for bank in banks]))


def words_in(encoder: Encoder, fact: str, bank: Bank) -> list[MaskedToken]:
    """The content tokens of the fact in order, each with its probability among the passages' tokens; [] where it has
    none. Raises TooLongError."""
    text = PREFIX + fact
    pieces = encoder.tokenize(text)
    if len(pieces) > 1:
        raise TooLongError
    [tokens] = pieces
    places = places_of_content(tokens, text)
    masked = [encoder.mask(tokens.ids, place) for place in places]
    states = [rows[place] for rows, place in zip(encoder.encode(masked), places, strict=True)]
    if not states:
        return []
    chances = probabilities(np.stack(states), [tokens.ids[place] for place in places], bank)
    return [
        MaskedToken(text[slice(*tokens.spans[place])].strip(), float(chance))
        for place, chance in zip(places, chances, strict=True)
    ]


def places_of_content(tokens: ModelTokens, text: str) -> list[int]:
    """Places of the tokens behind the prefix that are of a word other than a stop word."""
    spans = [span for span in content_spans(text) if span[0] >= len(PREFIX)]
    return [
        place
        for place, (start, end) in enumerate(tokens.spans)
        if not tokens.special[place] and any(start < last and end > first for first, last in spans)
    ]


def probabilities(states: Vectors, ids: Sequence[int], bank: Bank) -> NDArray[np.float64]:
    """The probability of the masked token by each state at a mask: exp(state · vector / √width), summed over
    the bank's tokens of the same id, by the sum over all. 0 where none of them is."""
    width = bank.vectors.shape[1]
    scores = states.astype(np.float64) @ bank.vectors.T.astype(np.float64) / np.sqrt(width)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    same = np.equal.outer(np.asarray(ids), bank.ids)
    shares: NDArray[np.float64] = (weights * same).sum(axis=1) / weights.sum(axis=1)
    return shares
