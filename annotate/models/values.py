"""The values of a judgement (docs/statistics.md, Values of a judgement) and the error types (docs/label.md)."""

from django.db.models import TextChoices


class Value(TextChoices):
    """The last is of claims only (Dataset.values)."""

    SUPPORTED = "supported", "Supported"
    NOT_SUPPORTED = "not_supported", "Not supported"
    IRRELEVANT = "irrelevant", "Irrelevant"
    NOT_ENOUGH_EVIDENCE = "not_enough_evidence", "Not enough evidence"


class ErrorType(TextChoices):
    """FELM's four; a dataset may define more, so a column that holds one has no choices."""

    KNOWLEDGE = "knowledge", "Knowledge"
    REASONING = "reasoning", "Reasoning"
    IRRELEVANT = "irrelevant", "Irrelevant"
    FOOLED = "fooled", "False premise"


class Irrelevance(TextChoices):
    """Why an atomic fact is irrelevant (FActScore A.4)."""

    HANGS_ON = "hangs_on", "Hangs on a fact that is not supported"
    UNRELATED = "unrelated", "Unrelated to the prompt"


class Disagreement(TextChoices):
    """Causes of a disagreement between two annotators (FActScore table 11)."""

    READING = "reading", "The statement can be read in two ways"
    INFERRED = "inferred", "Very likely, but not stated"
    STRICTNESS = "strictness", "How strict to be"
    SUBJECTIVE = "subjective", "A matter of opinion"
    SOURCE = "source", "The source contradicts itself"
    ENTITIES = "entities", "Two things with the same name"
    SLIP = "slip", "An annotator's mistake"


class Unsupported(TextChoices):
    """Kinds of units that are not supported (FActScore table 3)."""

    WORDS = "words", "A sentence contradicts it by a word or number"
    MEANING = "meaning", "A sentence contradicts it by what it means"
    PAGE = "page", "The page does not mention it"
    SUBJECTIVE = "subjective", "A matter of opinion"
    IRRELEVANT = "irrelevant", "Irrelevant"
    SOURCE = "source", "The source contradicts itself or is wrong"
    ANNOTATION = "annotation", "Supported elsewhere: an annotators' mistake"


class Stance(TextChoices):
    """The stance of a quoted passage towards the units that cite it."""

    SUPPORTS = "supports", "Supports"
    REFUTES = "refutes", "Refutes"
    INSUFFICIENT = "insufficient", "Not enough to tell"


class Suggesting(TextChoices):
    """When annotators see what a run says of a unit."""

    OFF = "off", "Never"
    BEFORE = "before", "Before their own label"
    AFTER = "after", "After their own label"


class SuggestionShown(TextChoices):
    """What the annotator of a label saw of a suggestion that a run had for its unit."""

    WITHHELD = "withheld", "Not shown"
    BEFORE = "before", "Shown before"
    AFTER = "after", "Shown after"


# The spelling of the types in FELM's file.
FELM_SPELLING = {
    ErrorType.KNOWLEDGE: "knowledge_error",
    ErrorType.REASONING: "reasoning_error",
    ErrorType.IRRELEVANT: "irrelevant_with_qst",
    ErrorType.FOOLED: "fooled",
}


def default_error_types() -> list[str]:
    return list(ErrorType.values)
