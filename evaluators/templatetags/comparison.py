"""A figure of a result, for the tables of the comparison."""

from django import template

from evaluators.comparison.evaluator_rows import FigureValue, figure_value
from evaluators.comparison.report import Document

register = template.Library()


@register.filter
def figure(result: Document | None, name: str) -> FigureValue | None:
    """The figure of that name with all that stands beside it; None where the slice holds no unit."""
    return figure_value(result, name)
