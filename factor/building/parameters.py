"""The parameters of a build from texts: a command's name=value."""

from collections.abc import Iterable, Iterator
from typing import Any

from evaluators.methods.parameters import TRUTHS, ParameterError, split_pairs
from factor.building.start import BuildRequest
from factor.filtering.settings import FilterSettings, FilterSettingsError, read_settings

# Fields of a Wish; those of the filters are named with a point, as contradiction.threshold.
PLAIN = ("interface", "temperature", "contradictions", "context_words", "answer_tokens", "prompts")


def read_parameters(texts: Iterable[str]) -> dict[str, Any]:
    """Fields of a BuildRequest, its filters among them; a missing field has its default. Raises ParameterError."""
    filters = FilterSettings().as_json()
    usual = {**{name: getattr(BuildRequest(""), name) for name in PLAIN}, **dict(_flat(filters))}
    wish: dict[str, Any] = {}
    for name, text in split_pairs(texts).items():
        if name not in usual:
            raise ParameterError(f"There is no parameter {name!r}; there are: {', '.join(usual)}.")
        value = _typed(name, text, usual[name])
        if name in PLAIN:
            wish[name] = value
        else:
            _put(filters, name, value)
    try:
        return {**wish, "filters": read_settings(filters)}
    except FilterSettingsError as error:
        raise ParameterError(str(error)) from None


def _flat(settings: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        else:
            yield f"{before}{name}", value


def _put(settings: dict[str, Any], name: str, value: Any) -> None:
    part, _, field = name.rpartition(".")
    (settings[part] if part else settings)[field] = value


def _typed(name: str, text: str, like: Any) -> Any:
    """The text as a value of the same type. Raises ParameterError."""
    try:
        if isinstance(like, bool):
            return TRUTHS[text.strip().lower()]
        return type(like)(text.strip())
    except (KeyError, ValueError):
        wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[type(like)]
        raise ParameterError(f"{name} is {text!r}; it must be {wanted}.") from None
