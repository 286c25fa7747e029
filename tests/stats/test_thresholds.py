"""The nested choice of a threshold, by hand."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.selection import grouped_folds
from stats.thresholds import ONE_SIDED, TOO_FEW, best_threshold, choose
from tests.stats.test_curves import random_units, scored


def resampling(clusters):
    return Resampling(np.zeros(clusters, dtype=np.int64), resamples=200)


def test_the_best_threshold_by_hand():
    # Up to 0.3: 2 of 2 errors found, no false alarm.
    assert best_threshold(scored([1, 1, 0, 0], [0.1, 0.3, 0.4, 0.9])) == (0.3, 1.0)


def test_of_equal_thresholds_the_nearest_to_one_half_is_chosen():
    # Up to 0.1 one error of two is found: F1 2/3. Up to 0.6 both, with two false alarms: F1 4/6, the same.
    assert best_threshold(scored([1, 0, 0, 1, 0], [0.1, 0.2, 0.3, 0.6, 0.9])) == (0.6, pytest.approx(2 / 3))


def test_of_two_as_near_the_lower_is_chosen():
    assert best_threshold(scored([1, 0, 0, 1, 0], [0.25, 0.3, 0.4, 0.75, 0.9]))[0] == 0.25


def test_without_errors_there_is_no_threshold():
    assert np.isnan(best_threshold(scored([0, 0], [0.1, 0.9]))).all()


def test_each_fold_is_judged_by_what_the_others_choose():
    # Each of 20 prompts has an error at 0.2 and a correct unit at 0.6; in one prompt the error is at 0.5.
    error, score = [1, 0] * 20, [0.2, 0.6] * 20
    score[0] = 0.5
    units = scored(error, score, cluster=np.repeat(np.arange(20), 2))
    found = choose(units, resampling(20))
    fold = int(grouped_folds(np.zeros(20, dtype=np.int64))[0])
    # The other folds have not seen 0.5: they choose 0.2, and overlook that error.
    assert found.by_fold[fold] == 0.2
    assert set(np.delete(found.by_fold, fold)) == {0.5}
    assert (found.chosen, found.apparent) == (0.5, 1.0)
    assert found.held_out.f1 == pytest.approx(2 * 19 / (2 * 19 + 1))
    assert found.optimism == pytest.approx(1 / 39)


def test_the_used_threshold_is_measured_on_the_same_units():
    # Used at 0.3 it calls only the first an error; all the errors lie up to 0.4.
    error, score = [1, 1, 0] * 10, [0.2, 0.4, 0.8] * 10
    units = scored(error, score, called=[1, 0, 0] * 10, cluster=np.repeat(np.arange(10), 3))
    found = choose(units, resampling(10))
    assert found.used.f1 == pytest.approx(2 / 3)
    assert found.held_out.f1 == 1
    assert found.gain.f1 == pytest.approx(1 / 3)
    # Every prompt gains alike: no draw of them tells anything on chance.
    assert found.gain.interval is None


def test_a_threshold_chosen_on_noise_is_optimistic():
    generator = np.random.default_rng(5)
    units = scored(generator.random(60) < 0.3, generator.random(60))
    found = choose(units, resampling(60))
    assert found.optimism > 0
    assert found.by_fold.max() > found.by_fold.min()


def test_one_prompt_gives_no_choice():
    assert choose(scored([1, 0], [0.1, 0.9], cluster=[0, 0]), resampling(1)) == TOO_FEW


def test_errors_of_one_prompt_give_no_choice():
    assert choose(scored([1, 0, 0], [0.1, 0.9, 0.8]), resampling(3)) == ONE_SIDED


def test_the_order_of_the_units_is_no_matter():
    units = random_units(2)
    order = np.random.default_rng(0).permutation(300)
    mixed = scored(units.error[order], units.score[order], units.called[order], units.cluster[order])
    one, other = (choose(each, resampling(40)) for each in (units, mixed))
    assert one.by_fold.tolist() == other.by_fold.tolist()
    assert one.held_out == other.held_out
