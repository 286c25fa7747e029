"""Promises on a rate: the bets by hand, the sequence, the bounds, and validity by simulation."""

from math import ceil, log

import numpy as np
import pytest

from stats.risk_control import (
    LARGEST_BET,
    PromptLosses,
    bet_against,
    control_risk,
    fewest_prompts,
    fixed_sequences,
    missed_errors,
    prompts_needed,
    unit_weights,
)


def test_losses_by_hand():
    """Two prompts: one of two units, one of four that weigh two together."""
    cluster = np.array([7, 7, 3, 3, 3, 3])
    error = np.array([True, False, True, True, False, False])
    passed = np.array([[False, True], [False, True], [True, True], [False, True], [False, False], [False, True]])

    assert unit_weights(cluster, 2).tolist() == [1, 1, 0.5, 0.5, 0.5, 0.5]
    losses = missed_errors(cluster, error, passed, most=2)
    # Prompts in the order of their numbers: 3, then 7. Of the errors 0.5 and then 1 of 1 are passed, 0 and then 1 of 1.
    assert losses.lost.tolist() == [[0.5, 1], [0, 1]]
    assert losses.out_of.tolist() == [[1, 1], [1, 1]]
    assert losses.rates.tolist() == [0.25, 1]
    among = missed_errors(cluster, error, passed, among_passed=True, most=2)
    # Of 0.5 units that are passed half an error; then of 1.5 and 2 units 1 error each.
    assert among.out_of.tolist() == [[0.5, 1.5], [0, 2]]
    assert among.rates.tolist() == [1, 2 / 3.5]
    # Each prompt with an error counts the same: a half and none are passed, then all of both.
    assert missed_errors(cluster, error, passed).rates.tolist() == [0.25, 1]
    alike = missed_errors(cluster, error, passed, among_passed=True)
    assert alike.lost == pytest.approx(np.array([[1, 2 / 3], [0, 0.5]]))
    assert alike.out_of.tolist() == [[1, 1], [0, 1]]


def test_a_rate_of_nothing_is_undefined():
    assert np.isnan(PromptLosses(np.zeros((3, 1)), np.zeros((3, 1)), 1).rates[0])


def test_a_sequence_ends_at_the_first_that_is_not_rejected():
    rejected = np.array([True, True, False, True, True, False, True])
    tested, qualified = fixed_sequences(rejected, [0])
    assert tested.tolist() == [True, True, True, False, False, False, False]
    assert qualified.tolist() == [True, True, False, False, False, False, False]
    tested, qualified = fixed_sequences(rejected, [0, 3])
    assert tested.tolist() == [True, True, True, True, True, True, False]
    assert qualified.tolist() == [True, True, False, True, True, False, False]
    assert fixed_sequences(rejected, [2])[1].any() == np.False_


def test_bets_written_out():
    """The wealth of one setting and one rate, prompt by prompt with plain numbers."""
    from statistics import NormalDist

    generator = np.random.default_rng(1)
    out_of = generator.integers(0, 4, 60).astype(float)
    lost = np.minimum(out_of, generator.integers(0, 2, 60))
    rate, level, most = 0.4, 0.05, 3.0
    wealth, best, squares, count = 1.0, 1.0, rate * (1 - rate) / 4, 1
    left = int((out_of > 0).sum())
    for one, of in zip(lost, out_of, strict=True):
        if of == 0:
            continue
        reached = level * wealth
        bet = 0.0
        if reached < 1:
            value = NormalDist().inv_cdf(reached)
            bet = NormalDist().pdf(value) / reached / (squares / count * left) ** 0.5
        gain = (rate * of - one) / most
        wealth *= 1 + min(bet, LARGEST_BET / (1 - rate)) * gain
        best = max(best, wealth)
        squares, count, left = squares + gain**2, count + 1, left - 1

    found = bet_against(lost[:, None], out_of[:, None], most, np.array([rate]), level)
    assert found[0, 0] == pytest.approx(best)


def test_without_a_loss_the_fewest_prompts_suffice_and_one_less_does_not():
    fewest = fewest_prompts(0.1, 0.05)
    assert fewest == ceil(log(20) / log(1 + 0.95 / 9))
    for prompts, qualifies in ((fewest - 1, False), (2 * fewest, True)):
        losses = PromptLosses(np.zeros((prompts, 1)), np.full((prompts, 1), 10.0), 10)
        assert bool(control_risk(losses, 0.1, 0.95).qualified[0]) is qualifies


def test_bound_p_and_verdict_agree():
    generator = np.random.default_rng(2)
    out_of = np.full((120, 30), 4.0)
    lost = generator.binomial(4, np.linspace(0, 0.5, 30), (120, 30)).astype(float)
    tested = control_risk(PromptLosses(lost, out_of, 4), 0.2, 0.9)

    assert ((tested.p <= tested.level) == (tested.bound <= 0.2 + 1e-9)).all()
    assert (tested.bound >= PromptLosses(lost, out_of, 4).rates - 1e-9).all()
    assert tested.cheapest is not None
    assert tested.qualified[: tested.cheapest + 1].all()
    assert not tested.qualified[tested.cheapest + 1 :].any()
    assert tested.tested[: tested.cheapest + 2].all()


def test_starts_share_the_probability():
    losses = PromptLosses(np.zeros((50, 4)), np.ones((50, 4)), 1)
    assert control_risk(losses, 0.1, 0.95, starts=(0, 2)).level == pytest.approx(0.025)


def test_nothing_to_lose_qualifies_nothing():
    tested = control_risk(PromptLosses(np.zeros((50, 1)), np.zeros((50, 1)), 1), 0.1, 0.95)
    assert (tested.cheapest, tested.bound[0], tested.p[0]) == (None, 1, 1)
    assert control_risk(PromptLosses(np.zeros((0, 2)), np.zeros((0, 2)), 1), 0.1, 0.95).cheapest is None


def test_the_prompts_it_would_take():
    generator = np.random.default_rng(3)
    lost = generator.binomial(1, 0.05, (40, 1)).astype(float)
    lost[0] = 1.0
    losses = PromptLosses(lost, np.ones((40, 1)), 1)
    needed = prompts_needed(losses, 0, 0.1, 0.05)
    rate = lost.mean()
    # (z + 0.84)² standard deviations² over distance².
    assert needed == ceil(((1.6449 + 0.84) ** 2) * rate * (1 - rate) / (0.1 - rate) ** 2)
    assert prompts_needed(losses, 0, float(rate), 0.05) is None
    assert prompts_needed(PromptLosses(np.zeros((9, 1)), np.zeros((9, 1)), 1), 0, 0.1, 0.05) is None
    clean = PromptLosses(np.zeros((9, 1)), np.ones((9, 1)), 1)
    assert prompts_needed(clean, 0, 0.1, 0.05) == fewest_prompts(0.1, 0.05)


@pytest.mark.parametrize("prompts", [40, 200])
@pytest.mark.parametrize("size", [1, 5])
def test_at_the_stated_rate_itself_it_is_seldom_rejected(prompts, size):
    """800 samples whose rate is just the stated one, all or nothing within a prompt: 5 % are rejected at most."""
    generator = np.random.default_rng(4)
    out_of = generator.integers(1, size + 1, (prompts, 800)).astype(float)
    lost = out_of * (generator.random((prompts, 800)) < 0.15)
    wealth = bet_against(lost, out_of, size, np.array([0.15]), 0.05)
    rejected = (wealth >= 20).mean()
    assert (0.01 if size == 1 else 0) < rejected < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 800)
