"""The log-probability of a document (docs/statistics.md, FACTOR)."""

from dataclasses import dataclass

from factor.language_models.base import LanguageModel, NotScorableError, ScoredContinuation
from factor.language_models.tokens import tokens_of
from factor.perplexity.windows import windows

# Tokens left free in each window: for one that stands before every text, and for what the tokenizer makes otherwise of
# a piece than of the whole.
MARGIN = 4


@dataclass(frozen=True)
class DocumentScore:
    """`total`: the sum of the natural logarithms of the probabilities of `count` tokens, which stand for so many
    `characters` of the document."""

    total: float
    count: int
    characters: int
    windows: int


async def score_document(model: LanguageModel, text: str, context_length: int) -> DocumentScore:
    """The document's tokens but the first, each after the text before it in its window.

    Raises NotScorableError where it has fewer than two tokens, or one of its windows has no score.
    """
    text = text.strip()
    cut = windows(text, await tokens_of(model, text, context_length), context_length - MARGIN)
    if not cut:
        raise NotScorableError("The text has fewer than two tokens.")
    scored = []
    for window in cut:
        before, counted = text[window.before : window.start], text[window.start : window.end]
        (answer,) = await model.score(before, [counted], context_length)
        if isinstance(answer, NotScorableError):
            raise answer
        scored.append(answer)
    return DocumentScore(
        total=sum(each.total for each in scored),
        count=sum(len(each.tokens) for each in scored),
        characters=sum(_characters(each) for each in scored),
        windows=len(cut),
    )


def _characters(scored: ScoredContinuation) -> int:
    return max(token.end for token in scored.tokens)
