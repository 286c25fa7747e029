"""Differences of means of subjects that answered different prompts."""

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.mean_pairs import compare_means
from stats.step_down import step_down


def test_where_both_answered_all_it_is_the_paired_t_statistic():
    generator = np.random.default_rng(1)
    values = generator.random((40, 2))
    resampling = Resampling(np.zeros(40, dtype=np.int64), resamples=50)
    found = compare_means(values, np.ones((40, 2)), [(0, 1)], resampling)
    (first, second) = values.T
    # SciPy divides the variance by n − 1.
    own = scipy.stats.ttest_rel(first, second).statistic * np.sqrt(40 / 39)

    assert found.differences == pytest.approx([(first - second).mean()])
    assert found.observed == pytest.approx([abs(own)])
    for weights, drawn in zip(np.concatenate(list(resampling.weights())), found.draws[:, 0], strict=True):
        again = np.average(first - second, weights=weights)
        error = np.sqrt(np.cov(first - second, aweights=weights, ddof=0) / 40)
        assert drawn == pytest.approx(abs(again - found.differences[0]) / error)


def test_means_of_different_prompts_have_the_variances_of_both():
    """Ada answered the first five prompts, Ben the next four: variances of the two means add up."""
    values = np.zeros((9, 2))
    values[:5, 0], values[5:, 1] = (0.1, 0.5, 0.9, 0.4, 0.6), (0.2, 0.3, 0.1, 0.6)
    counts = np.zeros((9, 2))
    counts[:5, 0], counts[5:, 1] = 1, 1
    found = compare_means(values, counts, [(0, 1)], Resampling(np.zeros(9, dtype=np.int64), resamples=10))
    ada, ben = values[:5, 0], values[5:, 1]

    assert found.differences == pytest.approx([0.5 - 0.3])
    assert found.observed == pytest.approx([0.2 / np.sqrt(ada.var() / 5 + ben.var() / 4)])


def test_a_few_prompts_show_nothing():
    """Ben answered two prompts of thirty: many a resample holds neither, or one of them twice."""
    generator = np.random.default_rng(2)
    values, counts = np.zeros((30, 2)), np.zeros((30, 2))
    values[:, 0], counts[:, 0] = 0.5 + 0.4 * generator.random(30), 1
    values[:2, 1], counts[:2, 1] = (0.01, 0.02), 1
    found = compare_means(values, counts, [(0, 1)], Resampling(np.zeros(30, dtype=np.int64)))

    assert found.observed[0] > 10
    assert not step_down(found.observed, found.draws).significant.any()


def test_without_a_pair_there_is_nothing():
    found = compare_means(np.ones((3, 1)), np.ones((3, 1)), [], Resampling(np.zeros(3, dtype=np.int64), resamples=10))

    assert found.observed.shape == (0,)
    assert found.draws.shape == (10, 0)
