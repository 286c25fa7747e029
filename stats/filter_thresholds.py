"""The threshold of a filter, chosen by samples that people labelled.

References
----------
Muhlgay et al. (2024), FACTOR, appendix A.2. docs/statistics.md, FACTOR.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stats.proportions import Proportion

TRIED = tuple(tenths / 10 for tenths in range(1, 10))
MOST_DROPPED = 0.35

Keeps = Callable[[float, float], bool]
"""Whether a sample with this figure is kept at this threshold."""


def above(figure: float, threshold: float) -> bool:
    """Whether the probability of a contradiction is above the threshold."""
    return figure > threshold


def within_margin(figure: float, margin: float) -> bool:
    """Whether the fluency, less the original's, is above the margin below it."""
    return figure > -margin


@dataclass(frozen=True)
class LabelledCandidate:
    """A labelled candidate: its figure, and whether people found it good."""

    figure: float
    good: bool


@dataclass(frozen=True)
class ThresholdStep:
    """The effect of one threshold.

    Attributes
    ----------
    precision : the share of good ones among those kept
    dropped : the share that it filters out
    retained : the share of the good ones that it keeps
    """

    threshold: float
    precision: Proportion
    dropped: Proportion
    retained: Proportion

    @property
    def is_allowed(self) -> bool:
        """Whether it filters out no more than MOST_DROPPED."""
        dropped = self.dropped.value
        return dropped is not None and dropped <= MOST_DROPPED


def sweep(samples: Sequence[LabelledCandidate], keeps: Keeps) -> list[ThresholdStep]:
    """Every threshold tried, from 0.1 to 0.9."""
    return [_step(samples, keeps, threshold) for threshold in TRIED]


def chosen(steps: Sequence[ThresholdStep]) -> ThresholdStep | None:
    """The step with the highest precision among those that drop at most 35 %.

    Among equals it is the one that drops fewest, then the lowest. None: all of them drop more, or there is no sample.
    """
    ranked = [
        (-step.precision.value, step.dropped.hits, step.threshold, step)
        for step in steps
        if step.is_allowed and step.precision.value is not None
    ]
    return min(ranked, key=lambda each: each[:3])[3] if ranked else None


def _step(samples: Sequence[LabelledCandidate], keeps: Keeps, threshold: float) -> ThresholdStep:
    passing = [sample for sample in samples if keeps(sample.figure, threshold)]
    good = sum(sample.good for sample in passing)
    return ThresholdStep(
        threshold,
        precision=Proportion(good, len(passing)),
        dropped=Proportion(len(samples) - len(passing), len(samples)),
        retained=Proportion(good, sum(sample.good for sample in samples)),
    )
