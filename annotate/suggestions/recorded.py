"""What is recorded of suggestions with each label."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from annotate.models import Assignment, SuggestionShown
from annotate.suggestions.shown import has_suggestions, suggestions_for
from annotate.suggestions.source import Suggestion

# Suggestions by the keys of units.
Says: TypeAlias = Mapping[str, Suggestion]
NOTHING: Says = MappingProxyType({})


def suggestions_to_record(assignment: Assignment) -> Says:
    """Those of all units, shown or not; NOTHING, without a query, where the work has none."""
    return suggestions_for(assignment) if has_suggestions(assignment) else NOTHING


def columns_of(assignment: Assignment, key: str, value: str, says: Says) -> dict[str, Any]:
    """Those of a Label at the key, besides its judgement."""
    seen = assignment.suggestions_seen.get(key)
    if says is NOTHING or not (seen or key in says):
        return {}
    after = assignment.suggestion == SuggestionShown.AFTER
    first = seen["own"] if seen else value
    return {
        "suggestion": SuggestionShown.WITHHELD if after and not seen else SuggestionShown(assignment.suggestion),
        "suggestion_run": assignment.suggestion_run,
        "suggested": seen["value"] if seen else says[key].value,
        "first_value": "" if first == value else first,
    }
