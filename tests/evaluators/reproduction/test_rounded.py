"""Printed figures as ranges. Every expected range is worked by hand."""

from fractions import Fraction

import pytest

from evaluators.reproduction.rounded import Range, exactly, in_words, read, read_percent


def test_a_printed_figure_stands_for_all_that_round_to_it() -> None:
    assert read("17.6") == Range(Fraction(1755, 100), Fraction(1765, 100))
    assert read("100") == Range(Fraction(199, 2), Fraction(201, 2))
    assert read("33.21").high - read("33.21").low == Fraction(1, 100)


def test_a_share_stays_between_none_and_all() -> None:
    assert read_percent("100.0") == Range(Fraction(9995, 10000), Fraction(1))
    assert read_percent("0.0").low == 0


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid literal"):
        read("–")


def test_arithmetic_keeps_every_possible_result() -> None:
    one, two = Range(Fraction(1), Fraction(2)), Range(Fraction(3), Fraction(4))
    assert one + two == Range(Fraction(4), Fraction(6))
    assert one - two == Range(Fraction(-3), Fraction(-1))
    assert one * two == Range(Fraction(3), Fraction(8))
    assert one / two == Range(Fraction(1, 4), Fraction(2, 3))


def test_nothing_is_divided_by_what_may_be_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        exactly(1) / read("0.0")


def test_ranges_that_touch_do_not_contradict() -> None:
    assert read("17.6").meets(read("17.7"))
    assert not read("17.6").meets(read("17.8"))


def test_whole_numbers_within_a_range() -> None:
    assert list((read_percent("2.6") * exactly(39)).whole_numbers()) == [1]
    assert list((read_percent("3.0") * exactly(39)).whole_numbers()) == []


def test_a_range_in_words_is_one_figure_where_both_ends_round_to_it() -> None:
    assert in_words(read_percent("45.96")) == "46.0"
    assert in_words(Range(Fraction(1, 8), Fraction(1, 4))) == "12.5–25.0"
