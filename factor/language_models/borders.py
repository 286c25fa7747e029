"""Where the prefix ends and the continuation begins, in characters and in tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

from factor.language_models.base import NotScorableError, ScoredContinuation, ScoredToken

Span = tuple[int, int]


@dataclass(frozen=True)
class Joined:
    """Prefix and continuation as the one text that a model reads. border: the characters before the continuation.

    A space that ends the prefix is the continuation's, and counted in its tokens: most tokenizers make one token of a
    space and the word after it. Otherwise the two are put together as they are. moved: 1 where there was such a space.
    """

    text: str
    border: int
    moved: int

    @property
    def words(self) -> int:
        """Where the continuation itself begins."""
        return self.border + self.moved


def join(prefix: str, continuation: str) -> Joined:
    moved = 1 if prefix.endswith(" ") else 0
    return Joined(prefix + continuation, len(prefix) - moved, moved)


def checked(spans: Sequence[Span], text: str) -> list[Span]:
    """The characters of each token of the text, in order, white space that the tokenizer took away given to the token
    after it, or at the end to the last. Raises NotScorableError where other characters are in no token: the tokens are
    not those of this text."""
    covered, whole = 0, []
    for start, end in spans:
        if start > covered:
            if text[covered:start].strip():
                raise NotScorableError(f"No token of the model has the characters {text[covered:start]!r} of the text.")
            start = covered
        whole.append((start, max(start, end)))
        covered = max(covered, end)
    if covered < len(text):
        if text[covered:].strip() or not whole:
            raise NotScorableError(f"No token of the model has the characters {text[covered:]!r} of the text.")
        whole[-1] = (whole[-1][0], len(text))
    return whole


def first_of_continuation(spans: Sequence[Span], border: int) -> int:
    """The place of the first token that has a character from the border on. A token that stands on both sides is the
    continuation's, whole: its probability cannot be divided."""
    return next(place for place, (_, end) in enumerate(spans) if end > border)


def scored(
    joined: Joined, spans: Sequence[Span], logprobs: Sequence[float | None], prefix_tokens: int
) -> ScoredContinuation:
    """The continuation of a text from its tokens: their characters there, and their log-probabilities. Raises
    NotScorableError where one of them has none.

    `spans` begin with the continuation's first token, which may reach back over the border.
    """
    tokens = []
    for (start, end), logprob in zip(spans, logprobs, strict=True):
        if logprob is None or logprob != logprob:  # not a number
            raise NotScorableError(
                f"The model gives no log-probability of {joined.text[start:end]!r}: nothing stands before it, or it is "
                "not a number."
            )
        tokens.append(ScoredToken(max(0, start - joined.words), max(0, end - joined.words), logprob))
    return ScoredContinuation(tuple(tokens), prefix_tokens, max(0, joined.words - spans[0][0]))
