"""The smallest difference that a dataset can show (docs/statistics.md, Intervals and tests)."""

from dataclasses import replace

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING
from stats.paired_tests import PairFamily, compare_pairs
from stats.power import NO_ERRORS, TOO_FEW, SimulatedRates, smallest_differences

ALONE = SimulatedRates(recall=0.5, false_alarms=0.2, correlation=0, shared=0)


def make(clusters=200, size=5, errors=1):
    """So many prompts of so many units, the first of them errors."""
    gold = np.tile([ERROR] * errors + [CORRECT] * (size - errors), clusters).astype(np.int8)
    return gold, np.repeat(np.arange(clusters), size)


def smallest(gold, cluster, rates=ALONE):
    return smallest_differences(gold, cluster, np.full(len(gold), -1), 0, rates)[0]


def test_of_independent_units_it_is_what_the_delta_method_gives():
    """F1 = 2T/(T + A + E): T found of E errors, A alarms. Its derivatives by T and A are 2(A + E)/S² and −2T/S², and
    the binomials' variances 200·¼ and 800·0.16."""
    gold, cluster = make()
    found, alarms, errors = 100, 160, 200
    total = found + alarms + errors
    variance = (2 * (alarms + errors) / total**2) ** 2 * 50 + (2 * found / total**2) ** 2 * 128
    expected = (1.95996 + 0.84162) * np.sqrt(2 * variance)

    assert smallest(gold, cluster).difference == pytest.approx(expected, rel=0.1)


def test_luck_that_is_alike_within_a_prompt_makes_it_larger():
    gold, cluster = make(errors=2)
    alike = smallest(gold, cluster, SimulatedRates(0.5, 0.2, correlation=0.6, shared=0))

    assert alike.difference > 1.2 * smallest(gold, cluster).difference


def test_four_times_the_prompts_halve_it():
    assert smallest(*make(800)).difference == pytest.approx(smallest(*make(200)).difference / 2, rel=0.12)


def test_more_clusters_than_are_simulated_are_scaled(monkeypatch):
    whole = smallest(*make(800)).difference
    monkeypatch.setattr("stats.power.MOST_CLUSTERS", 200)

    assert smallest(*make(800)).difference == pytest.approx(whole, rel=0.12)


def test_a_part_whose_errors_are_not_in_the_sample_has_too_few(monkeypatch):
    """Of the two prompts that are simulated none has the errors of the last ten."""
    monkeypatch.setattr("stats.power.MOST_CLUSTERS", 2)
    gold, cluster = make(100)
    in_part = cluster >= 90

    _, part = smallest_differences(gold, cluster, np.where(in_part, 0, -1), 1, ALONE)

    assert (part.n, part.difference, part.why) == (50, None, TOO_FEW)


def test_a_sample_without_the_only_prompt_with_errors_shows_nothing(monkeypatch):
    """F1 is 0 in every simulation in which there are but false alarms: no spread, and yet no difference is shown."""
    monkeypatch.setattr("stats.power.MOST_CLUSTERS", 40)
    gold, cluster = make(400, errors=0)
    gold[cluster == 7] = ERROR

    assert (smallest(gold, cluster).difference, smallest(gold, cluster).why) == (None, TOO_FEW)


def test_one_who_finds_every_error_does_so_in_every_prompt():
    """No luck is left but that of the false alarms, however alike it is within a prompt."""
    gold, cluster = make(400)
    found = smallest(gold, cluster, SimulatedRates(recall=1.0, correlation=0.3))

    assert found.f1 == pytest.approx(2 * 400 / (400 + 320 + 400))
    assert 0 < found.difference < smallest(gold, cluster, SimulatedRates(recall=0.9, correlation=0.3)).difference


def test_a_true_difference_of_so_much_is_found_four_times_in_five():
    """Of sixty simulated pairs, the better one avoiding just enough of the mistakes; four standard errors around."""
    gold, cluster = make(100)
    generator = np.random.default_rng(4)
    wanted = smallest(gold, cluster)
    step = next(step for step in np.linspace(0, 1, 500) if expected_f1(step) >= wanted.f1 + wanted.difference)
    better = SimulatedRates(0.5 + step / 2, 0.2 * (1 - step), 0)
    resampling = Resampling(np.zeros(100, dtype=np.int64), resamples=50)
    found = [
        compare_pairs(gold, [say(gold, better, generator), say(gold, ALONE, generator)], cluster, "f1", resampling)[0]
        for _ in range(60)
    ]

    assert np.mean([each.better == 0 for each in found]) == pytest.approx(0.8, abs=0.2)


