"""People and a judge on the same targets: by hand, and where the judge is as good as the people."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED
from stats.left_out import PeoplesLabels, like_with_like, stack_labels

C, E, M = CORRECT, ERROR, MISSING


def measure(labels, judge, resamples=200):
    labels, judge = np.array(labels, dtype=np.int8), np.array(judge, dtype=np.int8)
    units = labels.shape[1]
    resampling = Resampling(np.zeros(units, dtype=np.int64), resamples=resamples)
    [found] = like_with_like(PeoplesLabels(labels, np.arange(units)), [judge], resampling)
    return found


def test_by_hand():
    # Unit 0: all three say error. Unit 1: two say error: against them the third is wrong, for each of the two the
    # others are split. Unit 2: a label alone has no target.
    found = measure([[E, E, E], [E, E, M], [E, C, M]], [E, C, C])
    # Labels: three right errors and one missed, so 6/7. The judge in their places: the same.
    assert (found.n, found.people, found.judge, found.difference) == (4, 6 / 7, 6 / 7, 0)


def test_of_two_people_each_is_the_others_target():
    found = measure([[E, E, C, C], [E, C, E, C]], [E, E, E, E])
    # Both are right once, miss once and alarm once: 2/4. The judge: of eight places four are errors.
    assert (found.n, found.people) == (8, pytest.approx(1 / 2))
    assert found.judge == pytest.approx(2 * 4 / (2 * 4 + 4))


def test_an_answer_that_is_missing_or_unparsed_is_wrong():
    found = measure([[E, E, C], [E, E, C]], [M, UNPARSED, M])
    assert found.judge == 0


def test_without_a_second_label_there_are_no_targets():
    found = measure([[E, C, M], [M, M, E]], [E, E, E])
    assert (found.n, found.people, found.judge, found.difference, found.difference_interval) == (
        0,
        None,
        None,
        None,
        None,
    )


def test_a_judge_like_the_people_is_no_better_than_they_are():
    """Today's line: people against each other 0.59, a third person of the same quality against gold 0.74. On the same
    targets they are alike."""
    generator = np.random.default_rng(4)
    truth = generator.random(6000) < 0.3
    labels = [np.where(generator.random(6000) < np.where(truth, 0.7, 0.07), E, C) for _ in range(3)]
    *two, judge = labels
    against_truth = 2 * (truth & (judge == E)).sum() / (truth.sum() + (judge == E).sum())

    found = measure(two, judge)

    assert found.people == pytest.approx(0.587, abs=0.03)
    assert against_truth == pytest.approx(0.737, abs=0.03)
    assert found.difference == pytest.approx(0, abs=0.02)
    assert found.difference_interval.low < 0 < found.difference_interval.high


def test_a_better_judge_is_better_on_them_too():
    generator = np.random.default_rng(5)
    truth = generator.random(1000) < 0.3
    labels = [np.where(generator.random(1000) < np.where(truth, 0.7, 0.07), E, C) for _ in range(3)]
    found = measure(labels, np.where(truth, E, C))
    assert found.difference_interval.low > 0


def test_labels_that_were_not_understood_are_none():
    assert stack_labels([np.array([E, UNPARSED], dtype=np.int8)], 2).tolist() == [[E, M]]
    assert stack_labels([], 3).shape == (0, 3)
