"""Quantiles against SciPy's, and by hand."""

import numpy as np
import pytest
from scipy import stats

from stats.distributions import beta_cdf, beta_quantile, t_quantile


@pytest.mark.parametrize("probability", [0.025, 0.5, 0.975])
def test_beta_quantiles_are_scipys(probability):
    a, b = np.exp(np.random.default_rng(1).uniform(-4, 8, (2, 300)))
    expected = stats.beta.ppf(probability, a, b)
    assert beta_quantile(probability, a, b) == pytest.approx(expected, rel=1e-8, abs=1e-12)


def test_the_incomplete_beta_function_is_scipys_and_keeps_its_ends():
    a, b = np.exp(np.random.default_rng(2).uniform(-2, 6, (2, 200)))
    x = np.random.default_rng(3).random(200)
    assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-9, abs=1e-12)
    assert beta_cdf(np.array([0.0, 1.0]), np.array([2.0, 2.0]), np.array([3.0, 3.0])).tolist() == [0, 1]


def test_a_beta_quantile_by_hand():
    # I_x(n, 1) = xⁿ: the lower bound of 8 hits of 8 is 0.025^(1/8) = 0.6306.
    assert beta_quantile(0.025, np.array([8.0]), np.array([1.0])) == pytest.approx([0.025 ** (1 / 8)])


def test_t_quantiles_are_scipys_and_those_of_the_tables():
    freedom = np.array([1.0, 2, 7, 14, 30, 846])
    assert t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-10)
    assert t_quantile(0.975, np.array([1.0, 7.0])) == pytest.approx([12.7062, 2.3646], abs=1e-4)
