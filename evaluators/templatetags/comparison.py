"""Figures and prices in the tables of the comparison and of combinations."""

from django import template
from django.conf import settings
from django.utils.safestring import SafeString

from annotate.templatetags.amounts import dash, dollars
from evaluators.comparison.evaluator_rows import FigureValue, figure_value
from evaluators.predictions.prices import DOLLARS
from stats.detection import DetectionRow

register = template.Library()


@register.filter
def figure(result: DetectionRow | None, name: str) -> FigureValue | None:
    """The figure of that name with its interval and bounds; None where the slice holds no unit."""
    return figure_value(result, name)


@register.simple_tag
def least_coverage() -> str:
    """The coverage from which evaluators are ranked, as a percentage."""
    return f"{settings.LEAST_COVERAGE * 100:g} %"


@register.filter
def price(value: float | None, currency: str) -> str | SafeString:
    """In the chosen currency; a dash where it is not known."""
    if value is None:
        return dash("not known: type what it costs")
    return dollars(value) if currency == DOLLARS else f"{value:,.0f} tokens"
