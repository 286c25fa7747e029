"""Numbers that a page sends, and prices and p values as pages and commands write them."""

from collections.abc import Sequence
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


def listed(words: Sequence[str]) -> str:
    """ "prompts", "prompts and answers", "prompts, answers and searches"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def unpriced_text(parts: Sequence[str]) -> str:
    """What is not known of a price, as a clause; "" where nothing is missing. parts: llm.price.Part."""
    return f"the price of {listed(parts)} is not known" if parts else ""


def cost_text(known: float, unpriced: Sequence[str] = ()) -> str:
    """What calls cost: "$0.12", or "at least $0.12; the price of cached prompts is not known"."""
    if not unpriced:
        return dollars_text(known)
    return f"at least {dollars_text(known)}; {unpriced_text(unpriced)}" if known else unpriced_text(unpriced)


def price_text(value: float | None, known: float = 0, unpriced: Sequence[str] = ()) -> str:
    """The price of an estimate, rounded up. None where the price of a part is not known: `known` is that of the other
    parts, `unpriced` which are not."""
    if value is not None:
        return f"at most {_rounded_up(value)}"
    if not known:
        return "at a price that is not known"
    return f"at most {_rounded_up(known)} without {listed(unpriced)}, whose price is not known"


def likely_price_text(likely: float | None, most: float | None, known: float = 0, unpriced: Sequence[str] = ()) -> str:
    """The likely price of an estimate and the highest one, as in price_text."""
    most_text = price_text(most, known, unpriced)
    return most_text if likely is None else f"likely {_rounded_up(likely)}, {most_text}"


def _rounded_up(value: float) -> str:
    steps = 100 if value >= 1 else 10_000  # in a dollar; what is left of a step by floating point is none
    return dollars_text(ceil(round(value * steps, 6)) / steps)
