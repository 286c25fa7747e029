"""Agreement of a sample's raters before anything is settled (docs/statistics.md, Agreement between annotators)."""

from collections.abc import Sequence
from dataclasses import dataclass

from stats.agreement import COEFFICIENTS
from stats.arrays import Ints
from stats.bootstrap import Interval, Resampling
from stats.nominal import measure_agreement


@dataclass(frozen=True)
class AgreementFigure:
    """A coefficient of agreement. `value` is None where it is undefined, and `why` then says the reason; `interval` is
    None there too, and where the sample has a single cluster."""

    name: str
    value: float | None = None
    interval: Interval | None = None
    why: str = ""


def agreement_of(
    ratings: Ints,
    values: int,
    cluster: Ints,
    coefficients: Sequence[str],
    why_undefined: str,
    resampling: Resampling | None = None,
) -> dict[str, AgreementFigure]:
    """The coefficients by their names in COEFFICIENTS; the parameters are those of `measure_agreement`.

    ratings: (items, raters), at least two raters. why_undefined: the reason where a coefficient has no value.
    """
    measured = measure_agreement(ratings, values, cluster, coefficients, resampling)
    return {
        name: AgreementFigure(
            COEFFICIENTS[name].title, each.value, each.interval, why_undefined if each.value is None else ""
        )
        for name, each in measured.items()
    }


def no_agreement(coefficients: Sequence[str], why: str) -> dict[str, AgreementFigure]:
    """The coefficients of a sample in which no two people rate the same item."""
    return {name: AgreementFigure(COEFFICIENTS[name].title, why=why) for name in coefficients}
