"""The step-down over shared draws, by hand, by brute force and by simulation."""

import numpy as np
import pytest

from stats.paired_tests import holm
from stats.step_down import joined, step_down

DRAWS = 999


def test_two_hypotheses_by_hand():
    """In 39 draws the largest statistics are 1 to 39 halves; the second hypothesis alone never exceeds 1."""
    first = np.arange(1, 40) / 2
    second = np.minimum(first, 1.0)
    decided = step_down(np.array([20.0, 1.5]), np.stack([first, second], axis=1))

    # No draw of the larger reaches 20: 1/40. None of the second reaches 1.5 once the first is out.
    assert decided.p.tolist() == [1 / 40, 1 / 40]
    assert decided.significant.tolist() == [True, True]
    # p below 0.05 leaves no draw: it takes more than the largest of all, and in the second step more than 1.
    assert decided.critical == pytest.approx([19.5, 1.0])


def test_the_second_is_not_tested_alone_where_the_first_remains():
    first = np.arange(1, 40) / 2
    decided = step_down(np.array([19.0, 1.5]), np.stack([first, np.minimum(first, 1.0)], axis=1))

    # Two draws, 19 and 19.5, reach 19: 3/40. The second is alone in its step, but no p is below an earlier one.
    assert decided.p.tolist() == [3 / 40, 3 / 40]
    assert decided.critical == pytest.approx([19.5, 19.5])


def test_one_hypothesis_has_the_p_of_its_own_permutations():
    generator = np.random.default_rng(1)
    draws = np.abs(generator.normal(size=(DRAWS, 1)))
    for value in (0.1, 1.0, 1.9, 2.0, 3.5):
        decided = step_down(np.array([value]), draws)
        p = (1 + (draws >= value).sum()) / (1 + DRAWS)

        assert decided.p[0] == p
        assert bool(decided.significant[0]) == (value > decided.critical[0]) == (p < 0.05)


def test_an_undefined_hypothesis_is_none_and_a_draw_without_a_value_is_extreme():
    draws = np.abs(np.random.default_rng(2).normal(size=(DRAWS, 3)))
    draws[:, 2] = np.inf
    decided = step_down(np.array([4.0, np.nan, 0.5]), draws)

    assert np.isnan(decided.p[1])
    assert decided.p[0] == decided.p[2] == 1
    assert step_down(np.array([]), np.empty((10, 0))).p.tolist() == []


def test_a_few_draws_show_nothing():
    decided = step_down(np.array([9.0]), np.ones((18, 1)))

    assert (decided.p[0], decided.critical[0]) == (1 / 19, np.inf)


def test_p_and_critical_values_agree_whatever_the_draws():
    generator = np.random.default_rng(3)
    for _ in range(200):
        hypotheses = int(generator.integers(1, 9))
        draws = np.abs(generator.normal(size=(199, hypotheses))).round(1)
        observed = np.abs(generator.normal(scale=2, size=hypotheses)).round(1)
        decided = step_down(observed, draws)

        assert (decided.significant == (observed > decided.critical)).all()


def test_it_is_the_procedure_written_out():
    """Romano and Wolf's algorithm 4.1 in its own words: in each round what exceeds the quantile of the rest goes."""
    generator = np.random.default_rng(4)
    draws = np.abs(generator.normal(size=(DRAWS, 12)) + generator.normal(size=(DRAWS, 1)))
    observed = np.abs(generator.normal(scale=3, size=12))
    left, rejected = set(range(12)), set()
    while left:
        largest = np.sort(draws[:, sorted(left)].max(axis=1))
        out = {place for place in left if (1 + (largest >= observed[place]).sum()) / (1 + DRAWS) < 0.05}
        if not out:
            break
        rejected |= out
        left -= out

    assert 0 < len(rejected) < 12
    assert set(np.flatnonzero(step_down(observed, draws).significant)) == rejected


def test_of_independent_hypotheses_it_finds_what_holm_finds():
    """Two thousand families of ten, half of them false: with the same draws no family has fewer findings but by chance
    of the draws, and altogether there are more."""
    generator = np.random.default_rng(5)
    draws = np.abs(generator.normal(size=(4_999, 10)))
    means = np.repeat([0.0, 3.0], 5)
    found = {"holm": 0, "step": 0}
    for _ in range(2_000):
        observed = np.abs(generator.normal(size=10) + means)
        p = (1 + (draws >= observed).sum(axis=0)) / 5_000
        found["holm"] += int((holm(p) < 0.05).sum())
        found["step"] += int(step_down(observed, draws).significant.sum())

    assert found["step"] >= found["holm"] > 0


def simulate_family(generator, evaluators, clusters, draws, leader):
    """Whether anything is called better although all are equal: normal totals of clusters, signs turned at random."""
    values = generator.standard_t(4, size=(clusters, evaluators)) + generator.normal(size=(clusters, 1))
    signs = generator.choice([-1.0, 1.0], size=(draws, clusters))
    best = int(values.sum(axis=0).argmax())
    rivals = [place for place in range(evaluators) if place != best]
    pairs = [(one, other) for one in range(len(rivals)) for other in range(one)]

    def studentise(differences):
        drawn = signs @ differences
        scale = np.sqrt((drawn**2).mean(axis=0))
        return np.abs(differences.sum(axis=0)) / scale, np.abs(drawn) / scale

    observed, own = studentise(values[:, [best]] - values[:, rivals])
    if leader:
        _, among = studentise(
            np.stack([values[:, rivals[one]] - values[:, rivals[other]] for one, other in pairs], axis=1)
        )
        own = joined(observed, own, pairs, among)
    return bool(step_down(observed, own).significant.any())


def test_the_leader_of_equals_is_not_called_better():
    """The familywise error of the highest of eight equal ones against the rest, over 30 clusters: at most 5 % with the
    pairs among its rivals, far more without them, because chance chose the leader."""
    generator = np.random.default_rng(6)
    with_rivals, alone = (
        np.mean([simulate_family(generator, 8, 30, 399, leader) for _ in range(600)]) for leader in (True, False)
    )

    assert with_rivals < 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 600)
    assert alone > 0.09
