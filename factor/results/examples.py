"""Examples with models' scores of their completions: of one scoring, or those on which two disagree."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from factor.benchmarks.example_detail import ExampleDetail, FalseCompletion, example_detail
from factor.models import Completion, Example, Scoring
from factor.results.scores import ScoringScores
from factor.results.study import TYPES, BenchmarkStudy
from stats.arrays import Flags, Ints
from stats.factor import DIFFERING, MEAN, OUTCOMES, RIGHT, SUM, WAITING, outcomes_of, strongest

NEAR = 240


@dataclass(frozen=True)
class Marks:
    """The marks of one scoring on the examples by one rule: the outcome of each, the pair that speaks most against it
    (a place among the pairs, -1 where a score is missing), and the lead of the true completion in that pair."""

    scoring: Scoring
    scores: ScoringScores
    rule: str
    outcomes: Ints
    strongest: Ints

    def lead(self, example: int) -> float | None:
        pair = int(self.strongest[example])
        return None if pair < 0 else float(self.scores.margins[self.rule][pair])


@dataclass(frozen=True)
class ScoreCell:
    """Of one completion by one scoring: its score and whether it is the likeliest of the example. By differing tokens a
    false one's is its lead over the true one, and the true one has none. None: no score."""

    score: float | None
    likeliest: bool


@dataclass(frozen=True)
class CompletionRow:
    """A completion: the true one where `false` is None. cells: of each scoring."""

    false: FalseCompletion | None
    text: str
    cells: list[ScoreCell]


@dataclass(frozen=True)
class JudgedExample:
    """An example, the outcome by each scoring, and its completions."""

    detail: ExampleDetail
    outcomes: list[str]
    lines: list[CompletionRow]


def marks_of(study: BenchmarkStudy, scoring: Scoring, scores: ScoringScores, rule: str) -> Marks:
    margins = scores.margins[rule]
    return Marks(
        scoring, scores, rule, outcomes_of(study.pairs, margins, scores.waiting), strongest(study.pairs, margins)
    )


def of_type(study: BenchmarkStudy, marks: Marks, name: str) -> Flags:
    """The examples whose false completion that the model finds likeliest is of the error type of that name."""
    is_of_type: Flags = (marks.strongest >= 0) & (study.pairs.type[marks.strongest] == TYPES.index(name))
    return is_of_type


def apart(one: Marks, other: Marks) -> tuple[Flags, Flags]:
    """The examples that only the one, and only the other, got right, among examples decided by both."""
    both = (one.outcomes != WAITING) & (other.outcomes != WAITING)
    right, right_other = one.outcomes == RIGHT, other.outcomes == RIGHT
    return both & right & ~right_other, both & ~right & right_other


def judged(study: BenchmarkStudy, places: Sequence[int], marks: Sequence[Marks]) -> list[JudgedExample]:
    """The examples at these places, ready for the page: four queries."""
    keys = [study.examples[place] for place in places]
    examples = Example.objects.prefetch_related("completions", "exclusions").in_bulk(keys)
    return [_judged(study, place, examples[key], marks) for place, key in zip(places, keys, strict=True)]


def _judged(study: BenchmarkStudy, place: int, example: Example, marks: Sequence[Marks]) -> JudgedExample:
    each = example_detail(example, NEAR)
    by_scoring = [_score_cells(study, place, one) for one in marks]
    completions: list[tuple[FalseCompletion | None, Completion]] = [(None, each.true)]
    completions += [(false, false.completion) for false in each.false]
    return JudgedExample(
        each,
        [OUTCOMES[one.outcomes[place]] for one in marks],
        [
            CompletionRow(false, completion.text, [one[completion.pk] for one in by_scoring])
            for false, completion in completions
        ],
    )


def _score_cells(study: BenchmarkStudy, place: int, marks: Marks) -> dict[int, ScoreCell]:
    """By the completion's key."""
    pairs = np.flatnonzero(study.pairs.example == place)
    true = int(study.true[pairs[0]])
    against, outcome = int(marks.strongest[place]), marks.outcomes[place]
    best = true if outcome == RIGHT else int(study.false[against]) if against >= 0 else -1
    numbers = [true, *study.false[pairs].tolist()]
    if marks.rule == DIFFERING:
        values = [np.nan, *(-marks.scores.margins[DIFFERING][pairs]).tolist()]
    else:
        values = {MEAN: marks.scores.mean, SUM: marks.scores.total}[marks.rule][numbers].tolist()
    return {
        study.completions[number]: ScoreCell(None if np.isnan(value) else value, number == best)
        for number, value in zip(numbers, values, strict=True)
    }
