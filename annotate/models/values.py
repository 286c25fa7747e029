"""The values of a judgement and the error types (definitions.md §1)."""

from django.db.models import TextChoices


class Value(TextChoices):
    SUPPORTED = "supported", "Supported"
    NOT_SUPPORTED = "not_supported", "Not supported"
    IRRELEVANT = "irrelevant", "Irrelevant"


class ErrorType(TextChoices):
    """FELM's four; a dataset may define more, so a column that holds one has no choices."""

    KNOWLEDGE = "knowledge", "Knowledge"
    REASONING = "reasoning", "Reasoning"
    IRRELEVANT = "irrelevant", "Irrelevant"
    FOOLED = "fooled", "Fooled"


# How FELM's file spells the types.
FELM_SPELLING = {
    ErrorType.KNOWLEDGE: "knowledge_error",
    ErrorType.REASONING: "reasoning_error",
    ErrorType.IRRELEVANT: "irrelevant_with_qst",
    ErrorType.FOOLED: "fooled",
}


def default_error_types() -> list[str]:
    return list(ErrorType.values)
