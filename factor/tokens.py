"""The tokens of a text that may be longer than what a model reads at once."""

from factor.language_model import LanguageModel

Span = tuple[int, int]

# Characters asked for at once for each token of the context: so many that their tokens fit.
CHARACTERS_A_TOKEN = 2


async def tokens_of(model: LanguageModel, text: str, context_length: int) -> list[Span]:
    """The characters [start, end) of each token, in order. It is asked for in pieces that end before white space, where
    tokenizers cut as well. Raises NotScorableError as the model does."""
    spans: list[Span] = []
    start = 0
    while start < len(text):
        end = _piece_end(text, start, CHARACTERS_A_TOKEN * context_length)
        spans += [(start + first, start + last) for first, last in await model.tokens(text[start:end])]
        start = end
    return spans


def _piece_end(text: str, start: int, most: int) -> int:
    if len(text) - start <= most:
        return len(text)
    parted = (end for end in range(start + most, start, -1) if text[end].isspace() and not text[end - 1].isspace())
    return next(parted, start + most)
