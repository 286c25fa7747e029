"""Coefficients of agreement between annotators, and their registry.

Every coefficient follows from totals over units, so that the bootstrap needs only sums per cluster. A unit counts where
two or more annotators judged it, and counts once, however many they are.

References
----------
docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stats.arrays import Floats, Ints, known, ratio
from stats.bootstrap import ROUNDING, Interval, cluster_sums
from stats.intervals import effective_interval

# The rating of an annotator who did not judge a unit.
GAP = -1
# Three ways of telling values apart, and the codes of the first.
BINARY, ALL, TYPES = "binary", "all", "types"
CORRECT, ERROR = 0, 1


@dataclass(frozen=True)
class Sums:
    """Sums over units, from which the coefficients follow; leading axes are free (clusters, resamples).

    Attributes
    ----------
    n : (…)
        Units.
    pairs : (…, V, V)
        Ordered pairs of judgements of different annotators, as shares of the unit's pairs.
    coincidences : (…, V, V)
        The same, weighted by the number of the unit's judgements (Krippendorff's coincidence matrix).
    confusion : (…, V, V)
        Judgements of the first of two annotators against those of the second.
    """

    n: Floats
    pairs: Floats
    coincidences: Floats
    confusion: Floats

    @property
    def values(self) -> int:
        return int(self.pairs.shape[-1])

    @property
    def used(self) -> int:
        """How many values were given at all; at least two, as nobody has to choose from one."""
        given = self.pairs.sum(axis=-1).reshape(-1, self.values).sum(axis=0)
        return max(2, int((given > 0).sum()))

    @property
    def shares(self) -> Floats:
        """(…, V): the share of judgements that give each value, as a mean over units; nan without a unit."""
        return ratio(self.pairs.sum(axis=-1), np.repeat(self.n[..., None], self.values, axis=-1))


def sum_by_cluster(ratings: Ints, values: int, cluster: Ints, clusters: int) -> Floats:
    """Sums of each cluster, as rows for `unpack`.

    Parameters
    ----------
    ratings : (units, annotators) int
        Codes from 0 to `values` − 1, or GAP.
    values : int
        How many values there are (V).
    cluster : (units,) int
        Number of each unit's cluster.
    clusters : int
        How many clusters there are.

    Returns
    -------
    (clusters, 1 + 3 V²)
    """
    counts = np.stack([(ratings == value).sum(axis=1) for value in range(values)], axis=1).astype(np.float64)
    judgements = counts.sum(axis=1)
    counted = judgements >= 2
    counts, judgements = counts[counted], judgements[counted]
    ordered = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(values)
    pairs = ordered / (judgements * (judgements - 1))[:, None, None]
    squares = np.stack([pairs, pairs * judgements[:, None, None], _confusion(ratings[counted], values)], axis=1)
    columns = np.concatenate([np.ones((len(counts), 1)), squares.reshape(len(counts), 3 * values**2)], axis=1)
    return cluster_sums(cluster[counted], columns, clusters)


def unpack(sums: Floats, values: int) -> Sums:
    """Rows of `sum_by_cluster`, or totals of them (…, 1 + 3 V²), as Sums."""
    n, pairs, coincidences, confusion = np.split(sums, [1, 1 + values**2, 1 + 2 * values**2], axis=-1)
    square = (*sums.shape[:-1], values, values)
    return Sums(n[..., 0], pairs.reshape(square), coincidences.reshape(square), confusion.reshape(square))


def percent_agreement(sums: Sums) -> Floats:
    """Percent agreement: the share of agreeing pairs, as a mean over units; nan without a unit.

    With two annotators it is the agree rate of FELM.

    References
    ----------
    Chen et al. (2023), FELM. docs/statistics.md, Agreement between annotators.
    """
    return ratio(_trace(sums.pairs), sums.n)


def specific_agreement(sums: Sums, value: int) -> Floats:
    """Specific agreement on a value: where one annotator gives it, how often another does too; 2a / (2a + b + c).

    On error it is positive agreement, the F1 of one annotator against the other; on correct it is negative agreement.

    Parameters
    ----------
    sums : Sums
    value : int
        Code of the value.

    Returns
    -------
    (…); nan where no annotator gives the value.

    References
    ----------
    Cicchetti and Feinstein (1990), High agreement but low kappa II. docs/statistics.md, Agreement between annotators.
    """
    return ratio(sums.pairs[..., value, value], sums.pairs[..., value, :].sum(axis=-1))


def cohen_kappa(sums: Sums) -> Floats:
    """Cohen's κ of two annotators; nan where both give one and the same value throughout.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales. docs/statistics.md, Agreement between annotators.
    """
    return _beyond_chance(ratio(_trace(sums.confusion), sums.n), _chance_of_two(sums))


def least_kappa(sums: Sums) -> Floats:
    """The least κ that two annotators can have who give each value as often as these did."""
    alike = _least_agreement(sums.confusion.sum(axis=-1) + sums.confusion.sum(axis=-2), sums.n)
    return _beyond_chance(alike, _chance_of_two(sums))


def _chance_of_two(sums: Sums) -> Floats:
    first, second = sums.confusion.sum(axis=-1), sums.confusion.sum(axis=-2)
    return ratio((first * second).sum(axis=-1), sums.n**2)


def _least_agreement(given: Floats, n: Floats) -> Floats:
    """The share of units on which two annotators agree at least, who together gave each value so often (…, V).

    Only where they give one value more often than there are units do they have to meet.
    """
    return np.maximum(ratio(given.max(axis=-1), n) - 1, 0.0)


def fleiss_kappa(sums: Sums) -> Floats:
    """Fleiss' κ of any number of annotators, as many a unit as judged it; nan where only one value occurs.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters.
    docs/statistics.md, Agreement between annotators.
    """
    return _beyond_chance(percent_agreement(sums), (sums.shares**2).sum(axis=-1))


def least_fleiss(sums: Sums) -> Floats:
    """The least κ of Fleiss that annotators can have who give each value as often as these did."""
    given = 2 * sums.shares * sums.n[..., None]
    return _beyond_chance(_least_agreement(given, sums.n), (sums.shares**2).sum(axis=-1))


def mean_pair_kappa(ratings: Ints, values: int) -> float | None:
    """Cohen's κ of more than two annotators: the mean over the pairs that have one; None where no pair has.

    Parameters
    ----------
    ratings : (units, annotators) int
        Codes from 0 to `values` − 1, or GAP.
    values : int
    """
    pairs = (ratings[:, [one, other]] for one, other in combinations(range(ratings.shape[1]), 2))
    kappas = [known(cohen_kappa(_whole_of(pair, values))) for pair in pairs]
    found = [kappa for kappa in kappas if kappa is not None]
    return sum(found) / len(found) if found else None


def _whole_of(ratings: Ints, values: int) -> Sums:
    cluster = np.zeros(len(ratings), dtype=np.int64)
    return unpack(sum_by_cluster(ratings, values, cluster, 1)[0], values)


def krippendorff_alpha(sums: Sums) -> Floats:
    """Krippendorff's α for nominal values, any number of annotators and gaps; nan where only one value occurs.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability. docs/statistics.md, Agreement between annotators.
    """
    totals = sums.coincidences.sum(axis=-1)
    n = totals.sum(axis=-1)
    observed = n - _trace(sums.coincidences)
    return 1 - ratio(observed, _expected_disagreement(totals))


def least_alpha(sums: Sums) -> Floats:
    """The least α of annotators who give each value as often as these did."""
    totals = sums.coincidences.sum(axis=-1)
    n = totals.sum(axis=-1)
    return 1 - ratio(n * (1 - _least_agreement(2 * totals, n)), _expected_disagreement(totals))


def _expected_disagreement(totals: Floats) -> Floats:
    n = totals.sum(axis=-1)
    return ratio(n**2 - (totals**2).sum(axis=-1), n - 1)


def gwet_ac1(sums: Sums) -> Floats:
    """Gwet's AC1 over the values that somebody gave; nan without a unit. It rewards prevalence: never the headline.

    References
    ----------
    Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement.
    docs/statistics.md, Agreement between annotators.
    """
    expected = (sums.shares * (1 - sums.shares)).sum(axis=-1) / (sums.used - 1)
    return _beyond_chance(percent_agreement(sums), expected)


def least_ac1(sums: Sums) -> Floats:
    """−1, the least AC1 of two values whatever is given how often: it varies most with how often that is."""
    return np.full_like(sums.n, -1.0)


def clusters_judged(own: Sums) -> int:
    """The number of clusters with a unit, from the sums (C) of each."""
    return int((own.n > 0).sum())


def clusters_with(own: Sums, value: int) -> int:
    """The number of clusters in which an annotator gives the value, from the sums (C) of each."""
    return int((own.pairs[:, value].sum(axis=-1) > 0).sum())


def _clusters_of_two(own: Sums) -> int:
    return _clusters_with_rarer(np.stack([own.confusion.sum(axis=-1), own.confusion.sum(axis=-2)], axis=1))


def _clusters_of_all(own: Sums) -> int:
    return _clusters_with_rarer(own.coincidences.sum(axis=-1)[:, None])


def _clusters_with_rarer(given: Floats) -> int:
    """From how often each side gave each value in each cluster (C, sides, V): in how many clusters a side gives the
    commonest value, or any other, whichever are fewer."""
    common = given[:, :, int(given.sum(axis=(0, 1)).argmax())]
    others = given.sum(axis=2) - common
    return int(min((common > 0).sum(axis=0).min(), (others > ROUNDING).sum(axis=0).min()))


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement as pages, tables and reports name it.

    Attributes
    ----------
    title : str
    compute : function of Sums to an array, nan where undefined
    why_undefined : str
        The reason given where it is undefined although units were judged twice.
    binary_only : bool
        It has a meaning for error against correct only.
    two_only : bool
        Its sums are of exactly two annotators; of more it is the mean over pairs, without an interval.
    rests_on : function of the Sums (C) of clusters to the number of those that tell something on it
    what : str
        The name of these clusters, prompts.
    least : function of Sums to the least value that it can have; the largest is 1
    """

    title: str
    compute: Callable[[Sums], Floats]
    why_undefined: str
    binary_only: bool = False
    two_only: bool = False
    rests_on: Callable[[Sums], int] = clusters_judged
    what: str = "prompts"
    least: Callable[[Sums], Floats] = lambda sums: np.zeros_like(sums.n)


