"""Intervals of figures over clustered units, from the variance of a figure over resamples of clusters.

The percentile interval is too narrow where few clusters tell anything, and has no width where a few agree. This one is
as wide as the exact interval of so many independent draws as the figure's variance is worth.

References
----------
Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive counts estimated
from survey data; Rao and Wu (1988), Resampling inference with complex survey data.
docs/statistics.md, Intervals and tests.
"""

import numpy as np

from stats.arrays import Floats, Ints
from stats.bootstrap import CONFIDENCE, Interval
from stats.distributions import beta_quantile, t_quantile
from stats.run_effects import RunPart

# Below so many clusters that tell something no interval is given: simulated ones do not hold.
FEWEST_CLUSTERS = 8
TAIL = (1 - CONFIDENCE) / 2
# The normal quantile of a two-sided interval of 95 %.
Z = 1.959963984540054
UNCHANGED = "no interval: every resample gives the same figure"
# A variance below this, of a figure between 0 and 1, is rounding: single precision totals differ by as much.
_NO_VARIANCE = 1e-10


def effective_intervals(
    values: Floats,
    drawn: Floats,
    clusters: Ints,
    low: float | Floats = 0.0,
    high: float = 1.0,
    runs: RunPart | None = None,
) -> list[Interval | None]:
    """The 95 % interval of each of M figures, exact for as many independent draws as the figure's variance is worth.

    With p the figure put between 0 and 1, v its variance over the resamples and c the clusters that tell something:

        n = p (1 − p) / v, or c where v is 0
        k = n · (z / t)², t of c − 1 degrees of freedom
        from the quantile 0.025 of Beta(k p, k (1 − p) + 1) to the quantile 0.975 of Beta(k p + 1, k (1 − p))

    Where a figure is of several runs, their part is added to v, and t has Satterthwaite's degrees of freedom.

    Parameters
    ----------
    values : (M,)
        The figures, nan where undefined.
    drawn : (R, M)
        Each figure in each resample of a Resampling, nan where it is undefined there.
    clusters : (M,) int
        How many clusters tell something on each figure: those in which its denominator is not empty.
    low : float or (M,)
        The least value that the figure can have.
    high : float
        The largest one.
    runs : RunPart of the M figures
        None where each is of one run.

    Returns
    -------
    None where the figure is undefined, and below FEWEST_CLUSTERS.

    References
    ----------
    Korn and Graubard (1998); Rao and Wu (1988). docs/statistics.md, Intervals and tests.
    """
    found: list[Interval | None] = [None] * len(values)
    given = np.flatnonzero(~np.isnan(values) & (clusters >= FEWEST_CLUSTERS))
    if not len(given):
        return found
    least = np.broadcast_to(np.asarray(low, dtype=np.float64), values.shape)[given]
    scale = high - least
    p = np.clip((values[given] - least) / scale, 0.0, 1.0)
    undefined = np.isnan(drawn[:, given]).sum(axis=0)
    variance, freedom = variances_of(drawn[:, given]), (clusters[given] - 1).astype(np.float64)
    if runs is not None:
        part = runs.at(given)
        freedom = part.freedom_beside(variance, freedom)
        variance = variance + part.variance
    lower, upper = exact_ends(p, variance / scale**2, clusters[given], freedom)
    for place, start, end, without in zip(given, least + scale * lower, least + scale * upper, undefined, strict=True):
        found[place] = Interval(float(start), float(end), int(without))
    return found


def effective_interval(
    value: float | None, drawn: Floats, clusters: int, low: float = 0.0, high: float = 1.0
) -> Interval | None:
    """The interval of one figure, None where undefined, from its values (R,) in the resamples; see the plural."""
    values = np.array([np.nan if value is None else value])
    return effective_intervals(values, drawn[:, None], np.array([clusters]), low, high)[0]


def difference_interval(value: float | None, drawn: Floats, clusters: int, reach: float = 1.0) -> Interval | None:
    """The interval of a difference between two figures of the same resamples, from −`reach` to `reach`.

    Returns
    -------
    None also where every resample gives the same difference: it says nothing on chance.
    """
    if not varies(drawn):
        return None
    return effective_interval(value, drawn, clusters, -reach, reach)


