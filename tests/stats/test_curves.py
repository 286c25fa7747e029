"""Curves over scores: by hand, and against scikit-learn."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.curves import (
    ScoredUnits,
    area_under_roc,
    areas_of,
    average_precision,
    curve_of,
    risk_against_coverage,
    risk_at,
    spread,
)
from tests.stats.exact import exact_of


def scored(error, score, called=None, cluster=None):
    error, score = np.array(error, dtype=bool), np.array(score, dtype=float)
    called = score <= 0.5 if called is None else np.array(called, dtype=bool)
    cluster = np.arange(len(error)) if cluster is None else np.array(cluster)
    return ScoredUnits(error, called, score, cluster)


def random_units(seed, n=300, ties=False):
    generator = np.random.default_rng(seed)
    error = generator.random(n) < 0.3
    score = np.clip(np.where(error, 0.4, 0.6) + generator.normal(0, 0.25, n), 0, 1)
    return scored(error, np.round(score, 1) if ties else score, cluster=generator.integers(0, 40, n))


def test_the_curve_by_hand():
    # From the lowest score: an error at 0.1, an error and a correct unit at 0.2, a correct unit at 0.9.
    curve = curve_of(scored([1, 0, 1, 0], [0.1, 0.2, 0.2, 0.9]))
    assert curve.threshold.tolist() == [0.1, 0.2, 0.9]
    assert curve.precision.tolist() == [1, 2 / 3, 1 / 2]
    assert curve.recall.tolist() == [1 / 2, 1, 1]
    assert curve.false_alarms.tolist() == [0, 1 / 2, 1]
    assert curve.f1 == pytest.approx([2 / 3, 4 / 5, 2 / 3])


def test_the_areas_by_hand():
    curve = curve_of(scored([1, 0, 1, 0], [0.1, 0.2, 0.2, 0.9]))
    # Recall rises by 1/2 at precision 1, then by 1/2 at 2/3. Of four pairs three are in order, one is tied.
    assert average_precision(curve) == pytest.approx(5 / 6)
    assert area_under_roc(curve) == pytest.approx(3.5 / 4)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_areas_are_scikit_learns(seed, ties):
    from sklearn.metrics import average_precision_score, roc_auc_score

    units = random_units(seed, ties=ties)
    curve = curve_of(units)
    assert average_precision(curve) == pytest.approx(average_precision_score(units.error, 1 - units.score))
    assert area_under_roc(curve) == pytest.approx(roc_auc_score(units.error, 1 - units.score))


def test_the_points_are_scikit_learns():
    from sklearn.metrics import precision_recall_curve, roc_curve

    units = random_units(7, ties=True)
    curve = curve_of(units)
    precision, recall, _ = precision_recall_curve(units.error, -units.score)
    alarms, found, _ = roc_curve(units.error, -units.score, drop_intermediate=False)
    assert curve.precision[::-1] == pytest.approx(precision[:-1])
    assert curve.recall[::-1] == pytest.approx(recall[:-1])
    assert curve.false_alarms == pytest.approx(alarms[1:])
    assert curve.recall == pytest.approx(found[1:])


def test_areas_are_undefined_without_errors_and_without_correct_units():
    right, wrong = curve_of(scored([0, 0], [0.1, 0.9])), curve_of(scored([1, 1], [0.1, 0.9]))
    assert np.isnan(average_precision(right))
    assert np.isnan(area_under_roc(right))
    assert average_precision(wrong) == 1
    assert np.isnan(area_under_roc(wrong))


def test_intervals_resample_whole_prompts():
    from sklearn.metrics import average_precision_score, roc_auc_score

    units = random_units(1)
    resampling = Resampling(np.zeros(40, dtype=np.int64), resamples=300)
    areas = areas_of(units, resampling)
    weights = np.concatenate(list(resampling.weights()))[:, units.cluster]
    drawn = [roc_auc_score(units.error, 1 - units.score, sample_weight=each) for each in weights]
    clusters = len(np.unique(units.cluster[units.error]))
    assert areas.area_under_roc_interval.ends() == pytest.approx(exact_of(areas.area_under_roc, drawn, clusters))
    drawn = [average_precision_score(units.error, 1 - units.score, sample_weight=each) for each in weights]
    assert areas.average_precision_interval.ends() == pytest.approx(exact_of(areas.average_precision, drawn, clusters))


def test_one_prompt_has_areas_and_no_interval():
    areas = areas_of(scored([1, 0], [0.1, 0.9], cluster=[0, 0]), Resampling(np.zeros(2, dtype=np.int64), resamples=50))
    assert areas.area_under_roc == 1
    assert areas.area_under_roc_interval is None


def test_risk_against_coverage_by_hand():
    # Confidences 0.9 (right), 0.8 (wrong: called an error at 0.2), 0.6 (right) and 0.6 (wrong).
    units = scored([0, 0, 1, 1], [0.9, 0.2, 0.4, 0.6])
    risk = risk_against_coverage(units)
    assert risk.coverage.tolist() == [1 / 4, 1 / 2, 1]
    assert risk.risk.tolist() == [0, 1 / 2, 1 / 2]
    assert risk.confidence == pytest.approx([0.9, 0.8, 0.6])
    assert risk_at(risk, 0.25) == 0
    assert risk_at(risk, 0.6) == 1 / 2


def test_equal_confidences_are_one_point_though_floats_differ():
    """An error called at 3/9 and a supported unit at 6/9 are both 2/3 sure, and 1 − 3/9 is not 6/9 as a float."""
    assert 1 - 3 / 9 != 6 / 9
    risk = risk_against_coverage(scored([0, 0, 1], [3 / 9, 6 / 9, 0.9]))
    assert risk.coverage.tolist() == [1 / 3, 1]
    assert risk.risk.tolist() == [1, 2 / 3]


def test_confidence_is_that_in_the_evaluators_own_decision():
    # With a threshold of 0.3 a score of 0.4 says supported, and is not sure of it.
    risk = risk_against_coverage(scored([0, 0], [0.4, 0.9], called=[0, 0]))
    assert risk.confidence.tolist() == [0.9, 0.4]


def test_nothing_has_an_empty_curve():
    nothing = scored([], [])
    assert not len(curve_of(nothing).threshold)
    assert np.isnan(risk_at(risk_against_coverage(nothing), 1))


def test_a_thinned_curve_keeps_its_ends():
    assert spread(5, 10).tolist() == [0, 1, 2, 3, 4]
    assert spread(1000, 3).tolist() == [0, 500, 999]
