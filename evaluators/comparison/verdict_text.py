"""The comparison in sentences: which evaluator is better than which, and which pairs the data leave open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.numbers import p_text
from evaluators.comparison.documents import ComparedPair, ComparisonFigures
from evaluators.comparison.evaluator_rows import EvaluatorRow, without_baselines
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED

# With more evaluators only the pairs with the first become sentences; the table of pairs holds all.
MOST_IN_SENTENCES = 4
# The highest figure names no best evaluator: a judge that calls everything an error has all the recall there is, and
# one that calls a single sure error has all the precision.
TRIVIALLY_HIGH = ("recall", "precision")


@dataclass(frozen=True)
class EvaluatorPair:
    """Two evaluators, the better or higher one first: the difference and its interval are turned that way.

    tested: whether the pair is in a family of the page; sure: it is significantly better after the adjustment for its
    family, and `interval`, the simultaneous one, leaves out 0. difference: None where undefined for one of the two.
    p, alone: p and interval of the pair alone. accuracy_test: "McNemar" or "prompts permuted". p_runs: of the sets of
    runs permuted, at least p_runs_floor; None unless both have several runs.
    """

    first: str
    second: str
    sure: bool
    tested: bool
    n: int
    n_both_judged: int
    difference: float | None
    difference_both_judged: float | None
    interval: tuple[float, float] | None
    alone: tuple[float, float] | None
    p: float | None
    p_holm: float | None
    p_adjusted: float | None
    p_accuracy: float | None
    accuracy_test: str
    p_runs: float | None
    p_runs_floor: float | None

    @property
    def p_text(self) -> str:
        return p_text(self.p_adjusted)

    def turned(self) -> "EvaluatorPair":
        """The same, seen from the other."""
        difference = None if self.difference is None else -self.difference
        on_both = None if self.difference_both_judged is None else -self.difference_both_judged
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=difference,
            difference_both_judged=on_both,
            interval=_turned(self.interval),
            alone=_turned(self.alone),
        )


def _turned(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if ends is None else (-ends[1], -ends[0])


@dataclass(frozen=True)
class ComparisonVerdict:
    """best: the evaluators with the highest figure, more than one where it is the same; none where no evaluator is
    ranked or the figure names no best one (`trivially_high`).

    worse, open: the evaluators that are significantly worse than the first, and the others. ranked: how many have a
    rank; unranked: evaluators without one. no_better_than_all_errors: those that are not significantly better than the
    judge that calls everything an error.
    """

    best: Sequence[str]
    worse: Sequence[str]
    open: Sequence[str]
    trivially_high: bool
    unranked: Sequence[EvaluatorRow]
    no_better_than_all_errors: Sequence[str]
    ranked: int


def pairs_of(document: ComparisonFigures) -> list[EvaluatorPair]:
    return [_pair(each) for each in document["pairs"]]


def _pair(each: ComparedPair) -> EvaluatorPair:
    read = EvaluatorPair(
        first=each["one"],
        second=each["other"],
        sure=each["better"] is not None,
        tested=each["p_adjusted"] is not None,
        n=each["n"],
        n_both_judged=each["n_both_judged"],
        difference=each["difference"],
        difference_both_judged=each["difference_both_judged"],
        interval=_ends(each["simultaneous_interval"]),
        alone=_ends(each["interval"]),
        p=each["p"],
        p_holm=each["p_holm"],
        p_adjusted=each["p_adjusted"],
        p_accuracy=each["p_accuracy"],
        accuracy_test="prompts permuted" if each["mcnemar"] is None else "McNemar",
        p_runs=each["p_runs"],
        p_runs_floor=each["p_runs_floor"],
    )
    return read.turned() if (read.difference or 0) < 0 else read


def _ends(ends: Sequence[float] | None) -> tuple[float, float] | None:
    return None if ends is None else (ends[0], ends[1])


def verdict_of(lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair], figure: str) -> ComparisonVerdict:
    evaluators = without_baselines(lines)
    ranked = [line for line in evaluators if line.rank is not None]
    names = [line.name for line in ranked]
    surely_better = {(pair.first, pair.second) for pair in pairs if pair.sure}
    everything = next(line.name for line in lines if line.method == ALWAYS_NOT_SUPPORTED)
    trivially_high = figure in TRIVIALLY_HIGH
    return ComparisonVerdict(
        best=[] if trivially_high else [line.name for line in ranked if line.rank == 1],
        worse=[name for name in names[1:] if (names[0], name) in surely_better],
        open=[name for name in names[1:] if (names[0], name) not in surely_better],
        trivially_high=trivially_high and bool(ranked),
        unranked=[line for line in evaluators if line.rank is None],
        no_better_than_all_errors=[name for name in names if (name, everything) not in surely_better],
        ranked=len(ranked),
    )


@dataclass(frozen=True)
class Standing:
    """An evaluator beside the highest one. ranks: those that it may have, "" without one. sure: whether it is surely
    the highest, or surely lower than it; None where it has no rank or the figure names nobody best."""

    ranks: str
    highest: bool
    sure: bool | None

    @property
    def words(self) -> str:
        if self.sure is None:
            return ""
        if self.highest:
            return "highest, significant" if self.sure else "highest, not significant"
        return "lower, significant" if self.sure else "lower, not significant"


def is_top(standing: Standing | None) -> bool:
    """Whether it is the highest, or not surely lower than it: the set that a printed table has in bold."""
    return standing is not None and standing.sure is not None and (standing.highest or not standing.sure)


def standings_of(lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair], figure: str) -> dict[str, Standing]:
    """The standing of each evaluator by its name: what the verdict says, line by line."""
    verdict = verdict_of(lines, pairs, figure)
    standings = {}
    for line in without_baselines(lines):
        highest = line.name in verdict.best
        sure = (not verdict.open and bool(verdict.worse)) if highest else line.name in verdict.worse
        standings[line.name] = Standing(line.ranks, highest, sure if line.ranks and verdict.best else None)
    return standings


def pairs_in_sentences(lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair]) -> list[EvaluatorPair]:
    """The tested pairs of evaluators that stand in sentences, sure ones first: with many evaluators those of the first
    alone."""
    names = [line.name for line in without_baselines(lines) if line.rank is not None]
    chosen = [
        pair for pair in pairs if pair.tested and pair.difference is not None and {pair.first, pair.second} <= {*names}
    ]
    if len(names) > MOST_IN_SENTENCES:
        chosen = [pair for pair in chosen if names[0] in (pair.first, pair.second)]
    place = {name: number for number, name in enumerate(names)}
    return sorted(chosen, key=lambda pair: (not pair.sure, place[pair.first], place[pair.second]))


def matrix_of(
    lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair]
) -> list[tuple[str, list[EvaluatorPair | None]]]:
    """For each line its pairs with the others, in their order: turned so that the row's comes first; None
    on the diagonal."""
    by_names = {(pair.first, pair.second): pair for pair in pairs}
    by_names |= {(pair.second, pair.first): pair.turned() for pair in pairs}
    return [(row.name, [by_names.get((row.name, column.name)) for column in lines]) for row in lines]
