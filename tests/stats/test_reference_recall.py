"""Recall against lists of facts: means by hand, intervals by SciPy."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.reference_recall import describe_shares_covered
from tests.stats.exact import exact


def describe(shares, subject, prompt, subjects=("Ada",)):
    strata = np.zeros(max(prompt) + 1, dtype=np.int64)
    return describe_shares_covered(np.array(shares), np.array(subject), subjects, np.array(prompt), Resampling(strata))


def test_the_recall_is_the_mean_over_responses_with_a_share():
    found = describe([1 / 2, 1, np.nan, 0], [0, 0, 0, -1], [0, 1, 2, 3], ("Ada", "Ben"))
    ada, ben = found["subjects"]

    assert (ada["n"], ada["recall"]) == (2, 0.75)
    assert ada["recall_interval"] is None
    assert (ben["n"], ben["recall"], ben["recall_interval"]) == (0, None, None)
    assert found["mean"] == {"recall": None, "recall_interval": None, "withheld": {}}


def test_the_interval_is_that_of_a_mean_over_prompts():
    [ada] = describe([0, 1] * 10, [0] * 20, list(range(20)))["subjects"]

    assert ada["recall_interval"] == pytest.approx(exact(0.5, 19, 20), abs=0.01)


def test_the_mean_over_subjects_weighs_each_alike_and_resamples_them_together():
    """Ada 0 and 1 on twenty prompts, Ben 1 and 0 on the same ones: 1/2 in every resample, which rests on 20 prompts."""
    mean = describe([0, 1] * 10 + [1, 0] * 10, [0] * 20 + [1] * 20, [*range(20)] * 2, ("Ada", "Ben"))["mean"]

    assert (mean["recall"], mean["withheld"]) == (0.5, {})
    assert mean["recall_interval"] == pytest.approx(exact(0.5, 20, 20))
    # (1/2 + 1 + 0) / 3 and 1: 3/4; Ben has one prompt.
    few = describe([1 / 2, 1, 0, 1], [0, 0, 0, 1], [0, 1, 2, 0], ("Ada", "Ben"))["mean"]
    assert (few["recall"], few["recall_interval"]) == (0.75, None)
    assert set(few["withheld"]) == {"recall"}
