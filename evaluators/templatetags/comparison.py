"""A figure of a result, for the tables of the comparison."""

from django import template

from evaluators.comparison.compare import Measured, measured
from evaluators.comparison.leaderboard import Document

register = template.Library()


@register.filter
def figure(result: Document | None, name: str) -> Measured | None:
    """The figure of that name with all that stands beside it; None where the slice holds no unit."""
    return measured(result, name)
