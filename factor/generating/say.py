"""The prompts to the model: one for each type of error (FACTOR appendix D has the schemes)."""

from llm.templates import PromptTemplate


def template_name(error_type: str) -> str:
    """The name in a prompt set of the template for the type, one of FactorErrorType."""
    return f"factor_{error_type}"


def messages(template: PromptTemplate, near_context: str, sentence: str, wanted: int) -> list[dict[str, str]]:
    """The messages that request so many contradictions of the sentence in one answer.

    `near_context`: the text before the sentence. The project's template for link errors leaves it out: models tend to
    repeat a context there (FACTOR appendix D).
    """
    return template.messages(
        context=" ".join(near_context.split()),
        sentence=sentence,
        wanted=f"{wanted} variant{'s' if wanted > 1 else ''}",
    )
