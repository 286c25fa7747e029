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


class Irrelevance(TextChoices):
    """Why an atomic fact is irrelevant (FActScore A.4)."""

    HANGS_ON = "hangs_on", "Hangs on a fact that is not supported"
    UNRELATED = "unrelated", "Unrelated to the prompt"


class Stance(TextChoices):
    """What a quoted passage does to the units that it is cited for."""

    SUPPORTS = "supports", "Supports"
    REFUTES = "refutes", "Refutes"
    INSUFFICIENT = "insufficient", "Not enough to tell"


# How FELM's file spells the types.
FELM_SPELLING = {
    ErrorType.KNOWLEDGE: "knowledge_error",
    ErrorType.REASONING: "reasoning_error",
    ErrorType.IRRELEVANT: "irrelevant_with_qst",
    ErrorType.FOOLED: "fooled",
}


def default_error_types() -> list[str]:
    return list(ErrorType.values)
