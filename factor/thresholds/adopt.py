"""What other thresholds would keep of a build's candidates, and a new build that has them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from factor.filtering.decide import FilterFigures, decide
from factor.filtering.forms import initial_of
from factor.filtering.settings import FilterSettings
from factor.models import BenchmarkBuild
from factor.thresholds.draw import population

# Of a build, what a new one begins with; the fields of its form have the same names.
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
    """How many of the measured candidates the settings keep: by their figures, no model is asked again."""
    figures = population(build).values_list("contradiction", "fluency", "error_type")
    return sum(
        decide(FilterFigures(contradiction, fluency), error_type, settings).kept
        for contradiction, fluency, error_type in figures.iterator(chunk_size=5000)
    )


def form_of_next(build: BenchmarkBuild, settings: FilterSettings) -> dict[str, Any]:
    """The fields of the form of a new build, as this one has them, but for its name and the thresholds."""
    fields = {
        "source": build.source_id,
        "endpoint": build.endpoint_id,
        **{name: getattr(build, name) for name in CARRIED},
        **{name: getattr(value, "pk", value) for name, value in initial_of(settings).items()},
    }
    own = {"threshold", "coreference_threshold", "margin"}
    return {name: value for name, value in fields.items() if value not in (None, "") and name not in own}
