"""Brier and log score with their parts: by hand, and against scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.proper_scores import LOSSES, brier, logarithmic, proper_score, rising
from tests.stats.exact import exact_of
from tests.stats.test_curves import random_units, scored

RESAMPLING = Resampling(np.zeros(40, dtype=np.int64), resamples=200)


def inside(units):
    """The same with no score of 0 or 1."""
    return scored(units.error, np.clip(units.score, 0.05, 0.95), cluster=units.cluster)


def test_the_brier_score_by_hand():
    # Supported at 0.8 and 0.4, an error at 0.4: (0.04 + 0.36 + 0.16) / 3.
    found = proper_score(scored([0, 0, 1], [0.8, 0.4, 0.4]), brier, RESAMPLING)
    assert found.value == pytest.approx(0.56 / 3)
    # Corrected to 1, ½ and ½: (¼ + ¼) / 3. Of the prevalence ⅔: ⅔ · ⅓.
    assert found.miscalibration == pytest.approx(0.06 / 3)
    assert found.discrimination == pytest.approx(2 / 9 - 1 / 6)
    assert found.uncertainty == pytest.approx(2 / 9)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_scores_and_parts_are_those_of_scikit_learn(seed, ties):
    from sklearn.isotonic import IsotonicRegression
    from sklearn.metrics import brier_score_loss, log_loss

    units = inside(random_units(seed, ties=ties))
    supported = ~units.error
    fit = IsotonicRegression(y_min=0, y_max=1).fit(units.score, supported)
    corrected = fit.predict(units.score)
    assert rising(units.score, supported) == pytest.approx(corrected)
    witnesses = (
        ("brier", lambda score: brier_score_loss(supported, score)),
        ("log", lambda score: log_loss(supported, score)),
    )
    for name, witness in witnesses:
        found = proper_score(units, LOSSES[name], RESAMPLING)
        prevalence = np.full(len(supported), supported.mean())
        assert found.value == pytest.approx(witness(units.score))
        assert found.miscalibration == pytest.approx(witness(units.score) - witness(corrected), abs=1e-9)
        assert found.discrimination == pytest.approx(witness(prevalence) - witness(corrected), abs=1e-9)
        assert found.uncertainty == pytest.approx(witness(prevalence))


@pytest.mark.parametrize("loss", LOSSES.values(), ids=list(LOSSES))
def test_the_parts_add_up_and_none_is_below_0(loss):
    found = proper_score(inside(random_units(5)), loss, RESAMPLING)
    assert found.value == pytest.approx(found.miscalibration - found.discrimination + found.uncertainty)
    assert min(found.miscalibration, found.discrimination, found.uncertainty) >= 0


def test_a_score_that_rules_out_what_is_so_is_infinitely_bad():
    found = proper_score(scored([0, 1], [0.0, 0.4], cluster=[0, 1]), logarithmic, RESAMPLING)
    assert (found.value, found.interval) == (np.inf, None)
    assert found.finite["value"] is None
    assert found.finite["uncertainty"] == pytest.approx(np.log(2))


def test_the_interval_resamples_whole_prompts():
    units = random_units(1)
    weights = np.concatenate(list(RESAMPLING.weights()))[:, units.cluster]
    drawn = [np.average((units.score - ~units.error) ** 2, weights=each) for each in weights]
    low, high = proper_score(units, brier, RESAMPLING).interval
    value, prompts = np.mean((units.score - ~units.error) ** 2), len(np.unique(units.cluster))
    assert [low, high] == pytest.approx(exact_of(value, drawn, prompts))
    units = replace(units, score=np.clip(units.score, 0.1, 0.9))
    drawn = [np.average(logarithmic(units.score, ~units.error), weights=each) for each in weights]
    found, reach = proper_score(units, logarithmic, RESAMPLING), scipy.stats.t.ppf(0.975, prompts - 1) * np.std(drawn)
    assert found.interval.ends() == pytest.approx([max(0, found.value - reach), found.value + reach])


@pytest.mark.parametrize(("score", "value"), [([0.5] * 10, 0.25), ([0.0, 1.0] * 5, 0.0)])
def test_a_score_that_no_resample_changes_has_no_interval(score, value):
    found = proper_score(scored([1, 0] * 5, score, cluster=[*range(10)]), brier, RESAMPLING)
    assert found.value == value
    assert found.interval is None


def test_nothing_has_no_score():
    found = proper_score(scored([], []), brier, RESAMPLING)
    assert set(found.finite.values()) == {None}
