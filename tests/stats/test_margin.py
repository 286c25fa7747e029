"""How far above a baseline: on the units that were decided, with the same draws."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

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
    gold, said = [E, E, C, C, C, C], [E, C, C, C, C, E]
    f1, trivial = (f1_score([g == E for g in gold], [s == E for s in each]) for each in (said, [E] * 6))
    assert measure(gold, said).value == pytest.approx(f1 - trivial)


def test_only_what_it_decided_counts_for_both():
    """Of the four decided units one is an error and found: F1 1; calling all four an error has 2/(2 + 3) = 0.4."""
    assert measure([E, C, C, C, E, E], [E, C, C, C, M, U]).value == pytest.approx(0.6)


def test_who_is_always_right_is_above():
    assert measure([E, C, C, C] * 10, [E, C, C, C] * 10).is_above


def test_who_says_what_the_baseline_says_is_not_above():
    found = measure([E, C] * 10, [E, E] * 10)
    assert (found.value, found.is_above) == (0, False)


def test_a_margin_that_could_be_chance_is_not_above():
    assert not measure([E, C, C], [E, C, E]).is_above


def test_without_an_error_in_gold_there_is_no_margin():
    assert measure([C, C], [C, E]).value is None


def test_one_prompt_has_no_interval():
    assert measure([E, C, C], [E, C, C], prompts=[0, 0, 0]).interval is None


def test_each_evaluator_has_its_own_among_many():
    gold, cluster = decisions(E, C, C, C, E, C), np.arange(6)
    said = [decisions(E, C, C, C, E, C), decisions(E, E, E, E, E, E), decisions(E, C, M, C, C, E)]
    everything, draws = decisions(*[E] * 6), Resampling(np.zeros(6, dtype=np.int64))
    together = margins(gold, said, everything, cluster, draws)
    assert together == [margins(gold, [each], everything, cluster, draws)[0] for each in said]


def test_nobody_has_no_margin():
    assert margins(decisions(E), [], decisions(E), np.arange(1), Resampling(np.zeros(1, dtype=np.int64))) == []
