"""Figures that a revision of gold moves, and the units whose gold it changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotate.models import Dataset, GoldLabel, GoldVersion
from evaluators.comparison.documents import Report
from evaluators.comparison.levels import level_title
from stats.detection import METRICS, figure_of

FIGURES = {name: METRICS[name].title for name in ("precision", "recall", "f1", "balanced_accuracy")}
ESTIMATES = ("FActScore", "Estimated FActScore", "Error rate")


@dataclass(frozen=True)
class FigureChange:
    """A figure of an evaluator over all units of a level, against the earlier gold and the later; None: undefined."""

    evaluator: str
    level: str
    figure: str
    before: float | None
    after: float | None

    @property
    def difference(self) -> float | None:
        """None where either is undefined."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def has_moved(self) -> bool:
        return self.before != self.after


def compare_reports(before: Report, after: Report) -> list[FigureChange]:
    """Every headline figure of the evaluators that both reports hold; those that moved come first, the furthest first,
    those that became defined or undefined before all."""
    then = {(each.evaluator, each.level, each.figure): each.before for each in _figures(before)}
    rows = []
    for each in _figures(after):
        key = (each.evaluator, each.level, each.figure)
        if key in then:
            rows.append(FigureChange(*key, before=then[key], after=each.before))
    return sorted(rows, key=_how_far, reverse=True)


def _how_far(row: FigureChange) -> float:
    if not row.has_moved:
        return -1.0
    return float("inf") if row.difference is None else abs(row.difference)


def _figures(report: Report) -> Iterator[FigureChange]:
    for judge in report["evaluators"]:
        for result in judge["results"]:
            if "all" in result["slice"].values():
                level = level_title(result["level"], report["scheme"])
                for name, title in FIGURES.items():
                    value = figure_of(result, name)
                    yield FigureChange(judge["evaluator"], level, title, value, None)
        for subject in judge["subjects"]:
            values = (subject["factscore"], subject["estimated"], subject["error_rate"])
            for title, value in zip(ESTIMATES, values, strict=True):
                yield FigureChange(judge["evaluator"], subject["subject"], title, value, None)


@dataclass(frozen=True)
class ChangedUnit:
    """An address with changed gold; None: no gold there."""

    segment: int
    fact: int | None
    before: GoldLabel | None
    after: GoldLabel | None

    @property
    def label(self) -> GoldLabel:
        """The label by which the unit is named."""
        label = self.after or self.before
        if label is None:
            raise ValueError("a unit without gold before and after has not changed")
        return label


def changed_units(dataset: Dataset, before: GoldVersion, after: GoldVersion | None) -> list[ChangedUnit]:
    """The units whose value or error type differs between a frozen version and a later state of gold (None: now)."""
    then, now = _gold(dataset, before.revision), _gold(dataset, after.revision if after else None)
    return [
        ChangedUnit(*address, then.get(address), now.get(address))
        for address in dict.fromkeys((*then, *now))
        if _value_and_type(then.get(address)) != _value_and_type(now.get(address))
    ]


def _gold(dataset: Dataset, revision: int | None) -> dict[tuple[int, int | None], GoldLabel]:
    """Gold by address. All of it is read, because removals move whole responses."""
    gold = GoldLabel.objects.of(dataset).without_removed(revision)
    gold = gold.current() if revision is None else gold.at(revision)
    fields = gold.select_related("segment__response", "fact", "adjudication__who").defer("segment__response__text")
    ordered = fields.order_by("segment__response__position", "segment__position", "fact__position")
    return {(label.segment_id, label.fact_id): label for label in ordered}


def _value_and_type(label: GoldLabel | None) -> tuple[str, str] | None:
    return None if label is None else (label.value, label.error_type)
