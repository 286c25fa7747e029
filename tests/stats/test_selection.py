"""Price against quality, worked by hand."""

import numpy as np
import pytest

from stats.detection import ConfusionCounts
from stats.ensembles import Answers, total
from stats.selection import best_under, grouped_folds, hold_out, pareto_front

nan = np.nan


def front(*points):
    prices, figures = zip(*points, strict=True)
    return pareto_front(np.array(prices), np.array(figures)).tolist()


def test_the_front_rises_with_the_price():
    # The second is dearer than the first and worse, the third dearer and better.
    assert front((1, 0.4), (2, 0.3), (3, 0.5)) == [True, False, True]


def test_of_those_that_cost_the_same_only_the_best_stand_on_the_front():
    assert front((1, 0.4), (1, 0.5), (1, 0.5)) == [False, True, True]


def test_the_same_figure_at_a_higher_price_is_beaten():
    assert front((1, 0.4), (2, 0.4)) == [True, False]


def test_what_is_not_known_is_not_on_the_front():
    assert front((nan, 0.9), (1, nan), (2, 0.1)) == [False, False, True]


@pytest.mark.parametrize(("limit", "best"), [(None, 2), (5.0, 1), (1.0, 0), (0.5, None)])
def test_best_under_a_price(limit, best):
    prices, figures = np.array([1.0, 5.0, nan, 5.0]), np.array([0.3, 0.5, 0.7, 0.4])
    assert best_under(prices, figures, limit) == best


def test_of_equals_the_cheaper_is_best():
    assert best_under(np.array([2.0, nan, 1.0]), np.array([0.5, 0.5, 0.5]), None) == 2


def test_a_choice_that_follows_chance_does_not_hold_out():
    """Each of two candidates is right about one prompt alone: chosen on the other prompt, it fails on this one."""
    tp, fn = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    held = hold_out(ConfusionCounts(tp, 0 * tp, fn, 0 * tp), np.array([0, 1]), np.array([True, True]))
    # By itself each has F1 2/3 over both prompts. With prompt 0 held out, candidate 1 is chosen and misses it.
    assert held.f1 == 0
    assert held.chosen.tolist() == [1, 1]


def test_held_out_is_the_figure_itself_where_there_is_nothing_to_choose():
    tp, fp, fn = np.array([[2.0, 1.0, 0.0]]), np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 1.0]])
    held = hold_out(ConfusionCounts(tp, fp, fn, 0 * tp), np.array([0, 1, 2]), np.array([True]))
    assert held.f1 == pytest.approx(2 * 3 / (2 * 3 + 1 + 2))


def test_what_is_too_dear_is_not_chosen():
    tp = np.array([[1.0, 1.0], [0.0, 1.0]])
    held = hold_out(ConfusionCounts(tp, 0 * tp, 1 - tp, 0 * tp), np.array([0, 1]), np.array([False, True]))
    assert held.chosen.tolist() == [0, 2]


def test_nothing_can_be_held_out_where_a_fold_leaves_no_error_to_choose_by():
    tp = np.array([[1.0, 0.0]])
    assert hold_out(ConfusionCounts(tp, 0 * tp, 0 * tp, 1 - tp), np.array([0, 1]), np.array([True])) is None


def test_folds_are_of_a_size_and_spread_each_stratum():
    strata = np.array([0] * 30 + [1] * 15 + [2] * 5)
    fold = grouped_folds(strata, folds=5)
    assert np.bincount(fold).tolist() == [10] * 5
    assert [np.bincount(fold[strata == stratum]).tolist() for stratum in range(3)] == [[6] * 5, [3] * 5, [1] * 5]
    assert (fold == grouped_folds(strata, folds=5)).all()


def answers(*pairs, flat=0.0):
    unit, call = zip(*pairs, strict=True) if pairs else ((), ())
    return Answers(np.array(unit, dtype=np.int64), np.array(call, dtype=np.int64), flat)


ALL = np.array([True, True, True])
LAST = np.array([False, False, True])


def test_an_answer_that_serves_several_units_is_paid_once():
    # Units 0 and 1 were read from call 0, unit 2 from call 1.
    assert total([(answers((0, 0), (1, 0), (2, 1)), ALL)], np.array([0.5, 0.25])) == 0.75


def test_an_answer_that_serves_two_judges_is_paid_once():
    one, other = answers((0, 0), (0, 1)), answers((0, 0), (0, 2))
    assert total([(one, ALL), (other, ALL)], np.array([1.0, 2.0, 4.0])) == 7


def test_a_judge_is_paid_for_the_units_it_is_asked_about_alone():
    assert total([(answers((0, 0), (1, 0), (2, 1)), LAST)], np.array([0.5, 0.25])) == 0.25


def test_an_unknown_price_makes_the_whole_unknown_but_only_where_it_is_paid():
    some = answers((0, 0), (2, 1))
    assert np.isnan(total([(some, ALL)], np.array([nan, 0.25])))
    assert total([(some, LAST)], np.array([nan, 0.25])) == 0.25


def test_a_flat_price_is_paid_a_unit():
    elsewhere = answers(flat=0.1)
    assert total([(elsewhere, ALL), (answers((0, 0)), ALL)], np.array([1.0])) == pytest.approx(1.3)
    assert np.isnan(total([(answers(flat=nan), LAST)], np.empty(0)))
    assert total([(answers(flat=nan), np.zeros(3, dtype=np.bool_))], np.empty(0)) == 0
