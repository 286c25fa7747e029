"""Telling a response that answers from one that declines to (FActScore §3.1).

Plain text in. See docs/methods.md, Abstention.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

ABSTAINED = "abstained"
RULED, GENERIC, PERPLEXITY_AI, NO_DETECTOR = "rules", "generic", "perplexity_ai", "none"

APOLOGY = re.compile(r"\s*(?:I['’]m|I am) sorry\b|\s*Sorry,|\s*I apologi[sz]e\b")
ASKS_FOR_MORE = re.compile(r"\bprovide (?:me |us )?(?:with )?more\b")
NOTHING_FOUND = re.compile(
    r"(?:\A|[.!?]\s)\s*(?:I (?:could not|couldn['’]t|cannot|can['’]t) find any information"
    r"|There (?:is|are) no (?:information|(?:provided )?search results)|The search results do not|No sources found)"
)
CITATION = re.compile(r"\s*\[[0-9]+\]\s*")

# What the published detector for PerplexityAI looks for, in any case.
PHRASES = (
    "i could not find any information",
    "the search results do not provide",
    "there is no information",
    "there are no search results",
    "there are no provided search results",
    "not provided in the search results",
    "is not mentioned in the provided search results",
    "there seems to be a mistake in the question",
    "not sources found",
    "no sources found",
    "try a more general question",
)


def found_nothing(text: str) -> bool:
    """Whether a sentence of the first paragraph begins with nothing having been found, citations left out."""
    first = text.strip().partition("\n\n")[0]
    return bool(NOTHING_FOUND.search(CITATION.sub(" ", first)))


def is_generic(text: str) -> bool:
    """The published detector `generic`: case counts, and only the straight apostrophe."""
    return text.startswith("I'm sorry") or "provide more" in text


def is_of_perplexity_ai(text: str) -> bool:
    """The published detector `perplexity_ai`: a phrase in the first paragraph, or none in it at all. A citation takes
    the white space around it with it, empty lines too."""
    first = CITATION.sub("", text).lower().partition("\n\n")[0]
    return not first.strip() or any(phrase in first for phrase in PHRASES)


# Rules by their names in parameters; the rule for texts without a fact needs the facts, not the text.
RULES: dict[str, Callable[[str], object]] = {
    "abstain_apology": APOLOGY.match,
    "abstain_asks_more": ASKS_FOR_MORE.search,
    "abstain_nothing_found": found_nothing,
}
NO_FACT = "abstain_no_fact"
DETECTORS: dict[str, Callable[[str], bool]] = {
    GENERIC: is_generic,
    PERPLEXITY_AI: is_of_perplexity_ai,
    NO_DETECTOR: lambda text: False,
}


def abstains(text: str, parameters: Mapping[str, Any]) -> bool:
    """Whether the detector says so, or of our rules one that is on; all are where an evaluator does not take them as
    parameters. A text of white space says nothing under any."""
    if not text.strip():
        return True
    if (detector := DETECTORS.get(parameters.get("abstention", RULED))) is not None:
        return detector(text)
    return any(parameters.get(name, True) and rule(text) for name, rule in RULES.items())
