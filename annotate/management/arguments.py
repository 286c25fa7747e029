"""Types of arguments that several commands take: argparse shows the message as a usage error."""

from argparse import ArgumentTypeError


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def natural(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)
