"""How times, prices, counts and differences look."""

from datetime import timedelta

import pytest

from annotate.templatetags.amounts import amount, dollars, domain_name, duration, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.04, "0.0 s"),
        (9.9, "9.9 s"),
        (59.2, "59 s"),
        (59.7, "1 min 00 s"),
        (61, "1 min 01 s"),
        (timedelta(minutes=3, seconds=5), "3 min 05 s"),
        (3600, "1 h 00 min"),
        (7509, "2 h 05 min"),
    ],
)
def test_a_length_of_time_has_its_two_largest_units(value, text):
    assert duration(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.0625, "+0.062"), (-0.091, "−0.091"), (0.0, "+0.000"), (-0.0004, "+0.000")]
)
def test_a_difference_has_its_sign_but_no_minus_before_nothing(value, text):
    assert signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "$0"), (0.00012, "$0.0001"), (0.5, "$0.5000"), (1.5, "$1.50"), (1234.5, "$1,234.50")]
)
def test_small_prices_have_four_decimals(value, text):
    assert dollars(value) == text


def test_counts_have_their_thousands_apart():
    assert amount(4426) == "4,426"
    assert amount(-3.2) == "−3"
    assert amount(-0.2) == "0"


def test_what_is_not_known_is_a_dash_that_says_so():
    assert "not known" in duration(None)
    assert "not known" in dollars(None)
    assert "not known" in amount(None)


def test_differences_have_their_sign():
    assert (signed(0.0531), signed(-0.4258)) == ("+0.053", "−0.426")


def test_a_domain_that_felm_does_not_have_keeps_its_name():
    assert (domain_name("wk"), domain_name("law")) == ("World knowledge", "law")
