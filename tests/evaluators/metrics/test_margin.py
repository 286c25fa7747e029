"""How far above a baseline: on the units that were decided, with the same draws."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from annotate.agreement.resampling import Resampling
from evaluators.metrics.detection import CORRECT, ERROR, MISSING, UNPARSED
from evaluators.metrics.margin import margin

E, C, M, U = ERROR, CORRECT, MISSING, UNPARSED


def decisions(*values):
    return np.array(values, dtype=np.int8)


def measure(gold, said, prompts=None):
    prompts = np.arange(len(gold)) if prompts is None else np.array(prompts)
    strata = np.zeros(int(prompts.max()) + 1, dtype=np.int64)
    return margin(decisions(*gold), decisions(*said), decisions(*[E] * len(gold)), prompts, Resampling(strata))


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
