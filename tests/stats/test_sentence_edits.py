"""Figures of edits, worked by hand. A source of five tokens, of which people replaced the third and the fifth."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.sentence_edits import (
    compare_editors,
    edit_correctness,
    error_localization,
    mean_of,
    newly_wrong,
    preserved,
    similarity_alignment,
)

SOURCE = ["ada", "bred", "wrong", "horses", "bath"]
GOLD = ["ada", "bred", "right", "horses", "rome"]
HALF = ["ada", "bred", "right", "horses", "bath"]  # corrects one of both


def test_tokens_are_preserved_along_a_shortest_way():
    assert preserved(SOURCE, GOLD) == [True, True, False, True, False]
    assert preserved(["one", "two", "one"], ["one"]).count(True) == 1


def test_error_localization_is_the_mean_of_both_classes():
    # Preserved: 3 of gold's 3 and the edit's 4, F1 = 6/7. Not preserved: 1 of 2 and 1, F1 = 2/3.
    assert error_localization(SOURCE, GOLD, HALF) == pytest.approx((6 / 7 + 2 / 3) / 2)
    # A copy keeps all: 2·3 / (3 + 5) = 3/4, and 0 of the other class.
    assert error_localization(SOURCE, GOLD, SOURCE) == pytest.approx((3 / 4 + 0) / 2)
    assert error_localization(SOURCE, GOLD, GOLD) == 1.0


def test_a_class_that_occurs_in_neither_does_not_count():
    assert error_localization(["ada"], ["ada", "byron"], ["ada"]) == 1.0
    assert error_localization([], ["ada"], ["ada"]) is None


def test_edit_correctness_compares_sets_of_new_tokens():
    # Gold adds right and rome, the edit right: 2·1 / (2 + 1).
    assert edit_correctness(SOURCE, GOLD, HALF) == pytest.approx(2 / 3)
    assert edit_correctness(SOURCE, GOLD, [*GOLD, "right", "paris"]) == pytest.approx(2 * 2 / (2 + 3))
    assert edit_correctness(SOURCE, GOLD, SOURCE) == 0.0
    assert edit_correctness(SOURCE, ["ada", "bred"], HALF) is None


def test_similarity_alignment_is_the_share_of_the_way_to_gold():
    assert similarity_alignment(0.9, 0.6) == pytest.approx(0.3 / 0.4)
    assert similarity_alignment(0.5, 0.6) == 0.0
    assert similarity_alignment(1.0, 1.0) is None


def test_newly_wrong_counts_what_gold_keeps_and_the_edit_does_not():
    # Gold keeps ada, bred and horses; the edit loses horses.
    assert newly_wrong(SOURCE, GOLD, ["ada", "bred", "right", "bath"]) == pytest.approx(1 / 3)
    assert newly_wrong(SOURCE, [], HALF) is None


def test_a_mean_counts_known_values_and_has_no_interval_of_few_prompts():
    mean = mean_of(np.array([1.0, 0.5, np.nan]), np.array([0, 1, 2]), draws(3), "nothing")
    assert (mean.mean, mean.n, mean.prompts, mean.interval) == (0.75, 2, 2, None)
    assert "rests on 2 prompts" in mean.why


def test_a_mean_of_nothing_says_why():
    assert mean_of(np.array([np.nan]), np.array([0]), draws(1), "nothing to see").why == "nothing to see"
    assert mean_of(np.array([]), np.array([], dtype=np.int64), draws(0), "none").mean is None


def test_the_interval_is_as_wide_as_resampled_prompts_say():
    """Twenty prompts of two equal sentences are worth twenty sentences, not forty."""
    values = np.repeat([0.0, 1.0], 20)
    alone = mean_of(values[::2], np.arange(20), draws(20), "")
    doubled = mean_of(values, np.arange(40) // 2, draws(20), "")
    assert alone.interval is not None
    assert doubled.interval is not None
    assert doubled.interval.ends() == pytest.approx(alone.interval.ends())
    assert alone.interval.low < 0.5 < alone.interval.high


def test_editors_are_compared_where_both_have_the_figure():
    one = np.array([0.9, 0.8, 0.9, 0.7, 0.8, 0.9, 0.8, 0.9, 0.7, 0.8, np.nan])
    other = np.array([0.5, 0.4, 0.6, 0.4, 0.3, 0.5, 0.4, 0.6, 0.4, 0.3, 0.9])
    [found] = compare_editors(np.stack([one, other], axis=1), np.arange(11), [(0, 1)], draws(11))
    # Differences 0.4 0.4 0.3 0.3 0.5, twice: 3.8 / 10.
    assert (found.n, found.difference) == (10, pytest.approx(0.38))
    assert found.significant
    assert found.interval is not None
    assert found.interval.low > 0


def test_editors_that_share_no_sentence_are_not_compared():
    values = np.array([[0.5, np.nan], [np.nan, 0.5]])
    [found] = compare_editors(values, np.arange(2), [(0, 1)], draws(2))
    assert (found.difference, found.p, found.significant) == (None, None, False)
    assert found.why == "no sentence at which both editors have the figure"


def draws(prompts: int) -> Resampling:
    return Resampling(np.zeros(prompts, dtype=np.int64))
