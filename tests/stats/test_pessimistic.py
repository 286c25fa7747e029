"""Figures that count what an evaluator left out as wrong, by hand."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, Level
from stats.pessimistic import describe_with_pessimistic, undecided_as_wrong, why_unranked
from tests.stats.exact import exact_of

E, C, M, U = ERROR, CORRECT, MISSING, UNPARSED


def describe(gold, *decisions):
    gold = np.array(gold, dtype=np.int8)
    cluster = np.arange(len(gold))
    level = Level("segment", gold, cluster, np.zeros(len(gold), dtype=np.int64), ("",), "domain")
    resampling = Resampling(np.zeros(len(gold), dtype=np.int64), resamples=200)
    rows = describe_with_pessimistic(level, [np.array(each, dtype=np.int8) for each in decisions], resampling)
    return [row for row, *_ in rows]


def test_what_is_undecided_is_judged_against_gold_and_units_without_gold_are_left():
    filled = undecided_as_wrong(np.array([E, E, C, C, M], dtype=np.int8), np.array([M, E, U, C, M], dtype=np.int8))

    assert filled.tolist() == [C, E, E, C, M]


def test_forty_right_predictions_of_4426_are_no_perfect_evaluator():
    gold = np.where(np.arange(4_426) % 5 == 0, E, C)
    few = np.where(np.arange(4_426) < 40, gold, M)
    whole = np.where(np.arange(4_426) % 10 == 0, C, gold)
    silent, fair = describe(gold, few, whole)

    assert silent["f1"] == 1
    # Eight errors are found of 886, and the 4,386 others count as wrong: 16 / (16 + 878 + 3,508).
    assert silent["pessimistic"]["f1"] == pytest.approx(16 / (16 + 4_386))
    assert silent["unranked"] == "judged less than 1 % of the units; 95 % are asked for"
    assert (fair["pessimistic"]["f1"], fair["unranked"]) == (fair["f1"], None)
    assert fair["pessimistic_intervals"] == {key: fair[f"{key}_interval"] for key in ("f1", "balanced_accuracy")}


def test_the_pessimistic_figure_is_the_lower_bound_and_its_interval_is_over_all_units():
    from sklearn.metrics import f1_score

    generator = np.random.default_rng(2)
    gold = np.where(generator.random(80) < 0.4, E, C)
    said = np.where(generator.random(80) < 0.8, gold, E + C - gold)
    partly = np.where(generator.random(80) < 0.1, U, said)
    (row,) = describe(gold, partly)
    filled = np.where(partly == U, E + C - gold, partly)
    drawn = [
        f1_score(gold == E, filled == E, sample_weight=weights)
        for block in Resampling(np.zeros(80, dtype=np.int64), resamples=200).weights()
        for weights in block
    ]

    assert row["pessimistic"]["f1"] == row["f1_bounds_with_missing"][0] < row["f1"]
    assert row["pessimistic_intervals"]["f1"] == pytest.approx(
        exact_of(row["pessimistic"]["f1"], drawn, int((gold == E).sum()))
    )


@pytest.mark.parametrize(
    ("coverage", "why"),
    [
        (1.0, None),
        (0.95, None),
        (0.9499, "judged 94 % of the units; 95 % are asked for"),
        (0.29, "judged 29 % of the units; 95 % are asked for"),
        (0.0, "judged 0 % of the units; 95 % are asked for"),
        (None, "there is no unit with gold"),
    ],
)
def test_the_reason_says_how_much_was_judged(coverage, why):
    assert why_unranked(coverage) == why