def difference_intervals(
    values: Floats, drawn: Floats, clusters: Ints, runs: RunPart | None = None
) -> list[Interval | None]:
    """The interval of each of M differences (M,) of figures between 0 and 1; see `difference_interval`."""
    varies = variances_of(drawn) + (0.0 if runs is None else runs.variance) > _NO_VARIANCE
    return effective_intervals(np.where(varies, values, np.nan), drawn, clusters, low=-1.0, runs=runs)


def mean_interval(value: float | None, drawn: Floats, clusters: int) -> Interval | None:
    """The interval of a figure without bounds: value ± t · its standard deviation over the resamples (R,).

    Returns
    -------
    None where the figure is undefined, below FEWEST_CLUSTERS, and where no resample differs.
    """
    defined = drawn[~np.isnan(drawn)]
    if value is None or clusters < FEWEST_CLUSTERS or not varies(drawn):
        return None
    half = float(t_quantile(1 - TAIL, np.array([clusters - 1.0]))[0] * defined.std())
    return Interval(value - half, value + half, len(drawn) - len(defined))


def distance_interval(value: float | None, strayed: Floats, clusters: int) -> Interval | None:
    """The interval of a distance between 0 and 1, which is 0 only where everything agrees: value ± t · √(mean of d²).

    Parameters
    ----------
    value : the distance, None where undefined
    strayed : (R,)
        The most by which it may be off in each resample (d).
    clusters : as of `effective_interval`

    Returns
    -------
    None where `mean_interval` has none; both ends are put between 0 and 1.
    """
    if value is None:
        return None
    around = mean_interval(value, np.concatenate([value - strayed, value + strayed]), clusters)
    if around is None:
        return None
    return Interval(max(0.0, around.low), min(1.0, around.high), int(np.isnan(strayed).sum()))


def varies(drawn: Floats) -> bool:
    """Whether a figure (R,), at most of the order of 1, differs between resamples by more than rounding."""
    return bool(variances_of(drawn[:, None])[0] > _NO_VARIANCE)


def variances_of(drawn: Floats) -> Floats:
    """The variance (M,) of each column over the resamples in which it is defined; 0 with fewer than two."""
    defined = ~np.isnan(drawn)
    count = np.maximum(defined.sum(axis=0), 1)
    filled = np.where(defined, drawn, 0.0)
    middle = filled.sum(axis=0) / count
    deviations = np.where(defined, filled - middle, 0.0)
    variances: Floats = (deviations**2).sum(axis=0) / count
    return variances


def exact_ends(share: Floats, variance: Floats, clusters: Ints, freedom: Floats | None = None) -> tuple[Floats, Floats]:
    """Both ends (M,) of the interval of shares (M,) with these variances, resting on so many clusters (at least 2).

    freedom: degrees of freedom (M,) of the variances; None for clusters − 1.
    """
    freedom = (clusters - 1).astype(np.float64) if freedom is None else freedom
    spread = (variance > _NO_VARIANCE) & (share > 0) & (share < 1)
    effective = np.where(spread, share * (1 - share) / np.where(spread, variance, 1.0), clusters)
    size = effective * (Z / t_quantile(1 - TAIL, freedom)) ** 2
    hits, misses = size * share, size * (1 - share)
    some, any_missed = share > 0, share < 1
    lower = beta_quantile(TAIL, np.where(some, hits, 1.0), misses + 1)
    upper = beta_quantile(1 - TAIL, hits + 1, np.where(any_missed, misses, 1.0))
    return np.where(some, lower, 0.0), np.where(any_missed, upper, 1.0)


def why_withheld(clusters: int, what: str = "prompts") -> str:
    """The reason why a defined figure has no interval; "" where it has one.

    Parameters
    ----------
    clusters : int
        How many clusters tell something on the figure.
    what : str
        Their name, such as "prompts with an error".
    """
    if clusters >= FEWEST_CLUSTERS:
        return ""
    return f"no interval: it rests on {clusters} {what}, and below {FEWEST_CLUSTERS} none holds"
