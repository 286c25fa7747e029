"""Numbers that a page sends, and prices."""

import pytest

from core.numbers import LONGEST_NUMBER, cost_text, price_text, read_number


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


def test_the_price_of_an_estimate_names_the_parts_whose_price_is_not_known():
    text = price_text(None, 0.00123, ("cached prompts", "answers"))
    assert text == "at most $0.0013 without cached prompts and answers, whose price is not known"


@pytest.mark.parametrize(
    ("known", "unpriced", "expected"),
    [
        (0.12, (), "$0.1200"),
        (0.12, ("cached prompts",), "at least $0.1200; the price of cached prompts is not known"),
        (0, ("prompts", "answers", "searches"), "the price of prompts, answers and searches is not known"),
    ],
)
def test_a_cost_in_words_is_what_is_known_and_what_is_not(known, unpriced, expected):
    assert cost_text(known, unpriced) == expected
