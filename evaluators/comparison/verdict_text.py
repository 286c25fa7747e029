"""The comparison in sentences: which evaluator is better than which, and which pairs the data leave open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from evaluators.comparison.documents import ComparedPair, ComparisonFigures
from evaluators.comparison.evaluator_rows import EvaluatorRow, without_baselines
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED

# With more evaluators only the pairs with the first become sentences; the table of pairs holds all.
MOST_IN_SENTENCES = 4
SMALLEST_P = 0.001


@dataclass(frozen=True)
class EvaluatorPair:
    """Two evaluators, the better or higher one first: the difference and its interval are turned that way.

    sure: it is significantly better after Holm's adjustment. None: undefined for one of the two.
    """

    first: str
    second: str
    sure: bool
    n: int
    difference: float | None
    interval: tuple[float, float] | None
    p: float | None
    p_holm: float | None
    mcnemar: float | None

    @property
    def p_text(self) -> str:
        return _p_text(self.p_holm)

    @property
    def mcnemar_text(self) -> str:
        return _p_text(self.mcnemar)

    def turned(self) -> "EvaluatorPair":
        """The same, seen from the other."""
        ends = None if self.interval is None else (-self.interval[1], -self.interval[0])
        difference = None if self.difference is None else -self.difference
        return replace(self, first=self.second, second=self.first, difference=difference, interval=ends)


def _p_text(p: float | None) -> str:
    """ "" where there is none."""
    if p is None:
        return ""
    return "p < 0.001" if p < SMALLEST_P else f"p = {p:.3f}"


@dataclass(frozen=True)
class ComparisonVerdict:
    """best: the evaluator with the highest figure, None where no evaluator has one.

    worse, open: the evaluators that are significantly worse, and the others. no_better_than_all_errors:
    those that are not significantly better than the judge that calls everything an error.
    """

    best: str | None
    worse: Sequence[str]
    open: Sequence[str]
    no_better_than_all_errors: Sequence[str]


def pairs_of(document: ComparisonFigures) -> list[EvaluatorPair]:
    return [_pair(each) for each in document["pairs"]]


def _pair(each: ComparedPair) -> EvaluatorPair:
    read = EvaluatorPair(
        first=each["one"],
        second=each["other"],
        sure=each["better"] is not None,
        n=each["n"],
        difference=each["difference"],
        interval=None if each["interval"] is None else (each["interval"][0], each["interval"][1]),
        p=each["p"],
        p_holm=each["p_holm"],
        mcnemar=each["mcnemar"],
    )
    return read.turned() if (read.difference or 0) < 0 else read


def verdict_of(lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair]) -> ComparisonVerdict:
    ranked = [line.name for line in without_baselines(lines) if line.rank is not None]
    surely_better = {(pair.first, pair.second) for pair in pairs if pair.sure}
    best, others = (ranked[0], ranked[1:]) if ranked else (None, [])
    everything = next(line.name for line in lines if line.method == ALWAYS_NOT_SUPPORTED)
    return ComparisonVerdict(
        best=best,
        worse=[name for name in others if (best, name) in surely_better],
        open=[name for name in others if (best, name) not in surely_better],
        no_better_than_all_errors=[name for name in ranked if (name, everything) not in surely_better],
    )


def pairs_in_sentences(lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair]) -> list[EvaluatorPair]:
    """The pairs that stand in sentences, of evaluators from the best down, sure ones first."""
    names = [line.name for line in without_baselines(lines)]
    wanted = (
        list(combinations(names, 2)) if len(names) <= MOST_IN_SENTENCES else [(names[0], name) for name in names[1:]]
    )
    by_names = {frozenset((pair.first, pair.second)): pair for pair in pairs}
    chosen = [by_names[frozenset(pair)] for pair in wanted]
    return sorted((pair for pair in chosen if pair.difference is not None), key=lambda pair: not pair.sure)


def matrix_of(
    lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair]
) -> list[tuple[str, list[EvaluatorPair | None]]]:
    """For each line its pairs with the others, in their order: turned so that the row's comes first; None
    on the diagonal."""
    by_names = {(pair.first, pair.second): pair for pair in pairs}
    by_names |= {(pair.second, pair.first): pair.turned() for pair in pairs}
    return [(row.name, [by_names.get((row.name, column.name)) for column in lines]) for row in lines]
