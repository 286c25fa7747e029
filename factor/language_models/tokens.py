"""The tokens of a text that may be longer than what a model reads at once."""

from factor.language_models.base import LanguageModel
from llm.errors import AccessRefusedError, RequestRefusedError

Span = tuple[int, int]

# Characters asked for at once for each token of the context: so many that their tokens fit, in most scripts.
CHARACTERS_A_TOKEN = 2
# A character is at most four bytes, and so at most four tokens.
TOKENS_A_CHARACTER = 4


async def tokens_of(model: LanguageModel, text: str, context_length: int) -> list[Span]:
    """The characters [start, end) of each token, in order. It is asked for in pieces that end before white space, where
    tokenizers cut as well; where one is refused, in pieces half as long, until one is that must fit. Raises
    NotScorableError and ModelError as the model does."""
    spans: list[Span] = []
    start, most = 0, CHARACTERS_A_TOKEN * context_length
    fewest = max(1, context_length // TOKENS_A_CHARACTER)
    while start < len(text):
        end = _piece_end(text, start, most)
        try:
            piece = await model.tokens(text[start:end])
        except AccessRefusedError:
            raise
        except RequestRefusedError:
            if end - start <= fewest:
                raise
            most = max(fewest, (end - start) // 2)
        else:
            spans += [(start + first, start + last) for first, last in piece]
            start = end
    return spans


def _piece_end(text: str, start: int, most: int) -> int:
    if len(text) - start <= most:
        return len(text)
    parted = (end for end in range(start + most, start, -1) if text[end].isspace() and not text[end - 1].isspace())
    return next(parted, start + most)
