"""A language model that is small enough to be followed by hand."""

import math
import re

from factor.language_models.base import NotScorableError, ScoredContinuation, ScoredToken

VOCABULARY = 1000
TOKEN = re.compile(r"\s*\S+|\s+")


class WordModel:
    """A token is a word with the white space before it. A word that stands n times among the N words before it has the
    probability (n + 1) / (N + 1000). Keeps what it was asked."""

    def __init__(self):
        self.asked = []

    async def tokens(self, text):
        return [match.span() for match in TOKEN.finditer(text)]

    async def score(self, prefix, continuations, context_length):
        self.asked.append((prefix, list(continuations)))
        return [self._score(prefix, continuation, context_length) for continuation in continuations]

    def _score(self, prefix, continuation, context_length):
        text = prefix + continuation
        spans = [match.span() for match in TOKEN.finditer(text)]
        own = [place for place, (_, end) in enumerate(spans) if end > len(prefix)]
        if len(own) > context_length:
            return NotScorableError(f"It has {len(own)} tokens, more than the context of {context_length}.")
        first = max(0, len(spans) - context_length)
        words = [text[start:end].strip() for start, end in spans]
        scored = []
        for place in own:
            start, end = (edge - len(prefix) for edge in spans[place])
            scored.append(ScoredToken(max(0, start), end, logprob(words[place], words[first:place])))
        return ScoredContinuation(tuple(scored), own[0] - first, max(0, len(prefix) - spans[own[0]][0]))


def logprob(word, before):
    return math.log((before.count(word) + 1) / (len(before) + VOCABULARY))
