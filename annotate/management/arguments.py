"""Types of arguments that several commands take: argparse shows the message as a usage error."""

from argparse import ArgumentParser, ArgumentTypeError
from decimal import Decimal, InvalidOperation

from stats.f1_at_k import KChoice, parse_k


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def natural(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)


def add_k(parser: ArgumentParser) -> None:
    """--k, K of F1@K; None for the median of each domain."""
    words = "of F1@K: a number, median (the median claims of all responses) or domain (of each domain; the default)"
    parser.add_argument("--k", type=_k, metavar="K", help=words)


def _k(text: str) -> KChoice:
    try:
        return parse_k(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def positive_price(text: str) -> Decimal:
    try:
        price = Decimal(text)
    except InvalidOperation:
        price = Decimal(0)
    if not price.is_finite() or price <= 0:
        raise ArgumentTypeError(f"{text!r} is no price above 0")
    return price
