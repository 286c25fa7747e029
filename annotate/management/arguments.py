"""Types of arguments that several commands take: argparse shows the message as a usage error."""

from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def natural(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)


def positive_price(text: str) -> Decimal:
    try:
        price = Decimal(text)
    except InvalidOperation:
        price = Decimal(0)
    if not price.is_finite() or price <= 0:
        raise ArgumentTypeError(f"{text!r} is no price above 0")
    return price
