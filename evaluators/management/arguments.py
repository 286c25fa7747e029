"""Types of arguments that several commands take: a ValueError is argparse's usage error."""

from decimal import Decimal, InvalidOperation


def positive_price(text: str) -> Decimal:
    try:
        price = Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None
    if not price.is_finite() or price <= 0:
        raise ValueError(text)
    return price


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
