"""Whether a candidate is kept, by its figures and the settings alone (FACTOR §3.2.3)."""

from dataclasses import dataclass

from factor.filtering.settings import COREFERENCE, JUDGE, NONE, FilterSettings

# As factor.models.Candidate.Reason has them.
NOT_CONTRADICTORY, NOT_FLUENT, NOT_MEASURED = "not contradictory", "not fluent", "not measured"


@dataclass(frozen=True)
class FilterFigures:
    """contradiction: the probability that the candidate contradicts the original. fluency: its mean log-probability, or
    a judge's probability that it is fluent, less the original's. None: not measured; `trouble` says why where the
    filter tried."""

    contradiction: float | None = None
    fluency: float | None = None
    trouble: str = ""


@dataclass(frozen=True)
class Decision:
    """reason: "" for what is kept, else NOT_CONTRADICTORY, NOT_FLUENT or NOT_MEASURED; explanation: the same in a
    sentence with the figure and the threshold."""

    reason: str = ""
    explanation: str = ""

    @property
    def kept(self) -> bool:
        return not self.reason


def decide(figures: FilterFigures, error_type: str, settings: FilterSettings) -> Decision:
    """Kept are those strictly above both thresholds. A figure that is lacking is not taken for a low one."""
    return _contradicts(figures, error_type, settings) or _is_fluent(figures, settings) or Decision()


def _contradicts(figures: FilterFigures, error_type: str, settings: FilterSettings) -> Decision | None:
    if settings.contradiction.by == NONE:
        return None
    if figures.contradiction is None:
        return Decision(NOT_MEASURED, figures.trouble or "Whether it contradicts the original was not measured.")
    threshold = settings.contradiction.threshold_for(error_type)
    if figures.contradiction > threshold:
        return None
    of_type = ", that of coreference" if error_type == COREFERENCE else ""
    return Decision(
        NOT_CONTRADICTORY,
        f"Its probability of contradicting the original, {figures.contradiction:.3f}, "
        f"is not above the threshold {threshold:g}{of_type}.",
    )


def _is_fluent(figures: FilterFigures, settings: FilterSettings) -> Decision | None:
    if settings.fluency.by == NONE:
        return None
    if figures.fluency is None:
        return Decision(NOT_MEASURED, figures.trouble or "Its fluency was not measured.")
    margin = settings.fluency.margin
    if figures.fluency > -margin:
        return None
    figure = "probability of being fluent" if settings.fluency.by == JUDGE else "mean log-probability"
    return Decision(
        NOT_FLUENT,
        f"Its {figure} is {-figures.fluency:.3f} below the original's; it must be less than {margin:g} below.",
    )
