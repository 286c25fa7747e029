"""Quantiles by hand and by printed tables."""

import numpy as np
import pytest

from stats.distributions import beta_quantile, chi_square_quantile, t_probability, t_quantile


def test_a_beta_quantile_by_hand():
    # I_x(n, 1) = xⁿ: the lower bound of 8 hits of 8 is 0.025^(1/8) = 0.6306.
    assert beta_quantile(0.025, np.array([8.0]), np.array([1.0])) == pytest.approx([0.025 ** (1 / 8)])


def test_chi_square_quantiles_are_those_of_the_tables():
    found = chi_square_quantile(np.array([[0.05], [0.95]]), np.array([1.0, 10.0]))
    assert found == pytest.approx(np.array([[0.00393, 3.940], [3.841, 18.307]]), abs=1e-3)


def test_t_quantiles_are_those_of_the_tables():
    assert t_quantile(0.975, np.array([1.0, 7.0])) == pytest.approx([12.7062, 2.3646], abs=1e-4)


def test_probabilities_of_t_are_those_of_the_tables():
    found = t_probability(np.array([12.7062, -2.3646, 0.0]), np.array([1.0, 7.0, 3.0]))
    assert found == pytest.approx([0.975, 0.025, 0.5], abs=1e-5)
