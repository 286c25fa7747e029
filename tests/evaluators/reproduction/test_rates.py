"""What rates say of one another. The detector of the examples finds 30 of 40 errors and raises 10 false alarms among
160 correct units: precision and recall 75.0, F1 75.0, balanced accuracy (0.75 + 150/160) / 2 = 84.4."""

from fractions import Fraction

from evaluators.reproduction.rates import (
    Alarms,
    alarms_of,
    balanced_accuracy_of,
    f1_of,
    f1_of_alarms,
    fits_whole_counts,
    nearest_rates,
    read_rates,
)
from evaluators.reproduction.rounded import Range, exactly, read_percent

ERRORS, CORRECT = 40, 160
RATES = read_rates("75.0/75.0/75.0")


def holds(found: Range, number: Fraction) -> bool:
    return found.low <= number <= found.high


def test_f1_follows_from_precision_and_recall() -> None:
    found = f1_of(RATES.precision, RATES.recall)
    assert (found.low, found.high) == (Fraction(7495, 10000), Fraction(7505, 10000))


def test_balanced_accuracy_follows_with_the_numbers_of_units() -> None:
    found = balanced_accuracy_of(RATES.precision, RATES.recall, ERRORS, CORRECT)
    assert holds(found, Fraction(27, 32))
    assert not found.meets(read_percent("84.7"))


def test_alarms_follow_from_rates() -> None:
    alarms = alarms_of(RATES, ERRORS, CORRECT, None)
    assert holds(alarms.true, Fraction(30))
    assert holds(alarms.false, Fraction(10))
    assert holds(f1_of_alarms(alarms, ERRORS), Fraction(3, 4))


def test_where_nothing_was_found_the_false_alarms_follow_from_balanced_accuracy() -> None:
    """(0 + 152/160) / 2 = 47.5: eight false alarms, give or take what rounding allows."""
    nothing = read_rates("-/0.0/0.0")
    assert nothing.f1 is None
    assert nothing.nothing_found
    false = alarms_of(nothing, ERRORS, CORRECT, read_percent("47.5")).false
    assert holds(false, Fraction(8))
    assert false.high < 9
    assert alarms_of(nothing, ERRORS, CORRECT, None).false == Range(Fraction(0), Fraction(CORRECT))


def test_pooled_alarms_add_up() -> None:
    one = Alarms(exactly(3), exactly(1))
    assert one + one == Alarms(exactly(6), exactly(2))


def test_rates_of_whole_numbers_fit_and_others_do_not() -> None:
    assert fits_whole_counts(RATES, ERRORS, CORRECT)
    assert not fits_whole_counts(read_rates("75.0/75.0/74.0"), ERRORS, CORRECT)
    assert fits_whole_counts(read_rates("-/0.0/0.0"), ERRORS, CORRECT)


def test_the_nearest_rates_that_whole_numbers_give() -> None:
    """Of 39 errors one was found without a false alarm: F1 = 2/40."""
    assert not fits_whole_counts(read_rates("5.1/100.0/2.6"), 39, 86)
    assert nearest_rates(read_rates("5.1/100.0/2.6"), 39, 86) == "5.0/100.0/2.6 (1, 0)"
