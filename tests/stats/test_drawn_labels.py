"""Figures from drawn labels, against every possible sample, plain loops and SciPy."""

from itertools import product

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, METRICS, MISSING, ConfusionCounts
from stats.drawn_labels import (
    FOLDS,
    RATIOS,
    LabelledPool,
    calibrated,
    contributions,
    estimate,
    later_variance,
    power_weights,
    slopes_of,
)


def make_pool(prompts=40, seed=1, drawn=0.5, probability=None, units=4):
    """Prompts of some units each, a third of them errors, half of the prompts labelled."""
    generator = np.random.default_rng(seed)
    prompt = np.repeat(np.arange(prompts), units)
    truth = generator.random(len(prompt)) < generator.beta(0.5, 1, prompts)[prompt]
    alarms = generator.random(len(prompt)) < np.where(truth, 0.6, 0.2)
    suspected = np.clip(np.where(truth, 0.6, 0.3) + generator.normal(0, 0.15, len(prompt)), 0.05, 0.95)
    chance = np.full(prompts, drawn) if probability is None else probability
    labelled = generator.random(prompts) < chance
    return LabelledPool(
        decisions=np.where(alarms, ERROR, CORRECT).astype(np.int8),
        suspected=suspected,
        error=truth & labelled[prompt],
        counted=np.ones(len(prompt), dtype=np.bool_),
        prompt=prompt,
        probability=chance,
        labelled=labelled,
        beforehand=np.zeros(prompts, dtype=np.bool_),
        fold=generator.permutation(prompts) % FOLDS,
    ), truth


def relabelled(pool, truth, labelled):
    return LabelledPool(
        pool.decisions,
        pool.suspected,
        truth & labelled[pool.prompt],
        pool.counted,
        pool.prompt,
        pool.probability,
        labelled,
        pool.beforehand,
        pool.fold,
    )


def test_totals_are_unbiased_over_every_possible_sample():
    """Eight prompts, 256 samples, each with its probability: whatever predictions and λ were learnt in other folds."""
    probability = np.array([0.2, 0.9, 0.5, 0.4, 0.7, 0.3, 0.6, 1.0])
    pool, truth = make_pool(prompts=8, seed=3, probability=probability)
    everything = relabelled(pool, truth, np.ones(8, dtype=np.bool_))
    slopes = np.array([0.4, -0.3, -0.2, 0.1])
    expected = np.zeros(4)
    for sample in product([False, True], repeat=8):
        drawn = np.array(sample)
        chance = np.where(drawn, probability, 1 - probability).prod()
        if not chance:
            continue
        each = relabelled(pool, truth, drawn)
        true, by_fold = each.true_totals(), each.predicted_totals()
        weight = power_weights(each, true @ slopes, by_fold @ slopes)
        expected += chance * contributions(each, true, each.own(by_fold), weight).sum(axis=0)
    assert expected == pytest.approx(everything.true_totals().sum(axis=0))


def test_units_are_calibrated_by_a_penalised_logistic_regression_on_other_folds():
    pool, _ = make_pool(probability=np.random.default_rng(5).uniform(0.3, 0.9, 40))
    found = calibrated(pool)
    weights = pool.weights[pool.prompt]
    features = np.stack(
        [np.ones(len(pool.prompt)), pool.decisions == ERROR, np.log(pool.suspected / (1 - pool.suspected))], axis=1
    )
    for fold in range(FOLDS):
        used = (weights > 0) & (pool.fold[pool.prompt] != fold)
        scaled = weights[used] / weights[used].mean()

        def loss(coefficients, used=used, scaled=scaled):
            logit = features[used] @ coefficients
            likelihood = np.logaddexp(0, logit) - pool.error[used] * logit
            return (scaled * likelihood).sum() + ((coefficients - [0, 0, 1]) ** 2).sum() / 2

        coefficients = scipy.optimize.minimize(loss, [0, 0, 1], method="BFGS", options={"gtol": 1e-8}).x
        assert found[fold] == pytest.approx(1 / (1 + np.exp(-features @ coefficients)), abs=1e-5)


def test_the_suspicion_stands_where_nothing_is_labelled():
    pool, _ = make_pool(drawn=0.0)
    assert calibrated(pool) == pytest.approx(np.tile(pool.suspected, (FOLDS, 1)))


def test_the_weight_of_predictions_makes_the_variance_least():
    generator = np.random.default_rng(2)
    pool, _ = make_pool(probability=generator.uniform(0.2, 0.8, 40))
    change = generator.normal(size=40)
    predicted = generator.normal(size=(FOLDS, 40)) + 2 * change
    weight = power_weights(pool, change, predicted)
    for fold in range(FOLDS):
        others = pool.labelled & (pool.fold != fold)
        spread = ((1 - pool.probability) / pool.probability**2)[others]

        def variance(share, fold=fold, others=others, spread=spread):
            return (spread * (change - share * predicted[fold])[others] ** 2).sum()

        best = scipy.optimize.minimize_scalar(variance, bounds=(0, 1), method="bounded", options={"xatol": 1e-9}).x
        assert weight[pool.fold == fold] == pytest.approx(best, abs=1e-6)


