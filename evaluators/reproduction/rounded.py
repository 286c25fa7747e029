"""Printed figures as the ranges they stand for, and exact arithmetic on such ranges.

A figure printed as 17.6 was anything from 17.55 to 17.65. A result of ranges is a range again; a printed figure
contradicts others only where its own range and the one that follows from them have no number in common. Both ends
belong to a range, so however a half was rounded no contradiction is made up.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

NONE = "-"


@dataclass(frozen=True)
class Range:
    """All numbers from `low` to `high`."""

    low: Fraction
    high: Fraction

    def __add__(self, other: "Range") -> "Range":
        return Range(self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Range") -> "Range":
        return Range(self.low - other.high, self.high - other.low)

    def __mul__(self, other: "Range") -> "Range":
        return hull(one * two for one in (self.low, self.high) for two in (other.low, other.high))

    def __truediv__(self, other: "Range") -> "Range":
        """Raises ZeroDivisionError where the other range touches 0."""
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("the divisor may be 0")
        return self * Range(1 / other.high, 1 / other.low)

    def meets(self, other: "Range") -> bool:
        """Whether one number is in both."""
        return self.low <= other.high and other.low <= self.high

    def within(self, low: int, high: int) -> "Range":
        """Its part between the two: a share is never below 0 nor above 1, however it was rounded."""
        return Range(max(self.low, Fraction(low)), min(self.high, Fraction(high)))

    def whole_numbers(self) -> range:
        """The whole numbers in it, in their order."""
        return range(ceil(self.low), floor(self.high) + 1)


def exactly(number: Fraction | int) -> Range:
    return Range(Fraction(number), Fraction(number))


def hull(numbers: Iterable[Fraction]) -> Range:
    """The smallest range with all these numbers in it."""
    known = list(numbers)
    return Range(min(known), max(known))


def add_up(ranges: Iterable[Range]) -> Range:
    total = exactly(0)
    for each in ranges:
        total = total + each
    return total


def read(text: str) -> Range:
    """A printed number. Raises ValueError where it is none."""
    half = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    return Range(Fraction(text) - half, Fraction(text) + half)


def read_percent(text: str) -> Range:
    """A printed percentage as a share, never outside 0 and 1."""
    percent = read(text)
    return Range(percent.low / 100, percent.high / 100).within(0, 1)


def in_words(range_: Range, digits: int = 1, scale: int = 100) -> str:
    """The range as a figure would be printed, "46.0"; where both ends round to another figure "45.9–46.1", and
    "−0.1 to 0.2" where one is negative."""
    low, high = (f"{float(end * scale):.{digits}f}" for end in (range_.low, range_.high))
    if low == high:
        return low
    return f"{low} to {high}" if range_.low < 0 else f"{low}–{high}"
