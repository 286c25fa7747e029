"""Suggestions as the annotator's pages show them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string

from annotate.judgements.page_keys import PageKeys
from annotate.labels.choices import choices_of
from annotate.models import Assignment, Value
from annotate.suggestions.shown import shown_to
from annotate.suggestions.source import Suggestion


@dataclass(frozen=True)
class ShownSuggestion:
    """`title`: the word of the button of its value."""

    value: str
    title: str
    reason: str


def suggestions_on_page(own: Assignment) -> dict[str, ShownSuggestion]:
    """By the keys of units in the draft; none beside submitted labels or in a rebuttal."""
    if not own.suggestion or own.state != Assignment.State.OPEN:
        return {}
    titles = {choice.value: choice.title for choice in choices_of(own.task.dataset.scheme)}

    def shown(suggestion: Suggestion) -> ShownSuggestion:
        value = suggestion.value
        return ShownSuggestion(value, titles.get(value, Value(value).label), suggestion.reason)

    return {key: shown(suggestion) for key, suggestion in shown_to(own).items()}


def suggestions_after(own: Assignment, saved: Iterable[str]) -> Mapping[str, str]:
    """As HTML by the page's keys: of the units that were saved just now and have labels of their own."""
    if not own.suggestions_seen:
        return {}
    by_page = PageKeys(own).of_all(suggestions_on_page(own))
    return {
        key: render_to_string("labels/suggestion.html", {"suggestion": by_page[key]}) for key in saved if key in by_page
    }
