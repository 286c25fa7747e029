"""Intervals that hold at all times: the bets by plain loops, and the promise by simulation."""

import numpy as np
import pytest

from stats.anytime import LARGEST_BET, MEANS, accuracy_differences, running_interval


def test_differences_by_hand():
    cluster = np.array([2, 0, 0, 2, 2])
    one = np.array([True, True, True, False, True])
    other = np.array([False, True, False, True, True])
    # Prompt 0: 2 of 2 against 1 of 2. Prompt 2: 2 of 3 against 2 of 3.
    assert accuracy_differences(cluster, one, other).tolist() == pytest.approx([0.5, 0.0])
    # The last but one unit of prompt 2, which the other alone got right, counts as three: (1 − 3) / 5.
    weights = np.array([1.0, 1.0, 1.0, 3.0, 1.0])
    assert accuracy_differences(cluster, one, other, weights).tolist() == pytest.approx([0.5, -0.4])


def test_wealth_against_0_written_out():
    generator = np.random.default_rng(1)
    values = (generator.choice([-1.0, -0.5, 0.0, 0.5, 1.0], 80) + 1) / 2
    higher = lower = 0.5
    squares, total, expected = 0.25, 0.5, []
    for place, value in enumerate(values):
        time = place + 1
        bet = (2 * np.log(40) / (squares / time * time * np.log(1 + time))) ** 0.5
        bet = min(bet, LARGEST_BET / 0.5)
        higher *= 1 + bet * (value - 0.5)
        lower *= 1 - bet * (value - 0.5)
        expected.append(higher + lower)
        total += value
        squares += (value - total / (time + 1)) ** 2

    assert running_interval(2 * values - 1).evidence == pytest.approx(expected)


def test_the_interval_never_widens_and_leaves_out_0_from_the_time_it_says():
    generator = np.random.default_rng(2)
    run = running_interval(generator.choice([-1.0, 0.0, 1.0], 300, p=[0.1, 0.5, 0.4]))

    assert (np.diff(run.low) >= 0).all()
    assert (np.diff(run.high) <= 0).all()
    assert run.excluded is not None
    assert run.low[run.excluded - 1] >= 0 > run.low[run.excluded - 2]
    assert run.evidence[run.excluded - 1] >= 20 - 1e-9 > run.evidence[: run.excluded - 1].max()
    assert run.low[-1] < run.mean[-1] < run.high[-1]


def test_the_one_against_the_other_is_the_other_against_the_one():
    values = np.random.default_rng(3).uniform(-1, 1, 100)
    one, other = running_interval(values), running_interval(-values)
    assert one.low == pytest.approx(-other.high)
    assert one.high == pytest.approx(-other.low)
    assert one.evidence == pytest.approx(other.evidence)


def test_no_prompt_says_nothing():
    run = running_interval(np.array([]))
    assert (len(run.low), run.excluded) == (0, None)


def test_a_few_prompts_that_agree_are_not_enough():
    assert running_interval(np.ones(4)).excluded is None
    assert running_interval(np.zeros(500)).excluded is None
    assert running_interval(np.zeros(500)).low[-1] < 0


@pytest.mark.parametrize("chances", [(0.1, 0.8, 0.1), (0.5, 0.0, 0.5), (0.02, 0.88, 0.1)])
def test_it_seldom_ever_leaves_out_the_mean(chances):
    """400 sequences of 250 prompts: at any time of any, in at most 5 %."""
    generator = np.random.default_rng(4)
    truth = chances[2] - chances[0]
    broken = 0
    for _ in range(400):
        run = running_interval(generator.choice([-1.0, 0.0, 1.0], 250, p=chances))
        broken += bool(((run.low > truth) | (run.high < truth)).any())
    assert broken / 400 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_zero_is_among_the_means():
    assert MEANS % 2 == 1
