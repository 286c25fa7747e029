"""How candidates are filtered, as it is kept with a build and written in a file."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from jobs.errors import JobError
from llm.interfaces import CHAT, INTERFACES

NONE, WEIGHTS, MODEL, JUDGE = "none", "weights", "model", "judge"
COREFERENCE = "coreference"
Part = TypeVar("Part")


class FilterSettingsError(JobError, ValueError):
    """The error in the settings: one sentence that names the field."""


@dataclass(frozen=True)
class ContradictionFilter:
    """By what the probability of a contradiction is measured, and above which one a candidate is kept.

    by: none (all are kept), weights (a natural-language-inference model in the folder `weights` of WEIGHTS_DIR), or
    judge (`model` of the endpoint named `endpoint`, "" for the default one, is asked; with `logprobs` for the
    probability of its answer, else it is 1 or 0). coreference_threshold: in place of `threshold` for that error type.
    """

    by: str = NONE
    weights: str = ""
    endpoint: str = ""
    model: str = ""
    interface: str = CHAT
    logprobs: bool = True
    threshold: float = 0.6
    coreference_threshold: float = 0.3

    def threshold_for(self, error_type: str) -> float:
        return self.coreference_threshold if error_type == COREFERENCE else self.threshold


@dataclass(frozen=True)
class FluencyFilter:
    """By what fluency is measured, and how far below the original's a candidate's may be.

    by: none (all are kept), model (the mean log-probability by the language model `model`, one of those that the
    dataset has for scoring, with `context_length` tokens), or judge (the probability that the candidate is fluent, by
    `model` of `endpoint` as in ContradictionFilter). The same margin holds for either figure.
    """

    by: str = NONE
    model: str = ""
    context_length: int = 1024
    endpoint: str = ""
    interface: str = CHAT
    logprobs: bool = True
    margin: float = 0.2


@dataclass(frozen=True)
class FilterSettings:
    """near_words: so many last words of the prefix are the near context, which stands before original and candidate
    where they are compared (FACTOR §3.2.3: t_near; the paper does not say how long it is)."""

    contradiction: ContradictionFilter = field(default_factory=ContradictionFilter)
    fluency: FluencyFilter = field(default_factory=FluencyFilter)
    near_words: int = 50

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_settings(document: Any) -> FilterSettings:
    """The settings as `as_json` wrote them; a missing field has its default, and {} filters nothing.

    Raises FilterSettingsError.
    """
    document = _checked_names(document, {each.name for each in fields(FilterSettings)}, "the filters")
    settings = FilterSettings(
        contradiction=_read_part(ContradictionFilter, document.get("contradiction", {}), "contradiction"),
        fluency=_read_part(FluencyFilter, document.get("fluency", {}), "fluency"),
        near_words=_checked_type(document.get("near_words", FilterSettings.near_words), 0, "near_words"),
    )
    _check(settings)
    return settings


def _read_part(kind: type[Part], document: Any, place: str) -> Part:
    defaults = asdict(kind())  # type: ignore[call-overload]
    document = _checked_names(document, set(defaults), place)
    return kind(**{name: _checked_type(value, defaults[name], f"{place}.{name}") for name, value in document.items()})


def _checked_names(document: Any, names: set[str], place: str) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise FilterSettingsError(f"{place} must be an object with fields, not {document!r}.")
    if unknown := sorted(set(document) - names):
        raise FilterSettingsError(f"{place} has no field {unknown[0]!r}; it has {', '.join(sorted(names))}.")
    return document


def _checked_type(value: Any, like: Any, place: str) -> Any:
    """A whole number may stand where one with decimals is wanted; true is no number."""
    if isinstance(like, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not type(like):
        wanted = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}[type(like)]
        raise FilterSettingsError(f"{place} is {value!r}; it must be {wanted}.")
    return value


def _check(settings: FilterSettings) -> None:
    contradiction, fluency = settings.contradiction, settings.fluency
    _check_choice(contradiction.by, (NONE, WEIGHTS, JUDGE), "contradiction.by")
    _check_choice(fluency.by, (NONE, MODEL, JUDGE), "fluency.by")
    _check_choice(contradiction.interface, INTERFACES, "contradiction.interface")
    _check_choice(fluency.interface, INTERFACES, "fluency.interface")
    _check_range(contradiction.threshold, 1, "contradiction.threshold")
    _check_range(contradiction.coreference_threshold, 1, "contradiction.coreference_threshold")
    _check_range(fluency.margin, 100, "fluency.margin")
    _check_range(settings.near_words, 1_000, "near_words")
    if not 2 <= fluency.context_length <= 10_000_000:
        raise FilterSettingsError(f"fluency.context_length is {fluency.context_length}; it must be 2 or more.")
    if contradiction.by == WEIGHTS and not contradiction.weights.strip():
        raise FilterSettingsError("contradiction.weights is empty; it must name a folder of weights in WEIGHTS_DIR.")
    if contradiction.by == JUDGE and not contradiction.model.strip():
        raise FilterSettingsError("contradiction.model is empty; it must name the model that judges.")
    if fluency.by in (MODEL, JUDGE) and not fluency.model.strip():
        raise FilterSettingsError("fluency.model is empty; it must name the model that measures fluency.")


def _check_choice(value: str, choices: tuple[str, ...], place: str) -> None:
    if value not in choices:
        raise FilterSettingsError(f"{place} is {value!r}; it must be one of {', '.join(choices)}.")


def _check_range(value: float, highest: float, place: str) -> None:
    if not (math.isfinite(value) and 0 <= value <= highest):
        raise FilterSettingsError(f"{place} is {value:g}; it must lie between 0 and {highest:g}.")
