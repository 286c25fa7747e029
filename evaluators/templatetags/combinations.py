"""How a price looks in the currency that was chosen."""

from django import template
from django.utils.safestring import SafeString

from annotate.templatetags.amounts import dash, dollars
from evaluators.predictions.prices import DOLLARS

register = template.Library()


@register.filter
def price(value: float | None, currency: str) -> str | SafeString:
    """A dash where it is not known."""
    if value is None:
        return dash("not known: type what it costs")
    return dollars(value) if currency == DOLLARS else f"{value:,.0f} tokens"
