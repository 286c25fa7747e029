"""The threshold that people's labels choose, worked by hand (docs/statistics.md, FACTOR; FACTOR A.2)."""

import pytest
import scipy

from stats.filter_thresholds import MOST_DROPPED, LabelledCandidate, above, chosen, sweep, within_margin

# Ten candidates: the more probable a contradiction, the likelier that people see one.
FIGURES = [0.05, 0.15, 0.25, 0.55, 0.62, 0.70, 0.80, 0.85, 0.90, 0.95]
GOOD = [False, False, False, True, False, True, True, True, True, True]
TEN = [LabelledCandidate(figure, good) for figure, good in zip(FIGURES, GOOD, strict=True)]


def test_precision_and_what_is_dropped_at_every_threshold():
    found = [(step.threshold, step.precision.hits, step.precision.n, step.dropped.hits) for step in sweep(TEN, above)]
    assert found == [
        (0.1, 6, 9, 1),
        (0.2, 6, 8, 2),
        (0.3, 6, 7, 3),
        (0.4, 6, 7, 3),
        (0.5, 6, 7, 3),
        (0.6, 5, 6, 4),
        (0.7, 4, 4, 6),  # 0.70 itself is not above it
        (0.8, 3, 3, 7),
        (0.9, 1, 1, 9),
    ]


def test_the_highest_precision_wins_that_drops_at_most_35_percent_the_lowest_of_equals():
    best = chosen(sweep(TEN, above))
    assert best is not None
    # 0.7 and above are pure, but drop more than 35 %; 0.3, 0.4 and 0.5 keep the same 7, 6 of them good.
    assert best.threshold == 0.3
    assert (best.precision.value, best.dropped.value, best.retained.value) == (6 / 7, 0.3, 1.0)


def test_of_equal_precision_the_one_that_drops_fewest():
    samples = [LabelledCandidate(figure, True) for figure in (0.15, 0.5, 0.6, 0.95)]
    best = chosen(sweep(samples, above))
    assert best is not None
    assert (best.threshold, best.dropped.hits) == (0.1, 0)


def test_exactly_35_percent_is_not_too_many():
    samples = [LabelledCandidate(0.05, False)] * 14 + [LabelledCandidate(0.95, True)] * 26
    step = sweep(samples, above)[0]
    assert step.dropped.value == MOST_DROPPED
    assert step.is_allowed


def test_a_precision_of_nothing_kept_is_undefined_and_never_chosen():
    steps = sweep([LabelledCandidate(0.05, True), LabelledCandidate(0.08, False)], above)
    assert {step.precision.value for step in steps} == {None}
    assert {step.precision.interval for step in steps} == {None}
    assert chosen(steps) is None


def test_without_samples_nothing_is_chosen():
    assert chosen(sweep([], above)) is None


def test_a_margin_keeps_more_the_wider_it_is():
    samples = [
        LabelledCandidate(0.3, True),
        LabelledCandidate(-0.15, True),
        LabelledCandidate(-0.25, False),
        LabelledCandidate(-0.85, False),
    ]
    steps = sweep(samples, within_margin)
    assert [step.dropped.hits for step in steps] == [3, 2, 1, 1, 1, 1, 1, 1, 0]
    best = chosen(steps)
    assert best is not None
    assert best.threshold == 0.3  # 0.1 and 0.2 drop more than 35 %
    assert best.precision.value == pytest.approx(2 / 3)


def test_a_figure_exactly_at_the_margin_is_dropped():
    assert not within_margin(-0.2, 0.2)
    assert within_margin(-0.19, 0.2)


def test_intervals_are_wilsons():
    step = sweep(TEN, above)[2]
    witness = scipy.stats.binomtest(6, 7).proportion_ci(method="wilson")
    assert step.precision.interval == pytest.approx((witness.low, witness.high))
