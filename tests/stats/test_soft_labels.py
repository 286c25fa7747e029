"""Distance to soft labels: by hand, against scikit-learn's Brier score, and where the best answer is a probability."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING
from stats.left_out import PeoplesLabels
from stats.soft_labels import soft_label_distances

C, E, M = CORRECT, ERROR, MISSING


def measure(labels, *judges, cluster=None):
    labels = np.array(labels, dtype=np.int8)
    cluster = np.arange(labels.shape[1]) if cluster is None else cluster
    resampling = Resampling(np.zeros(cluster.max() + 1, dtype=np.int64), resamples=300)
    return soft_label_distances(
        PeoplesLabels(labels, cluster), [np.array(each, dtype=float) for each in judges], resampling
    )


def test_by_hand():
    # Unit 0: three say error, so each label is met. Unit 1: two of three say error: against the shares 1/2, 1/2 and 1
    # the labels 1, 1 and 0 are 1/4, 1/4 and 1 off. Unit 2: a label alone has no target.
    [found] = measure([[E, E, E], [E, E, M], [E, C, M]], [1.0, 0.5, 0.0])
    assert found.people == pytest.approx((1 / 4 + 1 / 4 + 1) / 6)
    # The judge: 0 three times, then 0, 0 and 1/4.
    assert found.judge == pytest.approx(1 / 24)
    assert found.difference == pytest.approx(1 / 24 - 1 / 4)


def test_of_two_people_a_judge_has_the_brier_score_of_the_labels():
    from sklearn.metrics import brier_score_loss

    generator = np.random.default_rng(1)
    labels, score = generator.choice([C, E], size=(2, 60)), generator.random(60)
    [found] = measure(labels, score)
    assert found.judge == pytest.approx(brier_score_loss((labels == E).ravel(), np.tile(score, 2)))


def test_what_is_left_open_counts_as_the_wrong_verdict():
    [found] = measure([[E, C], [E, C], [E, E]], [np.nan, np.nan])
    # Unit 0: 1 three times. Unit 1: shares 1/2, 1/2 and 0: from 0, 0 and 1 they are 1/4, 1/4 and 1 off.
    assert found.judge == pytest.approx((3 + 1 / 4 + 1 / 4 + 1) / 6)


def test_without_a_second_label_nothing_is_measured():
    [found] = measure([[E, C, M], [M, M, E]], [1, 0, 1])
    assert (found.people, found.judge, found.difference, found.difference_interval) == (None, None, None, None)


def test_the_probability_beats_the_verdict_and_the_people():
    """Where people say error with a probability of 0.7 or 0.1, that probability is the best answer."""
    generator = np.random.default_rng(2)
    chance = np.where(generator.random(3_000) < 0.3, 0.7, 0.1)
    labels = np.where(generator.random((3, 3_000)) < chance, E, C)
    sure, verdict = measure(labels, chance, chance > 0.5)
    # A share of two others varies around the chance p by p (1 − p) / 2, a label by p (1 − p) more.
    spread = (chance * (1 - chance)).mean()
    assert sure.judge == pytest.approx(spread / 2, abs=0.01)
    assert sure.people == pytest.approx(spread * 3 / 2, abs=0.01)
    assert verdict.judge == pytest.approx(spread / 2 + ((chance - (chance > 0.5)) ** 2).mean(), abs=0.01)
    assert sure.difference_interval.high < 0 < verdict.judge - sure.judge


@pytest.mark.parametrize(("prompts", "given"), [(7, False), (8, True)])
def test_a_few_prompts_give_no_interval(prompts, given):
    generator = np.random.default_rng(3)
    labels = generator.choice([C, E], size=(3, 5 * prompts))
    [found] = measure(labels, generator.random(5 * prompts), cluster=np.repeat(np.arange(prompts), 5))
    assert [each is not None for each in (found.people_interval, found.judge_interval, found.difference_interval)] == [
        given
    ] * 3
