"""Agreement of raters: figures with titles, and a reason where one is undefined."""

import numpy as np
import pytest

from ratings.agreement import agreement_of, no_agreement
from stats.agreement import GAP

COEFFICIENTS = ("percent", "alpha")


def test_each_coefficient_has_its_title_and_its_interval():
    ratings = np.array([[0, 0], [1, 1], [0, 1], [1, 1]] * 4)
    figures = agreement_of(ratings, 2, np.arange(16), COEFFICIENTS, "there is no variation")
    assert [each.name for each in figures.values()] == ["Percent agreement", "Krippendorff's α"]
    assert figures["percent"].value == pytest.approx(3 / 4)
    assert all(each.interval is not None and each.why == "" for each in figures.values())


def test_an_undefined_coefficient_says_why():
    figures = agreement_of(np.zeros((3, 2), dtype=np.int64), 2, np.arange(3), COEFFICIENTS, "there is no variation")
    assert (figures["percent"].value, figures["percent"].why) == (1.0, "")
    assert (figures["alpha"].value, figures["alpha"].interval) == (None, None)
    assert figures["alpha"].why == "there is no variation"


def test_a_missing_rating_is_a_gap():
    ratings = np.array([[0, 0, GAP], [1, 1, 1], [0, 0, 0]])
    figures = agreement_of(ratings, 2, np.arange(3), COEFFICIENTS, "there is no variation")
    assert [each.value for each in figures.values()] == [1.0, 1.0]


def test_without_a_second_rater_nothing_is_defined():
    figures = no_agreement(COEFFICIENTS, "nobody to agree with")
    assert [(each.value, each.why) for each in figures.values()] == [(None, "nobody to agree with")] * 2
