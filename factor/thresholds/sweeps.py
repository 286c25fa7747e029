"""The results of a sample: three thresholds swept by its labels, and each error type under the thresholds in use."""

from collections.abc import Sequence
from dataclasses import dataclass

from factor.filtering.settings import COREFERENCE, NONE, FilterSettings, read_settings
from factor.models import FactorErrorType, ThresholdItem, ThresholdSample
from stats.filter_thresholds import (
    Keeps,
    LabelledCandidate,
    ThresholdStep,
    above,
    chosen,
    sweep,
    within_margin,
)
from stats.proportions import Proportion


@dataclass(frozen=True)
class Sweep:
    """One threshold swept. unmeasured: labelled candidates without its figure, which take no part. in_use: the
    threshold of the build's settings. chosen: by the rule, None where every threshold drops too many."""

    name: str
    title: str
    good: str
    samples: Sequence[LabelledCandidate]
    unmeasured: int
    in_use: float
    steps: Sequence[ThresholdStep]
    chosen: ThresholdStep | None


@dataclass(frozen=True)
class TypeRow:
    """An error type under the threshold in use for it: the share dropped of its candidates with a figure, and the share
    of the kept ones that people find contradictory."""

    error_type: str
    threshold: float
    dropped: Proportion
    precision: Proportion


@dataclass(frozen=True)
class ThresholdResults:
    """sentences: the number of different sentences that the candidates are of."""

    settings: FilterSettings
    items: Sequence[ThresholdItem]
    sentences: int
    sweeps: Sequence[Sweep]
    types: Sequence[TypeRow]

    def proposed(self) -> dict[str, float]:
        """The value of each threshold that the rule chooses, or where it chooses none the value in use."""
        return {each.name: each.chosen.threshold if each.chosen else each.in_use for each in self.sweeps}


def results_of(sample: ThresholdSample) -> ThresholdResults:
    """The results of a sample whose labels are all in; three queries."""
    settings = read_settings(sample.build.filters)
    items = list(sample.items.for_page().prefetch_related("ratings__rater").order_by("position"))
    return ThresholdResults(
        settings,
        items,
        sentences=len({item.candidate.item_id for item in items}),
        sweeps=_sweeps(items, settings),
        types=_types(items, settings),
    )


def _sweeps(items: Sequence[ThresholdItem], settings: FilterSettings) -> list[Sweep]:
    """The threshold of coreference is swept by itself, as in the paper; the general one is swept over all types."""
    sweeps = []
    if settings.contradiction.by != NONE:
        in_use = settings.contradiction
        of_type = [item for item in items if item.candidate.error_type == COREFERENCE]
        sweeps += [
            _contradiction("threshold", "Contradiction", items, in_use.threshold),
            _contradiction(
                "coreference_threshold", "Contradiction, coreference errors only", of_type, in_use.coreference_threshold
            ),
        ]
    if settings.fluency.by != NONE:
        samples = [_sample(item.candidate.fluency, item.label.sound) for item in items]
        sweeps.append(_sweep("margin", "Fluency", "sound", samples, settings.fluency.margin, within_margin))
    return sweeps


def _contradiction(name: str, title: str, items: Sequence[ThresholdItem], in_use: float) -> Sweep:
    samples = [_sample(item.candidate.contradiction, item.label.contradictory) for item in items]
    return _sweep(name, title, "contradictory", samples, in_use, above)


def _sweep(
    name: str, title: str, good: str, labelled: Sequence[LabelledCandidate | None], in_use: float, keeps: Keeps
) -> Sweep:
    samples = [sample for sample in labelled if sample is not None]
    steps = sweep(samples, keeps)
    return Sweep(name, title, good, samples, len(labelled) - len(samples), in_use, steps, chosen(steps))


def _sample(figure: float | None, good: bool | None) -> LabelledCandidate | None:
    return None if figure is None or good is None else LabelledCandidate(figure, good)


def _types(items: Sequence[ThresholdItem], settings: FilterSettings) -> list[TypeRow]:
    if settings.contradiction.by == NONE:
        return []
    rows = []
    for error_type in FactorErrorType.values:
        measured = [
            sample
            for item in items
            if item.candidate.error_type == error_type
            and (sample := _sample(item.candidate.contradiction, item.label.contradictory)) is not None
        ]
        threshold = settings.contradiction.threshold_for(error_type)
        kept = [sample for sample in measured if above(sample.figure, threshold)]
        dropped = Proportion(len(measured) - len(kept), len(measured))
        rows.append(TypeRow(error_type, threshold, dropped, Proportion(sum(each.good for each in kept), len(kept))))
    return rows
