"""Segments by a model, for responses that a sentence splitter cuts badly (the scheme of FELM's table 3)."""

from annotate.prompts.asking import Ask, UnreadableError, ask_until_read
from annotate.segments.cutting import CutError, Span, cut, pieces_of, separator_for
from llm.templates import PromptTemplate

# FELM cuts these by a model and all others by sentences. Whatever else one chooses is cut as recommendations are.
MATH = ("math",)
RECOMMENDATION = ("writing_rec", "recommendation")
CUT_BY_MODEL = (*MATH, *RECOMMENDATION)


async def ask_for_segments(
    text: str, ask: Ask, template: PromptTemplate, again: PromptTemplate, sample: int = 0
) -> list[Span]:
    """Half-open offsets of the segments, which give the whole text. again: what is sent after an answer that cannot be
    read. Raises UnreadableError or ModelError."""
    separator = separator_for(text)

    def read(answer: str) -> list[Span]:
        try:
            return cut(text, pieces_of(answer, separator))
        except CutError as error:
            raise UnreadableError(f"the segments do not add up to the given text: {error}") from None

    return await ask_until_read(ask, template.messages(separator=separator, text=text), read, again, sample)
