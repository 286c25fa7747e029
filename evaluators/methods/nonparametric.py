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
from evaluators.methods.released_stop_tokens import RELEASED_STOP_TOKENS
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


def encode_passage(encoder: Encoder, text: str, released: bool = False) -> Bank:
    """The states of a passage, without the tokens that the model adds; a long passage is read in pieces. released: the
    model does not see these tokens either."""
    if released:
        texts = [_own_ids(piece) for piece in encoder.tokenize(text.strip())]
        return Bank(
            np.concatenate([np.array(ids, np.int64) for ids in texts]), np.concatenate([*encoder.encode(texts)])
        )
    pieces = encoder.tokenize(text)
    own_tokens = [~np.array(piece.special) for piece in pieces]
    ids = [np.array(piece.ids, dtype=np.int64)[own] for piece, own in zip(pieces, own_tokens, strict=True)]
    states = encoder.encode([piece.ids for piece in pieces])
    return Bank(np.concatenate(ids), np.concatenate([rows[own] for rows, own in zip(states, own_tokens, strict=True)]))


def join(banks: Iterable[Bank]) -> Bank:
    banks = list(banks)
    return Bank(np.concatenate([bank.ids for bank in banks]), np.concatenate([bank.vectors for bank in banks]))


def words_in(encoder: Encoder, fact: str, bank: Bank, released: bool = False) -> list[MaskedToken]:
    """The content tokens of the fact in order, each with its probability among the passages' tokens; [] where it has
    none. released: those that the published code does not stop at. Raises TooLongError."""
    text = PREFIX + fact
    pieces = encoder.tokenize(text)
    if len(pieces) > 1:
        raise TooLongError
    [tokens] = pieces
    places = places_as_released(tokens) if released else places_of_content(tokens, text)
    masked = [_mask(encoder, tokens, place, released) for place in places]
    read = encoder.encode([ids for ids, _ in masked])
    states = [rows[at] for rows, (_, at) in zip(read, masked, strict=True)]
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


def places_as_released(tokens: ModelTokens) -> list[int]:
    """Places of the tokens behind the prefix whose ids are none of RoBERTa's stop words in the published code."""
    behind = len(PREFIX.rstrip())
    return [
        place
        for place, (start, _) in enumerate(tokens.spans)
        if not tokens.special[place] and start >= behind and tokens.ids[place] not in RELEASED_STOP_TOKENS
    ]


def _mask(encoder: Encoder, tokens: ModelTokens, place: int, released: bool) -> tuple[tuple[int, ...], int]:
    """The fact with the token at this place masked, and the mask's place."""
    if not released:
        return encoder.mask(tokens.ids, place), place
    return encoder.mask_again(_own_ids(tokens), place - tokens.special[:place].count(True))


def _own_ids(tokens: ModelTokens) -> list[int]:
    return [token for token, special in zip(tokens.ids, tokens.special, strict=True) if not special]


def probabilities(states: Vectors, ids: Sequence[int], bank: Bank) -> NDArray[np.float64]:
    """The probability of the masked token by each state at a mask: exp(state · vector / √width), summed over
    the bank's tokens of the same id, by the sum over all. 0 where none of them is."""
    width = bank.vectors.shape[1]
    scores = states.astype(np.float64) @ bank.vectors.T.astype(np.float64) / np.sqrt(width)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    same = np.equal.outer(np.asarray(ids), bank.ids)
    shares: NDArray[np.float64] = (weights * same).sum(axis=1) / weights.sum(axis=1)
    return shares
