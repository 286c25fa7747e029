"""Entries of a manifest and parameters of a method, in words."""

from collections.abc import Mapping
from typing import Any

from django import template

from evaluators.methods import METHODS
from evaluators.methods.base import SHARED
from evaluators.methods.parameters import PROFILE, choice_title

register = template.Library()

NONE = "–"
OF_PARAMETERS = "parameters "
# Of the protocol profile and the outcome of a run.
TITLES = {
    PROFILE: SHARED[PROFILE].title,
    "outcome predicted": "outcome: units judged",
    "outcome unparsed": "outcome: answers not parsed",
    "outcome refused": "outcome: units refused",
    "outcome cut_off": "outcome: units whose answer was cut off",
    "outcome failed": "outcome: responses that failed",
    "outcome all_failed": "outcome: domains in which all failed",
}
OF_REASONS = {
    "outcome skipped ": "outcome: skipped, ",
    "outcome fallbacks ": "outcome: judged by a fallback, ",
}


@register.simple_tag
def parameter_name(name: str, *methods: str) -> str:
    """What forms call the parameter, by the first of these methods that declares it; its name in words where none
    does."""
    declared = (each for method in methods if method in METHODS for each in METHODS[method].parameters)
    found = next((each for each in declared if each.name == name), SHARED.get(name))
    return found.title if found else name.replace("_", " ")


@register.simple_tag
def entry_name(name: str, *methods: str) -> str:
    """The name of an entry as `flatten` gives it (evaluators/runs/manifest.py). methods: those of its runs."""
    if name.startswith(OF_PARAMETERS):
        return f"parameter: {parameter_name(name.removeprefix(OF_PARAMETERS), *methods)}"
    for start, words in OF_REASONS.items():
        if name.startswith(start):
            return words + name.removeprefix(start)
    return TITLES.get(name, name.replace("_", " "))


@register.simple_tag
def entry_value(name: str, value: Any, method: str) -> str:
    """The value of an entry or a parameter of a run by this method; choices as forms call them."""
    return choice_title(method, name.removeprefix(OF_PARAMETERS), in_words(value))


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
