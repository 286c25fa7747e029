"""Numbers that a page sends, and prices."""

import pytest

from core.numbers import LONGEST_NUMBER, price_text, read_number


@pytest.mark.parametrize("sent", ["", "-1", "1.5", " 1", "one", "²", "9" * (LONGEST_NUMBER + 1), "9" * 5000])
def test_what_is_no_number_of_any_row(sent):
    assert read_number(sent) is None


@pytest.mark.parametrize("sent", ["0", "42", "9" * LONGEST_NUMBER])
def test_a_number(sent):
    assert read_number(sent) == int(sent)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "at a price that is not known"),
        (0, "at most $0"),
        (0.1, "at most $0.1000"),
        (0.00001, "at most $0.0001"),
        (2.341, "at most $2.35"),
        (2.34, "at most $2.34"),
    ],
)
def test_the_price_of_an_estimate_is_rounded_up(value, expected):
    assert price_text(value) == expected