def test_predictions_that_point_the_other_way_weigh_nothing():
    pool, _ = make_pool()
    change = np.random.default_rng(4).normal(size=40)
    assert power_weights(pool, change, np.tile(-change, (FOLDS, 1))).tolist() == [0] * 40
    assert power_weights(pool, change, np.tile(change / 3, (FOLDS, 1))).tolist() == [1] * 40


@pytest.mark.parametrize("figure", RATIOS)
def test_slopes_are_derivatives(figure):
    totals = np.array([30.0, 12, 9, 80])
    slopes = slopes_of(figure, totals)
    for place in range(4):
        step = np.zeros(4)
        step[place] = 1e-5
        compute = METRICS[figure].compute
        change = compute(ConfusionCounts(*(totals + step))) - compute(ConfusionCounts(*(totals - step)))
        assert slopes[place] == pytest.approx(change / 2e-5, rel=1e-6)


@pytest.mark.parametrize("figure", RATIOS)
def test_labels_of_all_prompts_give_the_figure_itself(figure):
    """The variance is that of the clustered bootstrap, which knows no formula of this kind."""
    pool, truth = make_pool(prompts=300, drawn=1.0)
    found = estimate(pool, figure)
    totals = relabelled(pool, truth, np.ones(300, dtype=np.bool_)).true_totals()
    compute = METRICS[figure].compute
    assert found.value == pytest.approx(float(compute(ConfusionCounts(*totals.sum(axis=0)))))
    drawn = Resampling(np.zeros(300, dtype=np.int64)).totals(totals)
    assert found.variance**0.5 == pytest.approx(compute(ConfusionCounts(*drawn.T)).std(), rel=0.05)
    assert found.random_prompts == pytest.approx(300, rel=0.01)
    assert not found.residuals.any() or later_variance(pool, found, pool.probability) == found.variance


def test_the_estimate_by_hand():
    """Three prompts of one unit each: one labelled beforehand, one drawn with probability 0.5, one not drawn.

    No other fold has labels that vary, so λ is that of the other labelled prompt's fold.
    """
    pool = LabelledPool(
        decisions=np.array([ERROR, ERROR, MISSING], dtype=np.int8),
        suspected=np.array([0.5, 0.5, 0.5]),
        error=np.array([True, True, False]),
        counted=np.ones(3, dtype=np.bool_),
        prompt=np.arange(3),
        probability=np.array([1.0, 0.5, 0.5]),
        labelled=np.array([True, True, False]),
        beforehand=np.array([True, False, False]),
        fold=np.array([0, 1, 2]),
    )
    true, predicted = pool.true_totals(), np.array([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0]])
    added = contributions(pool, true, predicted, np.array([0.5, 0.5, 1.0]))
    # Known: its labels. Drawn: 0.25 + (1 − 0.25)/0.5 true, 0.25 − 0.25/0.5 false positives. Not drawn: predictions.
    assert added.tolist() == [[1, 0, 0, 0], [1.75, -0.25, 0, 0], [0, 0.5, 0.5, 0]]


def test_units_that_gold_leaves_out_have_no_true_totals():
    pool, _ = make_pool(prompts=2, drawn=1.0)
    pool.counted[:3] = False
    assert pool.true_totals().sum(axis=1).tolist() == [1, 4]


def test_too_few_prompts_give_no_interval():
    pool, _ = make_pool(prompts=12, seed=4, drawn=0.4)
    found = estimate(pool, "recall")
    assert found.interval is None
    assert found.random_prompts is None
    assert "below 5 none holds" in found.withheld


def test_without_an_error_among_the_labels_there_is_no_figure():
    pool, truth = make_pool()
    found = estimate(relabelled(pool, np.zeros_like(truth), pool.labelled), "f1")
    assert (found.value, found.interval) == (None, None)
    assert "0 prompts with an error" in found.withheld


def test_more_labels_leave_the_part_between_prompts():
    pool, _ = make_pool(prompts=200, drawn=0.4)
    found = estimate(pool, "f1")
    higher = [later_variance(pool, found, np.full(200, chance)) for chance in (0.4, 0.6, 1.0)]
    assert higher[0] == pytest.approx(found.variance)
    assert higher[0] > higher[1] > higher[2] > 0
    # All drawn: the variance less the whole part of the draw, Σ (1 − p) / p² · residual².
    part = (found.residuals**2 * 0.6 / 0.4**2).sum()
    assert higher[2] == pytest.approx(found.variance - part)
