"""The format of times, prices, counts and differences, and the names of FELM's domains and error types."""

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotate.corpus.published import FELM_DOMAINS
from annotate.models.values import ErrorType
from core import numbers
from core.numbers import dollars_text, likely_price_text, price_text, unpriced_text

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


@register.filter
def unit_price(usd: Decimal | None) -> str | SafeString:
    """US dollars for a million tokens or for a search, with all of their digits; a dash where it is not known."""
    return dash("not known") if usd is None else f"{usd.normalize():f}"


@register.filter
def cost(spent: Any) -> str | SafeString:
    """What calls cost, of anything with known_usd and unpriced (llm.price.Cost): "$0.12", or "at least $0.12" with what
    is not known at its side; a dash where nothing is known. In a cell of a table."""
    if isinstance(spent, Mapping):
        known, unpriced = float(spent["known_usd"]), spent["unpriced"]
    else:
        known, unpriced = float(spent.known_usd), spent.unpriced
    if not unpriced:
        return dollars_text(known)
    if not known:
        return dash(unpriced_text(unpriced))
    return format_html('<span title="{}">at least {}</span>', unpriced_text(unpriced), dollars_text(known))


@register.filter
def cost_in_words(spent: Any) -> str | SafeString:
    """The same with what is not known in words below it. Among figures."""
    if not spent.unpriced:
        return dollars_text(float(spent.known_usd))
    least = f"at least {dollars_text(float(spent.known_usd))}" if spent.known_usd else "–"
    return format_html('{} <small class="quiet">{}</small>', least, unpriced_text(spent.unpriced))


@register.filter
def estimated_price(estimate: Any) -> str:
    """The price of an estimate: of anything with cost_usd, known_usd, unpriced, and likely_usd where there is one."""
    texts = (estimate.cost_usd, estimate.known_usd, estimate.unpriced)
    return likely_price_text(getattr(estimate, "likely_usd", None), *texts)


register.filter("price", price_text)


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
