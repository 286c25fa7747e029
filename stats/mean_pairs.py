"""Differences of the means of several subjects over prompts that not all of them answered, studentised.

Each subject's mean is over the prompts that it answered, so nothing can be exchanged between two of them where only one
answered. Resamples of prompts are used instead, each difference divided by its own standard error (bootstrap-t).

References
----------
Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 12. docs/statistics.md, FActScore of a subject
model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, Ints, ratio
from stats.bootstrap import ROUNDING, Resampling

# Where every prompt says the same there is no standard error. An exchange of the answers of both would show a
# difference from six prompts on: 2·½ⁿ is below 0.05.
FEWEST_ALIKE = 6


@dataclass(frozen=True)
class MeanPairs:
    """Pairs of subjects: |difference| / standard error (P,), nan where undefined, and in each resample (R, P) that of
    the difference's distance from the observed one, inf where undefined; the differences themselves (P,)."""

    observed: Floats
    draws: Floats
    differences: Floats


def compare_means(sums: Floats, counts: Floats, pairs: Sequence[tuple[int, int]], resampling: Resampling) -> MeanPairs:
    """The pairs of subjects for `step_down`.

    Parameters
    ----------
    sums, counts : (C, S)
        Sum and number of each subject's values in each cluster.
    pairs : places of subjects
    resampling : Resampling
    """
    one, other = (np.array([pair[place] for pair in pairs], dtype=np.int64) for place in (0, 1))
    columns = [sums, counts]
    for first, second in ((one, one), (other, other), (one, other)):
        columns += [sums[:, first] * sums[:, second], counts[:, first] * counts[:, second]]
        columns += [sums[:, first] * counts[:, second], counts[:, first] * sums[:, second]]
    stacked = np.concatenate(columns, axis=1)
    differences, errors = _studentisable(stacked.sum(axis=0)[None], sums.shape[1], one, other)
    drawn, drawn_errors = _studentisable(resampling.totals(stacked), sums.shape[1], one, other)
    answered = (counts > 0).sum(axis=0)
    too_few = np.minimum(answered[one], answered[other]) < FEWEST_ALIKE
    observed = _divide(np.abs(differences), errors)[0]
    return MeanPairs(
        np.where(np.isinf(observed) & too_few, np.nan, observed),
        np.nan_to_num(_divide(np.abs(drawn - differences), drawn_errors), nan=np.inf, posinf=np.inf),
        differences[0],
    )


def _studentisable(totals: Floats, subjects: int, one: Ints, other: Ints) -> tuple[Floats, Floats]:
    """Differences and their standard errors (rows, P) from totals (rows, columns of `compare_means`)."""
    sums, counts, products = totals[:, :subjects], totals[:, subjects : 2 * subjects], totals[:, 2 * subjects :]
    means = ratio(sums, counts)
    parts = np.split(products, 12, axis=1) if products.shape[1] else [products] * 12
    variance = np.zeros((len(totals), len(one)))
    for place, (first, second, sign) in enumerate(((one, one, 1), (other, other, 1), (one, other, -2))):
        of_sums, of_counts, mixed, turned = parts[4 * place : 4 * place + 4]
        residuals = (
            of_sums
            - means[:, second] * mixed
            - means[:, first] * turned
            + means[:, first] * means[:, second] * of_counts
        )
        variance += sign * ratio(residuals, counts[:, first] * counts[:, second])
    return means[:, one] - means[:, other], np.sqrt(np.maximum(variance, 0))


def _divide(size: Floats, errors: Floats) -> Floats:
    """size / errors; without an error 0 where the size is 0 too, else inf."""
    exact = np.where(size > ROUNDING, np.inf, 0.0)
    known = ~(errors <= np.sqrt(ROUNDING))
    return np.where(np.isnan(size), np.nan, np.divide(size, errors, out=exact, where=known))
