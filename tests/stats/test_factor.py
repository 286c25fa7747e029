"""Four examples worked by hand; scipy is the witness of McNemar's test."""

from datetime import date

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.factor import (
    AFTER,
    BEFORE,
    MISSING,
    RIGHT,
    TIE,
    UNKNOWN,
    WAITING,
    WRONG,
    CompletionPairs,
    chance,
    compare_models,
    outcomes_of,
    outcomes_of_pairs,
    sides_of,
    strata_of,
    strongest,
)

NAN = np.nan
# Examples of two pairs each, but for the last one, which has one.
PAIRS = CompletionPairs(np.array([0, 0, 1, 1, 2, 2, 3, 3, 4]), np.zeros(9, dtype=np.int64), 5)
TRUE = np.array([-1.0, -1.0, -2.0, -2.0, -1.5, -1.5, -1.0, -1.0, -3.0])
FALSE = np.array([-1.5, -1.2, -1.9, -4.0, -1.5, -2.0, -2.0, NAN, -1.0])
NOBODY = np.zeros(5, dtype=np.bool_)


def test_only_the_strictly_highest_is_right() -> None:
    margins = TRUE - FALSE
    assert outcomes_of(PAIRS, margins, NOBODY).tolist() == [RIGHT, WRONG, TIE, MISSING, WRONG]


def test_an_example_that_waits_is_no_decision() -> None:
    waiting = np.array([True, False, False, False, False])
    assert outcomes_of(PAIRS, TRUE - FALSE, waiting)[0] == WAITING
    assert outcomes_of_pairs(PAIRS, TRUE - FALSE, waiting)[:2].tolist() == [WAITING, WAITING]


def test_pairs_are_decided_one_by_one() -> None:
    found = outcomes_of_pairs(PAIRS, TRUE - FALSE, NOBODY)
    assert found.tolist() == [RIGHT, RIGHT, WRONG, RIGHT, TIE, RIGHT, RIGHT, MISSING, WRONG]


def test_the_strongest_false_completion_has_the_lowest_margin() -> None:
    assert strongest(PAIRS, TRUE - FALSE).tolist() == [1, 2, 4, -1, 8]


def test_chance_follows_from_the_number_of_completions() -> None:
    assert chance(CompletionPairs(np.array([0, 0, 0]), np.zeros(3, dtype=np.int64), 1)) == 0.25
    assert chance(PAIRS) == pytest.approx((4 / 3 + 1 / 2) / 5)


def test_strata_are_closed_above() -> None:
    assert strata_of(np.array([0.0, 1.0, 4 / 3, 2.0, 4.0, 4.5])).tolist() == [0, 0, 1, 1, 2, 3]


def test_a_document_of_the_cut_off_day_could_have_been_read() -> None:
    dated = [date(2021, 10, 1), date(2021, 10, 2), None]
    assert sides_of(dated, date(2021, 10, 1)).tolist() == [BEFORE, AFTER, UNKNOWN]
    assert sides_of(dated, None).tolist() == [UNKNOWN] * 3


# Of 40 examples the one is right in 30 and the other in 20, 5 of which the one missed.
ONE = np.array([RIGHT] * 30 + [WRONG] * 10)
OTHER = np.array([RIGHT] * 15 + [TIE] * 15 + [RIGHT] * 5 + [MISSING] * 5)


def test_two_models_are_compared_on_the_same_examples() -> None:
    (found,) = compare_models([ONE, OTHER], np.arange(40), Resampling(np.zeros(40, dtype=np.int64)))
    assert (found.only_one, found.only_other) == (15, 5)
    assert found.difference.difference == pytest.approx(30 / 40 - 20 / 40)
    assert found.mcnemar == pytest.approx(scipy.stats.binomtest(5, 20, 0.5).pvalue)
    # The permutation test flips the 20 examples that tell them apart: as McNemar, up to the draws.
    assert found.difference.p == pytest.approx(found.mcnemar, abs=0.02)


def test_examples_that_wait_are_left_out_of_the_pair() -> None:
    waiting = np.where(np.arange(40) < 10, WAITING, ONE)
    (found,) = compare_models([waiting, OTHER], np.arange(40), Resampling(np.zeros(40, dtype=np.int64)))
    assert found.difference.n == 30
    assert found.difference.difference == pytest.approx(20 / 30 - 10 / 30)


def test_documents_with_several_examples_widen_the_interval_and_have_no_mcnemar() -> None:
    # Ten documents of four examples, all of which go the same way.
    one, other = np.repeat([RIGHT, WRONG], [24, 16]), np.repeat([WRONG, RIGHT], [20, 20])
    alone = compare_models([one, other], np.arange(40), Resampling(np.zeros(40, dtype=np.int64)))[0]
    grouped = compare_models([one, other], np.arange(40) // 4, Resampling(np.zeros(10, dtype=np.int64)))[0]
    assert grouped.difference.difference == alone.difference.difference
    assert grouped.mcnemar is None
    assert grouped.difference.interval is not None
    assert alone.difference.interval is not None
    assert width(grouped.difference.interval) > 1.5 * width(alone.difference.interval)


def width(interval) -> float:
    return float(interval.high - interval.low)
