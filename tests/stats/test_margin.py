"""How far above a baseline: over all units with gold, evaluators tested together."""

import numpy as np
import pytest

from stats.baselines import margins
from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED

E, C, M, U = ERROR, CORRECT, MISSING, UNPARSED


def decisions(*values):
    return np.array(values, dtype=np.int8)


def measure(gold, said, prompts=None):
    prompts = np.arange(len(gold)) if prompts is None else np.array(prompts)
    strata = np.zeros(int(prompts.max()) + 1, dtype=np.int64)
    everything = decisions(*[E] * len(gold))
    (found,) = margins(decisions(*gold), [decisions(*said)], everything, prompts, Resampling(strata))
    return found


def test_the_margin_is_the_difference_of_both_f1():
    from sklearn.metrics import f1_score

    gold, said = [E, E, C, C, C, C], [E, C, C, C, C, E]
    f1, trivial = (f1_score([g == E for g in gold], [s == E for s in each]) for each in (said, [E] * 6))
    assert measure(gold, said).value == pytest.approx(f1 - trivial)


def test_what_it_did_not_decide_counts_as_wrong():
    """One of three errors is found: 2/(2 + 2); calling all six an error has 6/(6 + 3). On the four decided ones alone
    F1 was 1, and 0.6 above."""
    found = measure([E, C, C, C, E, E], [E, C, C, C, M, U])
    assert (found.f1, found.value) == pytest.approx((1 / 2, 1 / 2 - 2 / 3))


def test_who_decides_little_is_not_above_however_right():
    """Of 200 units ten are decided, all rightly."""
    found = measure([E, C] * 100, [E, C] * 5 + [M] * 190)
    assert (found.is_above, found.interval) == (False, None)
    assert found.unranked == "judged 5 % of the units; 95 % are asked for"


def test_who_is_always_right_is_above():
    assert measure([E, C, C, C] * 10, [E, C, C, C] * 10).is_above


def test_who_says_what_the_baseline_says_is_not_above():
    found = measure([E, C] * 10, [E, E] * 10)
    assert (found.value, found.is_above) == (0, False)
    assert not np.signbit(found.value)


def test_a_margin_that_could_be_chance_is_not_above():
    assert not measure([E, C, C], [E, C, E]).is_above


def test_without_an_error_in_gold_there_is_no_margin():
    assert measure([C, C], [C, E]).value is None


def test_of_one_prompt_nobody_is_above():
    found = measure([E, C, C], [E, C, C], prompts=[0, 0, 0])
    assert not found.is_above
    assert found.interval is None or found.interval.low <= 0


def test_each_evaluator_has_its_own_among_many():
    gold, cluster = decisions(E, C, C, C, E, C), np.arange(6)
    said = [decisions(E, C, C, C, E, C), decisions(E, E, E, E, E, E), decisions(E, C, M, C, C, E)]
    everything, draws = decisions(*[E] * 6), Resampling(np.zeros(6, dtype=np.int64))
    together = margins(gold, said, everything, cluster, draws)
    alone = [margins(gold, [each], everything, cluster, draws)[0] for each in said]
    assert [(each.f1, each.value) for each in together] == [(each.f1, each.value) for each in alone]


def test_ten_at_once_take_more_than_one():
    """Noise among nine others asks more of each; an evaluator that is always right is above all the same."""
    generator = np.random.default_rng(3)
    gold = np.where(generator.random(60) < 0.3, E, C).astype(np.int8)
    said = [gold, *(np.where(generator.random(60) < 0.5, E, C).astype(np.int8) for _ in range(9))]
    everything, draws = np.full(60, E, dtype=np.int8), Resampling(np.zeros(60, dtype=np.int64))
    first, *others = margins(gold, said, everything, np.arange(60), draws)
    (alone,) = margins(gold, [gold], everything, np.arange(60), draws)
    assert first.is_above
    assert not any(each.is_above for each in others)
    assert first.interval.low < alone.interval.low


def test_nobody_has_no_margin():
    assert margins(decisions(E), [], decisions(E), np.arange(1), Resampling(np.zeros(1, dtype=np.int64))) == []
