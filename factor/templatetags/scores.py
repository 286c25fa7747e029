"""How the figures of a benchmark look: accuracies as percentages, their differences in points."""

from django import template
from django.utils.safestring import SafeString

from annotate.templatetags.figures import rate

register = template.Library()

NOTHING = "undefined: nothing to divide by"
UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))


@register.filter
def share(value: float | None, why: str = NOTHING) -> str | SafeString:
    """A share as a percentage with one decimal; a dash that says why where it is undefined (None)."""
    return rate(None, why) if value is None else f"{100 * value:.1f} %"


@register.filter
def points(value: float) -> str:
    """A difference of shares in points of a hundred, with its sign unless it rounds to nothing."""
    rounded = round(100 * value, 1)
    return f"{rounded:+.1f}".replace("-", "−") if rounded else "0.0"


@register.filter
def parameters(value: int | None) -> str | SafeString:
    """How many parameters a model has, as its makers would say it: 270M, 1.3B."""
    if value is None:
        return rate(None, "not known")
    size, letter = next((each for each in UNITS if value >= each[0]), (1, ""))
    return f"{value / size:.3g}{letter}"


@register.filter
def logprob(value: float | None) -> str | SafeString:
    """A log-probability, or a difference of two, in three decimals."""
    return rate(None, "no score") if value is None else f"{value:.3f}".replace("-", "−")