def test_two_that_share_half_of_their_luck_differ_less():
    gold, cluster = make()
    sharing = smallest(gold, cluster, replace(ALONE, shared=0.5))

    assert sharing.difference == pytest.approx(smallest(gold, cluster).difference / np.sqrt(2))


def test_with_ten_pairs_at_once_a_difference_has_to_be_larger():
    """A twentieth over ten: 2.807 standard errors instead of 1.960, and 0.842 more to be found four times in five."""
    gold, cluster = make()
    of_ten = smallest(gold, cluster, replace(ALONE, comparisons=10))

    assert of_ten.difference == pytest.approx(smallest(gold, cluster).difference * 3.649 / 2.802, rel=1e-3)


def test_shared_luck_is_that_of_the_difference():
    """Two who take the same answer at half of the units, by chance: the spread of the difference of their F1."""
    gold, cluster = make(100)
    generator = np.random.default_rng(8)
    drawn = []
    for _ in range(400):
        same, one, other = (say(gold, ALONE, generator) for _ in range(3))
        together = generator.random(len(gold)) < np.sqrt(0.5)
        also = generator.random(len(gold)) < np.sqrt(0.5)
        drawn.append(f1_of(gold, np.where(together, same, one)) - f1_of(gold, np.where(also, same, other)))
    wanted = smallest(gold, cluster, replace(ALONE, shared=0.5)).difference

    assert 2.8016 * np.std(drawn) == pytest.approx(wanted, rel=0.12)


def f1_of(gold, decisions):
    both, either = (gold == ERROR) & (decisions == ERROR), (gold == ERROR).sum() + (decisions == ERROR).sum()
    return 2 * both.sum() / either


def expected_f1(step):
    found, alarms = 100 * (0.5 + step / 2), 400 * 0.2 * (1 - step)
    return 2 * found / (found + alarms + 100)


def say(gold, rates, generator):
    chance = np.where(gold == ERROR, rates.recall, rates.false_alarms)
    return np.where(generator.random(len(gold)) < chance, ERROR, CORRECT).astype(np.int8)


def test_without_errors_nothing_can_be_shown():
    gold, cluster = make(errors=0)

    assert (smallest(gold, cluster).difference, smallest(gold, cluster).why) == (None, NO_ERRORS)


def test_three_prompts_are_too_few_to_show_anything():
    assert smallest(*make(3)).why == TOO_FEW


def test_parts_are_given_after_the_whole_and_units_without_gold_do_not_count():
    gold, cluster = make(100)
    part = np.where(cluster < 50, 0, 1)
    gold[cluster < 10] = MISSING

    whole, first, second = smallest_differences(gold, cluster, part, 2, ALONE)

    assert (whole.n, first.n, second.n) == (450, 200, 250)
    assert whole.difference < second.difference < first.difference


def test_the_highest_of_six_equal_ones_needs_more_than_its_five_pairs():
    """The first step of the leader's step-down takes the largest of all 15 pairs: Tukey's 4.03 / √2 = 2.85 standard
    errors. A twentieth over 5 pairs is 2.58, over 15 pairs 2.94."""
    gold, cluster = make(200)
    generator = np.random.default_rng(3)
    decisions = [say(gold, ALONE, generator) for _ in range(6)]
    best = int(np.argmax([f1_of(gold, each) for each in decisions]))
    family = PairFamily([(min(best, each), max(best, each)) for each in range(6) if each != best], best)
    resampling = Resampling(np.zeros(200, dtype=np.int64), resamples=50)
    compared = compare_pairs(gold, decisions, cluster, "f1", resampling, families=[family])
    halves = [each.simultaneous.high - each.difference for each in compared if best in each.places]
    alone = compare_pairs(gold, decisions, cluster, "f1", resampling, families=[PairFamily([(0, 1)])])
    half = alone[0].simultaneous.high - alone[0].difference

    assert np.mean(halves) / half == pytest.approx(2.85 / 1.96, rel=0.06)
