"""A figure of a result, for the tables of the comparison."""

from django import template

from evaluators.comparison.board import Document
from evaluators.comparison.compare import Measured, measured

register = template.Library()


@register.filter
def figure(result: Document | None, name: str) -> Measured | None:
    """The figure of that name with all that stands beside it; None where the slice holds no unit."""
    return measured(result, name)
