"""Scores, probabilities and draws of prompts, against plain loops and SciPy."""

import numpy as np
import pytest
import scipy

from stats.detection import CORRECT, ERROR, MISSING, UNPARSED
from stats.label_sampling import (
    inclusion_probabilities,
    is_drawn,
    permanent_numbers,
    sampling_scores,
    scale_for,
    suspicion,
    unit_totals,
)


def codes(*values):
    return np.array(values, dtype=np.int8)


def test_an_undecided_unit_counts_as_wrong():
    # An error found, a correct unit called an error, an error missed, a correct one passed, and two undecided ones.
    decisions = codes(ERROR, ERROR, CORRECT, CORRECT, MISSING, UNPARSED)
    error = np.array([1.0, 0, 1, 0, 1, 0])
    assert unit_totals(decisions, error, np.zeros(6, dtype=np.int64), 1).tolist() == [[1, 2, 2, 1]]


def test_totals_are_expected_ones_where_errors_are_probable():
    # Called an error with probability 0.3 of being one, and passed with probability 0.2.
    totals = unit_totals(codes(ERROR, CORRECT), np.array([0.3, 0.2]), np.array([0, 1]), 2)
    assert totals == pytest.approx(np.array([[0.3, 0.7, 0, 0], [0, 0, 0.2, 0.8]]))


def test_suspicion_is_a_share_smoothed_by_one_more_evaluator():
    # Three calls of an error in five decisions: 3.5 / 6 overall.
    others = [codes(ERROR, CORRECT, MISSING), codes(ERROR, ERROR, CORRECT)]
    overall = 3.5 / 6
    assert suspicion(others) == pytest.approx([(2 + overall) / 3, (1 + overall) / 3, overall / 2])


def test_scores_are_what_labels_would_tell_for_each_unit():
    slopes = np.array([0.5, -0.2, -0.3, 0.1])
    decisions, suspected = codes(ERROR, CORRECT, CORRECT, MISSING), np.array([0.5, 0.1, 0.9, 0.2])
    prompt = np.array([0, 0, 1, 2])
    # Between an error and a correct unit: TP − FP, FN − TN, and FN − FP for an undecided one.
    deviations = [0.7 * 0.5, 0.4 * 0.3, 0.4 * 0.3, 0.1 * 0.4]
    first = 0.5 * (deviations[0] + deviations[1]) ** 2 + 0.5 * (deviations[0] ** 2 + deviations[1] ** 2)
    plain = np.array([np.sqrt(first / 2), deviations[2], deviations[3]])
    expected = 0.4 + 0.6 * plain / plain.mean()
    found = sampling_scores(slopes, decisions, suspected, prompt, 3, floor=0.4)
    assert found == pytest.approx(expected)
    assert found.mean() == pytest.approx(1)


def test_scores_are_equal_where_nothing_tells():
    scores = sampling_scores(np.zeros(4), codes(ERROR, CORRECT), np.array([0.5, 0.5]), np.array([0, 1]), 2)
    assert scores.tolist() == [1, 1]


@pytest.mark.parametrize("expected", [1, 3.5, 9, 11.9])
def test_the_scale_draws_so_many_on_average(expected):
    scores = np.random.default_rng(1).gamma(0.5, size=12) + 0.05
    by_root = scipy.optimize.brentq(lambda scale: np.minimum(1, scale * scores).sum() - expected, 0, 100)
    assert scale_for(scores, expected) == pytest.approx(by_root)
    assert inclusion_probabilities(scores, by_root).sum() == pytest.approx(expected)


@pytest.mark.parametrize("expected", [12, 40])
def test_all_are_drawn_where_all_are_wanted(expected):
    scores = np.random.default_rng(1).gamma(0.5, size=12) + 0.05
    probabilities = inclusion_probabilities(scores, scale_for(scores, expected))
    assert probabilities == pytest.approx(np.ones(12))
    assert is_drawn(permanent_numbers(np.zeros(12, dtype=np.int64), 3), np.ones(12)).all()


def test_numbers_are_uniform_and_spread_over_each_stratum():
    strata = np.array([0] * 5 + [1] * 3)
    drawn = np.array([permanent_numbers(strata, seed) for seed in range(4_000)])
    for quantile in (0.1, 0.37, 0.8):
        # 4,000 draws: an error of 0.008 is one standard error.
        assert (drawn <= quantile).mean(axis=0) == pytest.approx(np.full(8, quantile), abs=0.03)
    for stratum, size in ((0, 5), (1, 3)):
        steps = np.diff(np.sort(drawn[:, strata == stratum], axis=1), axis=1)
        assert steps == pytest.approx(np.full_like(steps, 1 / size))


def test_a_later_round_keeps_the_prompts_of_earlier_ones():
    scores = np.random.default_rng(2).gamma(1, size=50) + 0.1
    numbers = permanent_numbers(np.zeros(50, dtype=np.int64), 2)
    first, second = (is_drawn(numbers, inclusion_probabilities(scores, scale)) for scale in (0.2, 0.5))
    assert second[first].all()
    assert second.sum() > first.sum()
