"""Agreement of a sample's raters on each question, before anything is settled.

See docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from annotate.people.names import Names
from factor.models import CompletionRating, FactorErrorType
from factor.validation.read import RatedCompletion
from stats.agreement import GAP, TYPES, coefficients_of
from stats.agreement_rows import describe
from stats.arrays import Ints
from stats.bootstrap import Resampling
from stats.ratings import Clusters, Coding, Ratings, count_each

# An error type is a gap where the rater does not call the completion non-factual.
TYPE_CODES: dict[Any, int] = {"": GAP, **{kind: code for code, kind in enumerate(FactorErrorType.values)}}
COEFFICIENTS = coefficients_of(TYPES)


def describe_agreement(completions: Sequence[RatedCompletion], cluster: Ints, names: Names) -> list[dict[str, Any]]:
    """A row a question, the error type last; then, where more than two people rated, the same of each pair of them.

    question, raters (names), n (completions that two or more of them rated), percent, kappa, alpha, ac1, `intervals`,
    `undefined` (why one is None). The error type counts where two or more call the completion non-factual.
    """
    raters = sorted({names.of(verdict.rater) for each in completions for verdict in each.verdicts})
    pairs = combinations(raters, 2) if len(raters) > 2 else ()
    return [row for some in (raters, *pairs) for row in _rows(completions, cluster, some, names)]


def _rows(
    completions: Sequence[RatedCompletion], cluster: Ints, raters: Sequence[str], names: Names
) -> Iterator[dict[str, Any]]:
    for question in (*CompletionRating.QUESTIONS, "error_type"):
        codes: dict[Any, int] = TYPE_CODES if question == "error_type" else {False: 0, True: 1}
        ratings = np.full((len(completions), len(raters)), GAP, dtype=np.int64)
        for row, each in enumerate(completions):
            for verdict in each.verdicts:
                rater = names.of(verdict.rater)
                if rater in raters:
                    ratings[row, raters.index(rater)] = codes[getattr(verdict, question)]
        counted = Ratings(tuple(raters), ratings, cluster).overlapping()
        values = len(FactorErrorType.values) if question == "error_type" else 2
        yield {"question": question, "raters": list(raters), **_figures(counted, values)}


def _figures(counted: Ratings, values: int) -> dict[str, Any]:
    row = describe(count_each([Coding(TYPES, values, counted)], _clusters(counted))[0])
    figures = {name: row[name] for name in ("n", *COEFFICIENTS)}
    for name in ("intervals", "undefined"):
        figures[name] = {key: value for key, value in row[name].items() if key in COEFFICIENTS}
    return figures


def _clusters(counted: Ratings) -> Clusters:
    """The documents with a completion that was rated twice; the others do not bear on agreement and are not drawn."""
    drawn = np.unique(counted.response)
    place = np.full(int(drawn.max()) + 1 if len(drawn) else 0, -1, dtype=np.int64)
    place[drawn] = np.arange(len(drawn))
    return Clusters(place, Resampling(np.zeros(len(drawn), dtype=np.int64)))