NO_UNITS = "no unit was judged by two annotators"
WITH_RARER = "prompts with the rarer values"

# Every coefficient, in the order of tables. A new one is its function above and a line here.
COEFFICIENTS = {
    "percent": Coefficient("Percent agreement", percent_agreement, NO_UNITS),
    "positive": Coefficient(
        "On errors",
        lambda sums: specific_agreement(sums, ERROR),
        "nobody called anything an error",
        binary_only=True,
        rests_on=lambda own: clusters_with(own, ERROR),
        what="prompts with an error",
    ),
    "negative": Coefficient(
        "On correct",
        lambda sums: specific_agreement(sums, CORRECT),
        "nobody called anything correct",
        binary_only=True,
        rests_on=lambda own: clusters_with(own, CORRECT),
        what="prompts with a correct unit",
    ),
    "kappa": Coefficient(
        "Cohen's κ",
        cohen_kappa,
        "both gave one and the same value throughout",
        two_only=True,
        rests_on=_clusters_of_two,
        what=WITH_RARER,
        least=least_kappa,
    ),
    "fleiss": Coefficient(
        "Fleiss' κ",
        fleiss_kappa,
        "only one value occurs",
        rests_on=_clusters_of_all,
        what=WITH_RARER,
        least=least_fleiss,
    ),
    "alpha": Coefficient(
        "Krippendorff's α",
        krippendorff_alpha,
        "only one value occurs",
        rests_on=_clusters_of_all,
        what=WITH_RARER,
        least=least_alpha,
    ),
    "ac1": Coefficient("Gwet's AC1", gwet_ac1, "chance alone agrees throughout", least=least_ac1),
}


