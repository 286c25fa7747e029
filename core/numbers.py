"""Numbers that a page sends, and prices and p values as pages and commands write them."""

from math import ceil

# Digits of a number that every database takes.
LONGEST_NUMBER = 18
LARGEST_NUMBER = 2**63 - 1  # in a column of any of the databases


def read_number(sent: str) -> int | None:
    """The text as a number; None where it is none, or has too many digits."""
    return int(sent) if sent.isdecimal() and len(sent) <= LONGEST_NUMBER else None


SMALLEST_P = 0.001


def p_text(p: float | None) -> str:
    """ "p = 0.012", or "p < 0.001": no p is 0. "" where there is none."""
    if p is None:
        return ""
    return f"p < {SMALLEST_P}" if p < SMALLEST_P else f"p = {p:.3f}"


def dollars_text(value: float) -> str:
    """An amount of US dollars: whole cents from a dollar on, smaller amounts to the hundredth of a cent."""
    if value == 0:
        return "$0"
    return f"${value:,.2f}" if value >= 1 else f"${value:.4f}"


def price_text(value: float | None) -> str:
    """The price of an estimate, rounded up; None where the price of a call is not known."""
    return "at a price that is not known" if value is None else f"at most {_rounded_up(value)}"


def likely_price_text(likely: float | None, most: float | None) -> str:
    """The likely price of an estimate and the highest one; either None where the price of a call is not known."""
    return price_text(most) if likely is None else f"likely {_rounded_up(likely)}, {price_text(most)}"


def _rounded_up(value: float) -> str:
    steps = 100 if value >= 1 else 10_000  # in a dollar; what is left of a step by floating point is none
    return dollars_text(ceil(round(value * steps, 6)) / steps)
