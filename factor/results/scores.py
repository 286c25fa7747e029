"""Models' scores of the completions of a benchmark: by each rule the margin of every pair.

See docs/statistics.md, FACTOR.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from django.db.models import TextField
from django.db.models.functions import Cast

from factor.models import CompletionScore, Scoring, ScoringItem
from factor.results.study import BenchmarkStudy
from jobs.models import JobItem
from stats.arrays import Flags, Floats
from stats.differing_tokens import CompletionTokens, means_of_differing
from stats.factor import DIFFERING, MEAN, SUM

ENDED = (JobItem.State.DONE, JobItem.State.FAILED)

# number of the completion, total, count, tokens as JSON
_Row = tuple[int, float | None, int, str]


@dataclass(frozen=True)
class ScoringScores:
    """margins: by rule, of each pair (P,), nan where a side has no score. mean, total: of each completion (N,).

    asked: whether the example was to be scored (E,); waiting: whether there is no decision on it, because it was not to
    be scored or because the scoring has not come to it.
    """

    margins: dict[str, Floats]
    mean: Floats
    total: Floats
    asked: Flags
    waiting: Flags


def read_scores(study: BenchmarkStudy, scorings: Sequence[Scoring]) -> dict[int, ScoringScores]:
    """By the scorings' keys; two queries for all of them."""
    items = ScoringItem.objects.filter(scoring__in=scorings).order_by("scoring")
    asked = {
        pk: dict(map(itemgetter(1, 2), rows))
        for pk, rows in groupby(items.values_list("scoring_id", "example_id", "state"), key=itemgetter(0))
    }
    scored = CompletionScore.objects.filter(scoring__in=scorings, total__isnull=False).order_by("scoring")
    # The text of the tokens, of a whole scoring read at once: row by row it takes several times as long.
    rows = scored.annotate(written=Cast("tokens", TextField())).values_list(
        "scoring_id", "completion_id", "total", "count", "written"
    )
    nothing = {each.pk: _scores(study, (), asked.get(each.pk, {})) for each in scorings}
    return nothing | {
        pk: _scores(study, (row[1:] for row in some), asked.get(pk, {}))
        for pk, some in groupby(rows.iterator(chunk_size=5_000), key=itemgetter(0))
    }


def _scores(study: BenchmarkStudy, rows: Iterable[_Row], items: dict[int, str]) -> ScoringScores:
    known = [(study.number_of[row[0]], *row[1:]) for row in rows if row[0] in study.number_of]
    total, count = np.full(len(study.texts), np.nan), np.zeros(len(study.texts), dtype=np.int64)
    for number, sum_of, tokens, _ in known:
        total[number], count[number] = sum_of, tokens
    mean = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    sides = means_of_differing(study.sides, _tokens(study, known))
    true, false = study.true, study.false
    example_of_any = study.pairs.example[~np.isnan(total[true]) | ~np.isnan(total[false])]
    reached = np.isin(np.arange(study.pairs.examples), example_of_any)
    ended = np.array([items.get(pk) in ENDED for pk in study.examples], dtype=np.bool_)
    asked = np.array([pk in items for pk in study.examples], dtype=np.bool_)
    return ScoringScores(
        margins={
            MEAN: mean[true] - mean[false],
            SUM: total[true] - total[false],
            DIFFERING: sides[: len(true)] - sides[len(true) :],
        },
        mean=mean,
        total=total,
        asked=asked | reached,
        waiting=~(reached | ended),
    )


def _tokens(study: BenchmarkStudy, rows: Sequence[_Row]) -> CompletionTokens:
    """In the order of the completions' numbers. The lists [[start, end, logprob], …] are read as one row of numbers:
    made into lists first, they take twice as long."""
    ordered = sorted(rows, key=itemgetter(0))
    count = np.zeros(len(study.texts), dtype=np.int64)
    count[[row[0] for row in ordered]] = [row[3].count("[") - 1 for row in ordered]
    numbers = ",".join(row[3] for row in ordered).encode().translate(None, b"[]").decode()
    table = np.fromstring(numbers, sep=",").reshape(-1, 3)
    return CompletionTokens(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2], count)
