"""Changes by a swap: F1 and error rate with intervals, on the same units and the same draws of prompts; and price."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import decisions_by_level, gold_levels
from evaluators.comparison.report import scores_of
from evaluators.comparison.study import ComparisonStudy
from evaluators.methods.factscore_facts import JUDGED
from evaluators.predictions.prices import NOTHING_KNOWN, RunSpending, describe_spending
from stats.arrays import Flags, number
from stats.bootstrap import Interval
from stats.detection import DetectionRow, describe_level
from stats.factscore_estimation import EstimatedScores
from stats.paired_tests import compare_pairs

Two = tuple[str, str]
"""The names of two runs that are compared: before, to."""


@dataclass(frozen=True)
class Change:
    """A figure of the second run less that of the first; None where either has none. n: units, or responses, that both
    judged. told_apart: the test, adjusted for all changes of the page, shows a difference; interval:
    the simultaneous one, which leaves out 0 exactly then. An error rate has neither: |·| folds at 0."""

    n: int
    difference: float | None
    interval: Interval | None = None
    p_holm: float | None = None
    p_adjusted: float | None = None
    told_apart: bool = False


@dataclass(frozen=True)
class RunQuality:
    """One run's figures at the level of the units (detection.describe), and its mean error rate over the subjects;
    either is None where it has none. why: why there is no F1. tokens, cost_usd, seconds: None where not known.
    known_usd, unpriced: as of RunSpending."""

    detection: DetectionRow | None
    error_rate: float | None
    why: str
    tokens: int | None
    cost_usd: float | None
    known_usd: float
    unpriced: Sequence[str]
    seconds: float | None

    @property
    def f1(self) -> float | None:
        return None if self.detection is None else self.detection["f1"]

    @property
    def all_errors_f1(self) -> float | None:
        """The F1 of calling everything an error on the units that this run decided."""
        if self.f1 is None or self.detection is None:
            return None
        errors = self.detection["tp"] + self.detection["fn"]
        return 2 * errors / (errors + self.detection["predicted"])

    @property
    def why_no_f1(self) -> str:
        return self.why if self.detection is None else self.detection["undefined"].get("f1", "")


OWN_FACTS = "it used its own facts, which have no gold: the error rate measures its estimates"


class Measures:
    """Figures of one study's judges, each computed when it is first asked for."""

    def __init__(self, study: ComparisonStudy) -> None:
        self._study = study
        self._level = gold_levels(study.table)[0]
        self._subjects, self._subject = number(study.table.responses.subject)
        self._scores: dict[str, tuple[str, EstimatedScores]] = {}

    def quality(self, judges: Sequence[Judge]) -> dict[str, RunQuality]:
        """The quality of each judge, by name."""
        level, resampling = self._level, self._study.resampling
        described = describe_level(level, [self._decisions(judge) for judge in judges], resampling) if judges else []
        spent = describe_spending([judge.run for judge in judges if judge.run is not None])
        return {
            judge.name: self._quality(judge, results[0], spent[judge.run.pk] if judge.run else NOTHING_KNOWN)
            for judge, results in zip(judges, described, strict=True)
        }

    def f1_changes(self, judges: Sequence[Judge], wanted: Sequence[Two]) -> dict[Two, Change]:
        """The change of F1 of each two that both judged gold's units."""
        able = [judge for judge in judges if self._judged_gold(judge)]
        places = {judge.name: place for place, judge in enumerate(able)}
        pairs = [two for two in dict.fromkeys(wanted) if two[0] in places and two[1] in places]
        differences = compare_pairs(
            self._level.gold,
            [self._decisions(judge) for judge in able],
            self._level.cluster,
            "f1",
            self._study.resampling,
            [(places[to], places[before]) for before, to in pairs],
        )
        return {
            two: Change(
                each.n, each.difference, each.simultaneous, each.p_holm, each.p_adjusted, each.better is not None
            )
            for two, each in zip(pairs, differences, strict=True)
        }

    def error_rate_changes(self, judges: Sequence[Judge], wanted: Sequence[Two]) -> dict[Two, Change]:
        """Changes of the mean error rate over subjects, on the responses that both scored; empty in FELM's scheme."""
        if not self._study.table.of_facts:
            return {}
        by_name = {judge.name: judge for judge in judges}
        return {
            (before, to): self._error_rate_change(by_name[before], by_name[to]) for before, to in dict.fromkeys(wanted)
        }

    def _error_rate_change(self, before: Judge, to: Judge) -> Change:
        one, other = self._of(before)[1], self._of(to)[1]
        both = one.counted & other.counted
        rates = [self._error_rate(scores, both) for scores in (one, other)]
        return Change(int(both.sum()), None if rates[0] is None or rates[1] is None else rates[1] - rates[0])

    def _quality(self, judge: Judge, detection: DetectionRow, spent: RunSpending) -> RunQuality:
        rate = None
        if self._study.table.of_facts:
            scores = self._of(judge)[1]
            rate = self._error_rate(scores, scores.counted)
        judged = self._judged_gold(judge)
        return RunQuality(
            detection=detection if judged else None,
            error_rate=rate,
            why="" if judged else OWN_FACTS,
            tokens=spent["tokens"],
            cost_usd=spent["cost_usd"],
            known_usd=spent["known_usd"],
            unpriced=spent["unpriced"],
            seconds=spent["seconds"],
        )

    def _error_rate(self, scores: EstimatedScores, counted: Flags) -> float | None:
        """The mean of |gold - estimated| over the subjects that have both; None without any."""
        rates = [
            abs(scores.estimated[of].mean() - scores.gold[of].mean())
            for place in range(len(self._subjects))
            if (of := counted & (self._subject == place)).any()
        ]
        return float(np.mean(rates)) if rates else None

    def _judged_gold(self, judge: Judge) -> bool:
        return not self._study.table.of_facts or self._of(judge)[0] == JUDGED

    def _of(self, judge: Judge) -> tuple[str, EstimatedScores]:
        if judge.name not in self._scores:
            self._scores[judge.name] = scores_of(self._study.table, judge)
        return self._scores[judge.name]

    def _decisions(self, judge: Judge) -> Any:
        predictions = judge.predictions
        return decisions_by_level(self._study.table, predictions.units, predictions.segments)[self._level.name]
