"""The votes of the samples on a segment or fact."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

from evaluators.methods.base import Judgement, Unit
from evaluators.methods.felm_answers import ALL_CORRECT
from evaluators.methods.felm_prompts import Lines
from llm.answer import Answer, Token
from stats.baselines import NOT_SUPPORTED, SUPPORTED


@dataclass(frozen=True)
class Listing:
    """One list as it was judged. readings: of each answer the places of the lines that it flags, or None where it
    could not be parsed."""

    lines: Lines
    answers: Sequence[Answer]
    readings: Sequence[frozenset[int] | None]

    def votes(self, places: Collection[int]) -> list[bool]:
        """Whether each parsed answer flags any of the lines at these places, from 0.

        See docs/statistics.md, Error detection.
        """
        return [not flagged.isdisjoint(places) for flagged in self.readings if flagged is not None]

    def places(self, item: int) -> set[int]:
        """Places of the item's lines, from 0."""
        return {place for place, line in enumerate(self.lines) if line.item == item}


def count_votes(unit: Unit, places: Collection[int], listing: Listing) -> Judgement:
    """The majority of the samples that could be parsed; a tie takes the first of them, as the published code does.

    Unparsed only where no sample could be parsed. Of several samples the score is the share that found no error; of a
    single one the probability that none was named, where log-probabilities came with it. places: of the lines that are
    voted on, from 0.
    """
    answers = listing.answers
    calls = tuple(answer.call_id for answer in answers)
    votes = listing.votes(places)
    if not votes:
        return Judgement(unit, None, rationale=answers[0].text, calls=calls)
    errors = sum(votes)
    is_error = votes[0] if 2 * errors == len(votes) else 2 * errors > len(votes)
    value = NOT_SUPPORTED if is_error else SUPPORTED
    if len(answers) == 1:
        score = chance_unnamed(answers[0], places, len(listing.lines))
        return Judgement(unit, value, score, answers[0].text, calls)
    rationale = f"an error in {errors} of {len(votes)} parsed answers, {len(answers) - len(votes)} not parsed"
    return Judgement(unit, value, 1 - errors / len(votes), rationale, calls)


MARK = "Answer"
# Ids of one digit are one token everywhere; of longer ones some tokenizers make several.
MOST_LINES = 9
AROUND = " \t\n,.*[](){}\"'`:"


def chance_unnamed(answer: Answer, places: Collection[int], count: int) -> float | None:
    """The probability that none of the lines at these places, from 0, is named where the answer names a line or says
    that all are correct: the product over those tokens of 1 - P(any of the ids).

    An id that is not among the alternatives given counts 0, and so does one that might have followed the last. None
    where there are no log-probabilities, or more lines than ids of one digit.
    """
    tokens = [token for token in _after_mark(answer.tokens) if _names(token, count)]
    if not tokens or count > MOST_LINES:
        return None
    ids = {str(place + 1) for place in places}
    return math.prod(1 - _chance(token, ids) for token in tokens)


def _after_mark(tokens: tuple[Token, ...]) -> list[Token]:
    """The tokens behind the last `Answer`; all where there is none."""
    ends = list(accumulate(len(token.text) for token in tokens))
    begin = "".join(token.text for token in tokens).rfind(MARK)
    return [
        token
        for token, end in zip(tokens, ends, strict=True)
        if end - len(token.text) >= begin + len(MARK) or begin < 0
    ]


def _names(token: Token, count: int) -> bool:
    """Whether it is an id, or the beginning of ALL_CORRECT."""
    name = token.text.strip(AROUND)
    return name in {str(number + 1) for number in range(count)} or (name != "" and ALL_CORRECT.startswith(name))


def _chance(token: Token, ids: Collection[str]) -> float:
    spellings = {**token.top, token.text: token.logprob}
    return min(1.0, sum(math.exp(logprob) for text, logprob in spellings.items() if text.strip(AROUND) in ids))
