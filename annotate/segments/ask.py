"""Segments by a model, for responses that a sentence splitter cuts badly (the scheme of FELM's table 3)."""

from functools import cache
from pathlib import Path

from annotate.prompts.asking import Ask, UnreadableError, ask_until_read
from annotate.segments.cutting import CutError, Span, cut, pieces_of, separator_for
from llm.templates import PromptTemplate, read_file

PROMPTS = Path(__file__).resolve().parent / "prompts"
# FELM cuts these by a model and all others by sentences. Whatever else one chooses is cut as recommendations are.
MATH = ("math",)
RECOMMENDATION = ("writing_rec", "recommendation")
CUT_BY_MODEL = (*MATH, *RECOMMENDATION)


@cache
def template_for(domain: str) -> PromptTemplate:
    return read_file(PROMPTS / ("math.txt" if domain in MATH else "recommendation.txt"))


async def ask_for_segments(text: str, domain: str, ask: Ask, sample: int = 0) -> list[Span]:
    """Half-open offsets of the segments, which give the whole text. Raises UnreadableError or ModelError."""
    separator = separator_for(text)

    def read(answer: str) -> list[Span]:
        try:
            return cut(text, pieces_of(answer, separator))
        except CutError as error:
            raise UnreadableError(f"the segments do not add up to the given text: {error}") from None

    return await ask_until_read(ask, template_for(domain).messages(separator=separator, text=text), read, sample)
