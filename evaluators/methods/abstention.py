"""Telling a response that answers from one that declines to (FActScore §3.1).

Plain text in. See docs/methods.md, Abstention.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

ABSTAINED = "abstained"

APOLOGY = re.compile(r"\s*(?:I['’]m|I am) sorry\b|\s*Sorry,|\s*I apologi[sz]e\b")
ASKS_FOR_MORE = re.compile(r"\bprovide (?:me |us )?(?:with )?more\b")
NOTHING_FOUND = re.compile(
    r"\s*(?:I (?:could not|couldn['’]t|cannot|can['’]t) find any information"
    r"|There (?:is|are) no (?:information|search results)|The search results do not|No sources found)"
)

# Rules by their names in parameters; the rule for texts without a fact needs the facts, not the text.
RULES: dict[str, Callable[[str], object]] = {
    "abstain_apology": APOLOGY.match,
    "abstain_asks_more": ASKS_FOR_MORE.search,
    "abstain_nothing_found": NOTHING_FOUND.match,
}
NO_FACT = "abstain_no_fact"


def abstains(text: str, parameters: Mapping[str, Any]) -> bool:
    """Whether a rule that is on says so; all are where an evaluator does not take them as parameters. A text of white
    space says nothing under any rules."""
    return not text.strip() or any(parameters.get(name, True) and rule(text) for name, rule in RULES.items())
