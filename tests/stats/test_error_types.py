"""Agreement on the type of error, against an independent implementation and by hand."""

import numpy as np
import pytest

from stats.agreement import GAP
from stats.agreement_rows import describe_types
from stats.bootstrap import Resampling
from stats.ratings import Clusters, Ratings

TYPES = ("knowledge", "reasoning", "irrelevant", "fooled")


def described(values, types):
    values, types = np.array(values), np.array(types)
    people = tuple(f"person {place}" for place in range(values.shape[1]))
    response = np.arange(len(values))
    clusters = Clusters(response, Resampling(np.zeros(len(values), dtype=np.int64), resamples=200))
    return describe_types(Ratings(people, values, response), Ratings(people, types, response), TYPES, clusters)


def test_only_units_that_both_call_errors_count():
    values = [[1, 1], [1, 1], [1, 0], [0, 0], [1, 1]]
    types = [[0, 0], [0, 1], [0, 3], [GAP, GAP], [0, GAP]]
    found = described(values, types)
    # Three units are errors to both, two of them have two types, one of these the same one.
    assert (found["both_errors"], found["n"], found["percent"]) == (3, 2, 0.5)
    # Knowledge: in the first unit both, in the second one of two: 2·1/(2·1 + 1).
    assert found["by_value"]["knowledge"] == pytest.approx(2 / 3)
    assert (found["by_value"]["reasoning"], found["by_value"]["fooled"]) == (0.0, None)
    assert found["by_value_n"] == {"knowledge": 2, "reasoning": 1, "irrelevant": 0, "fooled": 0}


def test_alpha_of_the_types_is_krippendorffs():
    import krippendorff

    generator = np.random.default_rng(5)
    types = generator.integers(0, 4, size=(40, 3))
    types[generator.random((40, 3)) < 0.3] = GAP
    found = described(np.ones((40, 3), dtype=int), types)
    data = np.where(types == GAP, np.nan, types).T
    assert found["alpha"] == pytest.approx(krippendorff.alpha(data, level_of_measurement="nominal"))


def test_without_types_every_figure_is_undefined_and_says_why():
    found = described([[1, 1]], [[GAP, GAP]])
    assert (found["both_errors"], found["n"], found["alpha"]) == (1, 0, None)
    assert "no unit was given a type" in found["undefined"]["alpha"]
