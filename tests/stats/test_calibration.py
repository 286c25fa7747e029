"""Reliability: by hand, and against scikit-learn."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.calibration import reliability
from tests.stats.test_curves import random_units, scored

RESAMPLING = Resampling(np.zeros(40, dtype=np.int64), resamples=200)


def test_expected_calibration_error_by_hand():
    # Two scores, so two bins: at 0.2 one of four is supported, at 0.8 all of four.
    units = scored([1, 1, 1, 0, 0, 0, 0, 0], [0.2] * 4 + [0.8] * 4)
    found = reliability(units, RESAMPLING)
    assert [(each.units, each.score, each.supported) for each in found.bins] == [(4, 0.2, 0.25), (4, 0.8, 1.0)]
    assert found.observed == pytest.approx((0.05 + 0.2) / 2)


@pytest.mark.parametrize("ties", [False, True])
def test_the_bins_are_scikit_learns(ties):
    from sklearn.calibration import calibration_curve

    units = random_units(3, ties=ties)
    supported, score = calibration_curve(~units.error, units.score, n_bins=10, strategy="quantile")
    found = reliability(units, RESAMPLING)
    assert [each.supported for each in found.bins] == pytest.approx(supported)
    assert [each.score for each in found.bins] == pytest.approx(score)
    assert sum(each.units for each in found.bins) == 300


def test_equal_scores_stand_in_one_bin():
    found = reliability(scored([1, 0] * 20, [0.5] * 40, cluster=list(range(40))), RESAMPLING)
    assert [each.units for each in found.bins] == [40]
    assert found.observed == found.error == 0


def test_a_bin_of_one_prompt_has_no_interval():
    units = scored([1, 0] * 5, [0.1] * 2 + [0.9] * 8, cluster=[0, 0, *range(1, 9)])
    found = reliability(units, RESAMPLING)
    assert [each.interval is None for each in found.bins] == [True, False]


@pytest.mark.parametrize(("prompts", "given"), [(7, False), (8, True)])
def test_a_few_prompts_give_no_interval(prompts, given):
    error, cluster = np.arange(2 * prompts) % 3 == 0, np.repeat(np.arange(prompts), 2)
    units = scored(error, [0.3, 0.6] * prompts, cluster=cluster)
    assert (reliability(units, RESAMPLING).interval is not None) == given


def test_perfect_scores_of_twelve_prompts_are_not_surely_perfect():
    found = reliability(scored([1, 0] * 12, [0.0, 1.0] * 12, cluster=np.repeat(np.arange(12), 2)), RESAMPLING)
    assert (found.error, found.interval) == (0, None)


def test_nothing_has_no_calibration_error():
    found = reliability(scored([], []), RESAMPLING)
    assert found.bins == []
    assert np.isnan(found.observed)
    assert np.isnan(found.error)


def world(generator, prompts, off):
    """Five scores a prompt, `off` too high, with luck that half of a prompt's units share."""
    score = generator.beta(2, 1, size=(prompts, 5))
    alike = np.where(
        generator.random((prompts, 5)) < 0.5, generator.random((prompts, 1)), generator.random((prompts, 5))
    )
    supported = alike < np.clip(score - off, 0, 1)
    return scored(~supported.ravel(), score.ravel(), cluster=np.repeat(np.arange(prompts), 5))


@pytest.mark.parametrize("prompts", [60, 300])
def test_the_error_of_true_probabilities_is_within_its_interval(prompts):
    """Chance alone makes the observed error of 60 prompts 0.06, and a percentile interval never holds 0."""
    generator = np.random.default_rng(5)
    resampling = Resampling(np.zeros(prompts, dtype=np.int64), resamples=200)
    found = [reliability(world(generator, prompts, 0), resampling) for _ in range(60)]
    # Of 100 samples some two or three have smaller gaps than chance leaves, and no interval.
    given = [each.interval for each in found if each.interval]
    assert len(given) >= 0.9 * len(found)
    assert np.mean([each.low == 0 for each in given]) >= 0.9
    assert all(each.high > 0 for each in given)
    assert np.mean([each.error for each in found]) < 0.5 * np.mean([each.observed for each in found])


def test_scores_that_are_too_high_by_015_have_that_error():
    generator = np.random.default_rng(6)
    resampling = Resampling(np.zeros(200, dtype=np.int64), resamples=200)
    found = [reliability(world(generator, 200, 0.15), resampling) for _ in range(40)]
    # Where the score is below 0.15 the probability stops at 0: E|min(s, 0.15)| of a beta(2, 1) is 0.149.
    assert np.mean([each.error for each in found]) == pytest.approx(0.149, abs=0.01)
    assert np.mean([each.interval.low <= 0.149 <= each.interval.high for each in found]) >= 0.85
    assert all(each.interval.low > 0 for each in found)
