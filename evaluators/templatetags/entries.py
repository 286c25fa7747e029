"""Entries of a manifest and parameters of a method, in words."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()

NONE = "–"
# Of the outcome of a run.
TITLES = {
    "outcome predicted": "outcome: units judged",
    "outcome unparsed": "outcome: answers not parsed",
    "outcome failed": "outcome: responses that failed",
    "outcome all_failed": "outcome: domains in which all failed",
}
OF_REASONS = {
    "outcome skipped ": "outcome: skipped, ",
    "outcome fallbacks ": "outcome: judged by a fallback, ",
}


@register.filter
def entry_name(name: str) -> str:
    """The name of an entry as `flatten` gives it (evaluators/runs/manifest.py)."""
    for start, words in OF_REASONS.items():
        if name.startswith(start):
            return words + name.removeprefix(start)
    return TITLES.get(name, name.replace("_", " "))


@register.filter
def in_words(value: Any) -> str:
    """A plain value of JSON as a person writes it: lists by commas, their objects by semicolons, "none" for an empty
    one, yes and no, a dash for None."""
    if value is None or value == "":
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(each, Mapping | list | tuple) for each in value) else ", "
        return between.join(in_words(each) for each in value) or "none"
    return str(value)
