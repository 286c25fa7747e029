"""Choosing a filter's threshold by samples that people labelled (docs/statistics.md, FACTOR; FACTOR appendix A.2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotate.agreement.wilson import wilson_interval

TRIED = tuple(tenths / 10 for tenths in range(1, 10))
MOST_DROPPED = 0.35

Keeps = Callable[[float, float], bool]
"""Whether a sample with this figure is kept at this threshold."""


def above(figure: float, threshold: float) -> bool:
    """The probability of a contradiction is higher than the threshold."""
    return figure > threshold


def within_margin(figure: float, margin: float) -> bool:
    """The fluency, less the original's, is higher than that by less than the margin below."""
    return figure > -margin


@dataclass(frozen=True)
class Sample:
    """A labelled candidate: its figure, and whether people found it good."""

    figure: float
    good: bool


@dataclass(frozen=True)
class Share:
    """hits of n; `value` and its 95 % interval are None where n is 0: undefined."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's: it takes the samples as drawn independently."""
        return wilson_interval(self.hits / self.n, self.n) if self.n else None


@dataclass(frozen=True)
class Step:
    """What one threshold does. precision: the share of good ones among those kept. dropped: the share that it filters
    out. found: the share of the good ones that it keeps."""

    threshold: float
    precision: Share
    dropped: Share
    found: Share

    @property
    def is_allowed(self) -> bool:
        """It does not filter out too many."""
        dropped = self.dropped.value
        return dropped is not None and dropped <= MOST_DROPPED


def sweep(samples: Sequence[Sample], keeps: Keeps) -> list[Step]:
    """Every threshold tried, from 0.1 to 0.9."""
    return [_step(samples, keeps, threshold) for threshold in TRIED]


def chosen(steps: Sequence[Step]) -> Step | None:
    """The one with the highest precision among those that drop at most 35 %; of equals the one that drops fewest, then
    the lowest. None: all of them drop more, or there is no sample."""
    ranked = [
        (-step.precision.value, step.dropped.hits, step.threshold, step)
        for step in steps
        if step.is_allowed and step.precision.value is not None
    ]
    return min(ranked, key=lambda each: each[:3])[3] if ranked else None


def _step(samples: Sequence[Sample], keeps: Keeps, threshold: float) -> Step:
    kept = [sample for sample in samples if keeps(sample.figure, threshold)]
    good = sum(sample.good for sample in kept)
    return Step(
        threshold,
        precision=Share(good, len(kept)),
        dropped=Share(len(samples) - len(kept), len(samples)),
        found=Share(good, sum(sample.good for sample in samples)),
    )
