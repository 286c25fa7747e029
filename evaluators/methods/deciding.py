"""True or False: by the probabilities of the two words where they are given, else by the text (FActScore §4.1).

A model that reads "… True or False?" decides by its next word. Where log-probabilities came with the answer, P(True) is
held against P(False); else the text is read, and how depends on the protocol profile.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluators.methods.verdicts import TRUTH, settle_freely
from llm.answer import Answer, Token

CUT_OFF = "length"
WORD = re.compile(r"\b(true|false)\b", flags=re.IGNORECASE)
# The published code calls an answer without either word supported unless one of these is in it.
RELEASED_DOUBTS = frozenset({"not", "cannot", "unknown", "information"})


@dataclass(frozen=True)
class ParsedVerdict:
    """The verdict of one answer on a statement.

    true: None where the answer cannot be read. probability: that of True against False; None where the endpoint gave
    none, or not at the place where the answer settles.
    """

    true: bool | None
    probability: float | None = None


@dataclass(frozen=True)
class MarkedWord:
    """true: None of half a verdict. place: the offset of the word that says so; None: no single word does."""

    true: bool | None
    place: int | None = None


Reader = Callable[[str, bool], MarkedWord | None]
"""Takes a text and whether it was cut off."""


def decide(answer: Answer, profile: str) -> ParsedVerdict:
    """repaired: probabilities at the word on which the answer settles, or at its first word where it settles on none.
    paper, released-code: at its first word, as in the paper."""
    if answer.is_missing:
        return ParsedVerdict(None)
    text = "".join(token.text for token in answer.tokens) or answer.text
    reading = READERS[profile](text, answer.finish_reason == CUT_OFF)
    settles = reading.place if reading and profile == "repaired" else 0
    probability = None if settles is None else probability_of_true(answer.tokens, settles)
    if probability is not None:
        return ParsedVerdict(probability > 0.5, probability)
    return ParsedVerdict(reading.true if reading else None)


def probability_of_true(tokens: Sequence[Token], place: int = 0) -> float | None:
    """P(True) / (P(True) + P(False)) at the first token with a letter in it that ends after this offset.

    Spellings of a word that differ in case, white space or punctuation are summed. A word that is not among the
    alternatives given counts 0; None where neither is, or there is no such token.
    """
    end = 0
    for token in tokens:
        end += len(token.text)
        if end > place and any(letter.isalpha() for letter in token.text):
            break
    else:
        return None
    spellings = {**token.top, token.text: token.logprob}
    true, false = (
        sum(math.exp(logprob) for text, logprob in spellings.items() if text.strip(" \n\t*\"'.,:").lower() == word)
        for word in ("true", "false")
    )
    return true / (true + false) if true + false else None


def read_paper(text: str, cut_off: bool) -> MarkedWord | None:
    """The one of the two words that the text contains; nothing where it contains both or neither."""
    matches = {match.group().lower(): match.start() for match in WORD.finditer(text)}
    if len(matches) != 1:
        return None
    [(word, place)] = matches.items()
    return MarkedWord(word == "true", place)


def read_repaired(text: str, cut_off: bool) -> MarkedWord | None:
    """The word on which the answer settles (evaluators/methods/verdicts.py), "not true" being a mention of False.

    The probability of a negated word is not that of the statement, and half a verdict has none.
    """
    settled = settle_freely(text, TRUTH, cut_off=cut_off)
    return None if settled is None else MarkedWord(settled.value, settled.place)


def read_released_code(text: str, cut_off: bool) -> MarkedWord | None:
    """The published rule, faults included (docs/methods.md, Profiles): the word that is first mentioned later
    wins, and an answer with neither is supported unless it says not, cannot, unknown or information. So nothing is
    unparsed."""
    lower = text.lower()
    true, false = lower.find("true"), lower.find("false")
    if true < 0 and false < 0:
        words = re.sub(r"[^\w\s]", "", lower).split()
        return MarkedWord(RELEASED_DOUBTS.isdisjoint(words))
    return MarkedWord(true > false, max(true, false))


READERS: dict[str, Reader] = {"paper": read_paper, "released-code": read_released_code, "repaired": read_repaired}
