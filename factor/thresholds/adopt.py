"""Other thresholds: the number of a build's candidates that they keep, and a new build that has them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from factor.filtering.decide import FilterFigures, decide
from factor.filtering.forms import initial_of
from factor.filtering.settings import FilterSettings
from factor.models import BenchmarkBuild
from factor.thresholds.draw import population

# Fields that a new build takes over; those of its form have the same names.
CARRIED = ("documents", "seed", "model", "interface", "temperature", "contradictions", "context_words", "answer_tokens")


def with_thresholds(settings: FilterSettings, thresholds: Mapping[str, float]) -> FilterSettings:
    """The settings with these in place of their own: threshold, coreference_threshold, margin."""
    contradiction, fluency = settings.contradiction, settings.fluency
    return replace(
        settings,
        contradiction=replace(
            contradiction,
            threshold=thresholds.get("threshold", contradiction.threshold),
            coreference_threshold=thresholds.get("coreference_threshold", contradiction.coreference_threshold),
        ),
        fluency=replace(fluency, margin=thresholds.get("margin", fluency.margin)),
    )


def kept_under(build: BenchmarkBuild, settings: FilterSettings) -> int:
    """The number of measured candidates that the settings keep, by their stored figures."""
    figures = population(build).values_list("contradiction", "fluency", "error_type")
    return sum(
        decide(FilterFigures(contradiction, fluency), error_type, settings).kept
        for contradiction, fluency, error_type in figures.iterator(chunk_size=5000)
    )


def form_of_next(build: BenchmarkBuild, settings: FilterSettings) -> dict[str, Any]:
    """The values of this build for the form of a new one, without name and thresholds."""
    fields = {
        "source": build.source_id,
        "endpoint": build.endpoint_id,
        **{name: getattr(build, name) for name in CARRIED},
        **{name: getattr(value, "pk", value) for name, value in initial_of(settings).items()},
    }
    own = {"threshold", "coreference_threshold", "margin"}
    return {name: value for name, value in fields.items() if value not in (None, "") and name not in own}
