"""Error detection: by hand, and against scikit-learn on random decisions."""

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.detection import (
    CORRECT,
    ERROR,
    MISSING,
    UNPARSED,
    Level,
    describe_level,
    roll_up,
    tally,
)


def level_of(gold, cluster=None, slices=None):
    gold = np.array(gold, dtype=np.int8)
    names = tuple(dict.fromkeys(slices or ["math"]))
    return Level(
        name="segment",
        gold=gold,
        cluster=np.arange(len(gold)) if cluster is None else np.array(cluster),
        slice=np.array([names.index(name) for name in slices]) if slices else np.zeros(len(gold), dtype=np.int64),
        slices=names,
        slice_name="domain",
    )


def describe(gold, decisions, **level):
    found = level_of(gold, **level)
    clusters = int(found.cluster.max()) + 1
    strata = np.zeros(clusters, dtype=np.int64)
    return describe_level(found, [np.array(decisions, dtype=np.int8)], Resampling(strata, resamples=200))[0]


def test_the_figures_by_hand():
    # 3 found, 1 false alarm, 2 overlooked, 4 rightly left.
    gold = [ERROR] * 3 + [CORRECT] + [ERROR] * 2 + [CORRECT] * 4
    said = [ERROR] * 4 + [CORRECT] * 6
    row = describe(gold, said)[0]
    assert (row["tp"], row["fp"], row["fn"], row["tn"]) == (3, 1, 2, 4)
    assert row["precision"] == pytest.approx(3 / 4)
    assert row["recall"] == pytest.approx(3 / 5)
    # 2·3/(2·3 + 1 + 2) = 2/3; of the other class 2·4/(2·4 + 2 + 1) = 8/11
    assert row["f1"] == pytest.approx(2 / 3)
    assert row["macro_f1"] == pytest.approx((2 / 3 + 8 / 11) / 2)
    assert row["balanced_accuracy"] == pytest.approx((3 / 5 + 4 / 5) / 2)
    assert row["f1_bounds"] == pytest.approx([2 / 3, 2 / 3])
    assert row["undefined"] == {}


def test_an_interval_is_withheld_below_8_prompts_with_an_error_and_says_why():
    """Two prompts, one error each, all right: an F1 of 1.0 from 1.0 to 1.0 would be a promise that two cannot make."""
    row = describe([ERROR, CORRECT, ERROR, CORRECT], [ERROR, CORRECT, ERROR, CORRECT], cluster=[0, 0, 1, 1])[0]
    assert (row["f1"], row["f1_interval"], row["error_prompts"]) == (1.0, None, 2)
    reason = "no interval: it rests on 2 prompts with an error, and below 8 none holds"
    assert row["withheld"] == {"f1": reason, "balanced_accuracy": reason}


def test_an_interval_rests_on_the_prompts_that_can_tell():
    """9 prompts with an error, 7 with a correct unit: enough for F1, too few for the share of correct units."""
    gold = [ERROR] * 9 + [CORRECT] * 7
    row = describe(gold, gold, cluster=[*range(9), *range(7)])[0]
    assert row["error_prompts"] == 9
    assert row["f1_interval"][1] == 1.0
    assert row["balanced_accuracy_interval"] is None
    assert row["withheld"] == {
        "balanced_accuracy": "no interval: it rests on 7 prompts with a correct unit, and below 8 none holds"
    }