def interval_of(coefficient: Coefficient, own: Sums, drawn: Sums) -> Interval | None:
    """The interval of a coefficient from the sums (C) of clusters and those (R) of resamples."""
    whole = Sums(*(each.sum(axis=0) for each in (own.n, own.pairs, own.coincidences, own.confusion)))
    value, least = known(coefficient.compute(whole)), known(coefficient.least(whole))
    if value is None or least is None:
        return None
    return effective_interval(value, coefficient.compute(drawn), coefficient.rests_on(own), low=least)


def coefficients_of(kind: str) -> dict[str, Coefficient]:
    """The coefficients that have a meaning for these values (BINARY, ALL or TYPES), by name."""
    return {name: each for name, each in COEFFICIENTS.items() if kind == BINARY or not each.binary_only}


def _confusion(ratings: Ints, values: int) -> Floats:
    """Per unit (values, values) one cell set: the values of both columns; none where one is a gap."""
    cells = np.zeros((len(ratings), values, values))
    if ratings.shape[1] == 2:
        rows = np.flatnonzero((ratings != GAP).all(axis=1))
        cells[rows, ratings[rows, 0], ratings[rows, 1]] = 1
    return cells


def _trace(squares: Floats) -> Floats:
    total: Floats = np.trace(squares, axis1=-2, axis2=-1)
    return total


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """(observed − expected)/(1 − expected), undefined where chance alone agrees throughout."""
    room = 1 - expected
    # A remainder of 1 − 1 by rounding is no room.
    return ratio(observed - expected, np.where(room > 1e-12, room, 0))
