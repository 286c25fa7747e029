"""The probability that a single answer might not have named a line, from its tokens' log-probabilities."""

import math
from collections.abc import Collection
from itertools import accumulate

from evaluators.methods.felm_answers import ALL_CORRECT
from llm.answer import Answer, Token

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
    """Those that begin behind the last `Answer`; all where there is none."""
    ends = list(accumulate(len(token.text) for token in tokens))
    begin = "".join(token.text for token in tokens).rfind(MARK)
    return [
        token
        for token, end in zip(tokens, ends, strict=True)
        if end - len(token.text) >= begin + len(MARK) or begin < 0
    ]


def _names(token: Token, count: int) -> bool:
    """Whether it is an id, or the beginning of ALL_CORRECT."""
    said = token.text.strip(AROUND)
    return said in {str(number + 1) for number in range(count)} or (said != "" and ALL_CORRECT.startswith(said))


def _chance(token: Token, ids: Collection[str]) -> float:
    spellings = {**token.top, token.text: token.logprob}
    return min(1.0, sum(math.exp(logprob) for text, logprob in spellings.items() if text.strip(AROUND) in ids))
