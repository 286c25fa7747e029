"""The prompts to the model: one for each type of error (FACTOR appendix D has the schemes)."""

from functools import cache
from pathlib import Path

from llm.templates import PromptTemplate, read_file

WORDING = Path(__file__).resolve().parent / "wording"
# The prompt for link errors gets the sentence alone: models tend to repeat a context there (FACTOR appendix D).
WITHOUT_CONTEXT = frozenset({"link"})


@cache
def template_for(error_type: str) -> PromptTemplate:
    """The template of the type, one of FactorErrorType."""
    return read_file(WORDING / f"{error_type}.txt")


def messages(error_type: str, near_context: str, sentence: str, wanted: int) -> list[dict[str, str]]:
    """The messages that request so many contradictions of the sentence, with errors of the type, in one answer.

    `near_context`: the text before the sentence.
    """
    fields = {"sentence": sentence, "wanted": f"{wanted} variant{'s' if wanted > 1 else ''}"}
    if error_type not in WITHOUT_CONTEXT:
        fields["context"] = " ".join(near_context.split())
    return template_for(error_type).messages(**fields)