def test_the_balanced_accuracy_of_a_constant_judge_has_no_interval():
    """It is a half in every sample; its F1 depends on how many errors there are."""
    gold = [ERROR, CORRECT] * 12
    row = describe(gold, [ERROR] * 24, cluster=np.arange(24) // 2)[0]
    assert (row["balanced_accuracy"], row["balanced_accuracy_interval"]) == (0.5, None)
    assert row["withheld"] == {
        "balanced_accuracy": "no interval: whoever calls everything alike has this figure, whatever the prompts"
    }
    assert row["f1_interval"] is not None


def test_all_right_on_20_prompts_leaves_room_for_the_next_one():
    """The exact bound of 20 of 20, with t of 19 degrees of freedom: 0.025^(1 / (20 · (1.96 / 2.093)²)) = 0.810."""
    gold = [ERROR] * 20 + [CORRECT] * 20
    row = describe(gold, gold, cluster=[*range(20), *range(20)])[0]
    assert row["f1_interval"] == pytest.approx([0.8103, 1.0], abs=5e-4)


def test_recall_of_single_errors_has_the_exact_interval():
    """40 prompts of one error, 10 of them found: variance 0.25 · 0.75 / 39, so 39 draws, (1.96 / 2.0227)² of them."""
    gold, said = np.array([ERROR] * 40), np.array([ERROR] * 10 + [CORRECT] * 30)
    level = level_of(gold)
    (row, _), *_ = describe_level(level, [said.astype(np.int8)], Resampling(np.zeros(40, dtype=np.int64)), ["recall"])
    size = 39 * (1.959964 / scipy.stats.t.ppf(0.975, 39)) ** 2
    exact = [
        scipy.stats.beta.ppf(0.025, size / 4, size * 3 / 4 + 1),
        scipy.stats.beta.ppf(0.975, size / 4 + 1, size * 3 / 4),
    ]
    assert row["recall_interval"] == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("seed", range(5))
def test_the_figures_are_scikit_learns(seed):
    from sklearn.metrics import balanced_accuracy_score, f1_score, precision_score, recall_score

    generator = np.random.default_rng(seed)
    gold, said = generator.integers(0, 2, (2, 200))
    row = describe(np.where(gold, ERROR, CORRECT), np.where(said, ERROR, CORRECT))[0]
    assert row["precision"] == pytest.approx(precision_score(gold, said))
    assert row["recall"] == pytest.approx(recall_score(gold, said))
    assert row["f1"] == pytest.approx(f1_score(gold, said))
    assert row["macro_f1"] == pytest.approx(f1_score(gold, said, average="macro"))
    assert row["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(gold, said))


def test_unparsed_and_missing_units_are_no_decisions():
    row = describe([ERROR, ERROR, CORRECT, CORRECT], [ERROR, UNPARSED, MISSING, CORRECT])[0]
    assert (row["n"], row["predicted"], row["unparsed"], row["missing"]) == (4, 2, 1, 1)
    assert row["coverage"] == 0.5
    assert row["f1"] == 1.0


def test_bounds_take_unparsed_units_for_gold_and_for_its_opposite():
    row = describe([ERROR, ERROR, CORRECT, CORRECT, CORRECT], [ERROR, UNPARSED, UNPARSED, CORRECT, CORRECT])[0]
    # Worst: 1 found, 1 overlooked, 1 false alarm: 2/(2 + 1 + 1); recall 1/2, of the other class 2/3. Best: all right.
    assert row["f1_bounds"] == pytest.approx([0.5, 1.0])
    assert row["balanced_accuracy_bounds"] == pytest.approx([(1 / 2 + 2 / 3) / 2, 1.0])


def test_missing_units_have_bounds_of_their_own():
    row = describe([ERROR, ERROR, CORRECT, CORRECT], [ERROR, UNPARSED, MISSING, CORRECT])[0]
    # The unparsed one wrong: 1 found, 1 overlooked. The missing one wrong too: a false alarm more.
    assert row["f1_bounds"] == pytest.approx([2 / 3, 1.0])
    assert row["f1_bounds_with_missing"] == pytest.approx([0.5, 1.0])


def test_units_without_gold_do_not_count():
    row = describe([ERROR, MISSING, CORRECT], [ERROR, ERROR, CORRECT])[0]
    assert (row["n"], row["fp"]) == (2, 0)


def test_f1_is_0_where_errors_are_and_none_was_called():
    row = describe([ERROR, CORRECT], [CORRECT, CORRECT])[0]
    assert row["f1"] == 0.0
    assert row["precision"] is None
    assert row["undefined"] == {"precision": "no unit was called an error"}


def test_without_gold_errors_f1_is_undefined_and_says_why():
    row = describe([CORRECT, CORRECT], [CORRECT, ERROR])[0]
    assert row["precision"] == 0.0
    assert [row[name] for name in ("recall", "f1", "macro_f1", "balanced_accuracy", "f1_interval")] == [None] * 5
    assert set(row["undefined"]) == {"recall", "f1", "macro_f1", "balanced_accuracy"}


def test_without_gold_correct_units_only_what_needs_them_is_undefined():
    row = describe([ERROR, ERROR], [CORRECT, ERROR])[0]
    assert row["f1"] == pytest.approx(2 / 3)
    assert set(row["undefined"]) == {"macro_f1", "balanced_accuracy"}


def test_without_a_decision_nothing_is_defined_but_the_counts():
    row = describe([ERROR, CORRECT], [MISSING, UNPARSED])[0]
    assert (row["n"], row["unparsed"], row["missing"], row["coverage"]) == (2, 1, 1, 0.0)
    assert set(row["undefined"]) == {"precision", "recall", "f1", "macro_f1", "balanced_accuracy"}
    assert row["f1_interval"] is None


def test_all_comes_first_and_then_each_slice():
    rows = describe([ERROR, ERROR, CORRECT], [ERROR, CORRECT, CORRECT], slices=["math", "wk", "wk"])
    assert [(row["slice"], row["n"]) for row in rows] == [
        ({"domain": "all"}, 3),
        ({"domain": "math"}, 1),
        ({"domain": "wk"}, 2),
    ]
    assert [row["tp"] for row in rows] == [1, 1, 0]


def test_resamples_without_an_error_are_counted():
    # Errors are in 8 prompts of 400: a resample draws none of them with chance (392/400)³⁹⁹ = 0.0003, six of 20,000.
    gold = np.array([ERROR] * 8 + [CORRECT] * 392, dtype=np.int8)
    resampling = Resampling(np.zeros(400, dtype=np.int64), resamples=20_000)
    (row, _), *_ = describe_level(level_of(gold), [gold], resampling)
    assert 0 < row["undefined_resamples"]["f1"] < 20


def test_units_doubled_within_their_prompts_leave_the_interval_as_it_is():
    generator = np.random.default_rng(5)
    gold = np.where(generator.random(60) < 0.4, ERROR, CORRECT)
    said = np.where(generator.random(60) < 0.5, ERROR, CORRECT)
    cluster = np.arange(60) // 3
    once = describe(gold, said, cluster=cluster)[0]["f1_interval"]
    assert describe(np.tile(gold, 5), np.tile(said, 5), cluster=np.tile(cluster, 5))[0]["f1_interval"] == pytest.approx(
        once
    )


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([CORRECT, ERROR, MISSING, UNPARSED], ERROR),
        ([CORRECT, MISSING, UNPARSED], UNPARSED),
        ([CORRECT, MISSING], MISSING),
        ([CORRECT, CORRECT], CORRECT),
        ([], MISSING),
    ],
)
def test_a_response_is_decided_by_its_segments(parts, whole):
    rolled = roll_up(np.array(parts, dtype=np.int8), np.zeros(len(parts), dtype=np.int64), 1)
    assert rolled.tolist() == [whole]


def test_a_tally_counts_each_group_apart():
    counted = tally(np.array([ERROR, ERROR, CORRECT]), np.array([ERROR, CORRECT, UNPARSED]), np.array([0, 1, 1]), 2)
    assert counted.counts.tp.tolist() == [1, 0]
    assert counted.n.tolist() == [1, 2]
