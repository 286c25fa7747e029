"""The format of times, prices, counts and differences, and the names of FELM's domains and error types."""

from datetime import timedelta

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotate.corpus.published import FELM_DOMAINS
from annotate.models.values import ErrorType
from core import numbers
from core.numbers import dollars_text, likely_price_text, price_text

register = template.Library()


@register.filter
def duration(value: float | timedelta | None) -> str | SafeString:
    """A length of time in its two largest units; a dash where there is none yet."""
    if value is None:
        return dash("not known yet")
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    if seconds < 59.5:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, seconds = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {seconds:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


@register.filter
def dollars(value: float | None) -> str | SafeString:
    """An amount of US dollars (core/numbers.py); a dash where a price is not known."""
    if value is None:
        return dash("the price of at least one call is not known")
    return dollars_text(value)


register.filter("price", price_text)
register.filter("likely_price", likely_price_text)


@register.filter
def amount(value: float | None) -> str | SafeString:
    """A count with its thousands apart; a dash where it is not known."""
    return dash("not known") if value is None else f"{value:z,.0f}".replace("-", "−")


@register.filter
def signed(value: float) -> str:
    """A difference in three decimals, always with its sign; "+0.000" where it is rounded to 0."""
    return f"{value:+z.3f}".replace("-", "−")


@register.filter
def p_text(p: float | None) -> str:
    """A p value (core/numbers.py)."""
    return numbers.p_text(p)


@register.filter
def domain_name(code: str) -> str:
    """FELM's file abbreviates its domains; any other domain is called what its file calls it."""
    return FELM_DOMAINS.get(code, code)


@register.filter
def error_type_name(code: str) -> str:
    """The name of an error type on pages, in lower case; a type of the dataset's own keeps its name."""
    return ErrorType(code).label.lower() if code in ErrorType.values else code


def dash(why: str) -> SafeString:
    return format_html('<span class="quiet" title="{}">–</span>', why)


@register.filter
def times(value: float, factor: float) -> float:
    """For lengths in a drawing."""
    return round(value * factor, 1)
