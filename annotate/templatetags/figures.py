"""Figures on a page: tabular, its interval a dot on a whisker, never 0 where it is undefined."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

WIDTH = 200
MARGIN = 6


@register.filter
def rate(value: float | None, why: str = "undefined: nothing to divide by") -> str | SafeString:
    """A fraction in three decimals; a dash that says why where it is undefined (None)."""
    if value is None:
        return format_html('<span class="quiet" title="{}">–</span>', why)
    return f"{value:.3f}"


@register.filter
def percent(value: float | None, decimals: int = 0) -> str | SafeString:
    """A share as a percentage, by default a whole one; a dash where it is undefined (None)."""
    return rate(None) if value is None else f"{100 * value:.{decimals}f} %"


@register.filter
def look_up(mapping: dict[str, Any], key: str) -> Any:
    """The mapping's value at a key that is itself a variable; None where there is none."""
    return mapping.get(key)


@register.inclusion_tag("annotate/whisker.html")
def whisker(
    value: float | None,
    interval: Iterable[float] | None = None,
    marks: Iterable[float | None] = (),
    least: float = 0.0,
    most: float = 1.0,
) -> dict[str, Any]:
    """A dot at `value` on a line between the two ends of `interval`, on an axis from `least` to `most`.

    `marks` are values to read it against (a baseline, a human), drawn as upright ticks. Without a value the axis alone
    is drawn, without an interval the dot alone. What lies outside the axis is drawn at its end.
    """

    def place(figure: float) -> float:
        share = (min(max(figure, least), most) - least) / (most - least)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    ends = list(interval or ())
    between = ", 95 % interval {} to {}".format(*map(rate, ends)) if ends else ""
    return {
        "label": "undefined" if value is None else rate(value) + between,
        "at": None if value is None else place(value),
        "line": [place(end) for end in ends],
        "marks": [place(mark) for mark in marks if mark is not None],
        "ends": (place(least), place((least + most) / 2), place(most)),
    }
