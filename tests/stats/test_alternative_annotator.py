"""The alternative annotator test: against an implementation by plain loops, and in worlds where the answer is known."""

import numpy as np
import pytest
import scipy

from stats.alternative_annotator import EPSILONS, benjamini_yekutieli, compare_with_annotators, why_no_test
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED
from stats.left_out import PeoplesLabels


def people_of(labels, cluster=None):
    labels = np.array(labels, dtype=np.int8)
    return PeoplesLabels(labels, np.arange(labels.shape[1]) if cluster is None else np.array(cluster))


def say(generator, truth, right):
    """The truth with that probability, else the other value."""
    return np.where(generator.random(len(truth)) < right, truth, np.where(truth == ERROR, CORRECT, ERROR)).astype(
        np.int8
    )


def world(seed, right, of_judge, units=120, gaps=0.2):
    """The labels of people who are right so often, some left out, and those of a judge."""
    generator = np.random.default_rng(seed)
    truth = np.where(generator.random(units) < 0.35, ERROR, CORRECT)
    labels = np.array([say(generator, truth, share) for share in right])
    labels[generator.random(labels.shape) < gaps] = MISSING
    return labels, say(generator, truth, of_judge)


def by_loops(labels, judge, epsilon):
    """Calderon, Reichart and Dror (2025), section 3, with units taken as independent: p and ρ_judge by annotator."""
    found = {}
    for left, own in enumerate(labels):
        leads, wins = [], []
        for unit in range(len(judge)):
            rest = [row[unit] for place, row in enumerate(labels) if place != left and row[unit] != MISSING]
            if own[unit] == MISSING or not rest:
                continue
            of_judge, of_own = (np.mean([said == each for each in rest]) for said in (judge[unit], own[unit]))
            wins.append(of_judge >= of_own)
            leads.append(float(of_own >= of_judge) - float(of_judge >= of_own))
        found[left] = (scipy.stats.ttest_1samp(leads, epsilon, alternative="less").pvalue, np.mean(wins), len(leads))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_plain_loops_give(seed):
    labels, judge = world(seed, (0.9, 0.8, 0.75, 0.7), 0.85)
    found = compare_with_annotators(people_of(labels), judge)
    for place, epsilon in enumerate(EPSILONS):
        expected = by_loops(labels, judge, epsilon)
        p = np.array([expected[each.annotator][0] for each in found.compared])
        assert [each.p[place] for each in found.compared] == pytest.approx(p)
        assert [each.judge for each in found.compared] == pytest.approx([row[1] for row in expected.values()])
        assert [each.n for each in found.compared] == [row[2] for row in expected.values()]
        beaten = scipy.stats.false_discovery_control(p, method="by") <= 0.05
        assert [each.beaten[place] for each in found.compared] == beaten.tolist()
        assert found.winning_rate[place] == pytest.approx(beaten.mean())
    assert found.advantage == pytest.approx(np.mean([each.judge for each in found.compared]))


def test_one_unit_by_hand():
    """Of four annotators one calls the unit correct. Against that one the judge agrees with 3 of 3 and it with none;
    against each of the others the judge agrees with 2 of 3, as they do."""
    labels = np.tile(np.array([[ERROR], [ERROR], [ERROR], [CORRECT]], dtype=np.int8), 30)
    found = compare_with_annotators(people_of(labels), np.full(30, ERROR, dtype=np.int8))
    assert [(each.judge, each.own) for each in found.compared] == [(1, 1), (1, 1), (1, 1), (1, 0)]
    # Leads are all the same, with no spread to go by: 0.9, 0.85 and 0.8 to the power of 30 prompts.
    assert found.compared[0].p == pytest.approx([0.9**30, 0.85**30, 0.8**30])
    assert found.advantage == 1


@pytest.mark.parametrize(("ahead", "behind"), [(1, 1), (2, 1), (4, 3)])
def test_prompts_that_are_all_alike_have_no_spread_to_go_by(ahead, behind):
    """In every prompt the judge is as good on some units and better on the others: a mean that is no binary fraction,
    such as −1/3, gives the same p as −1/2."""
    width = ahead + behind
    better = np.tile(np.arange(width) >= ahead, 30)
    labels = np.full((4, 30 * width), ERROR, dtype=np.int8)
    labels[3, better] = CORRECT
    found = compare_with_annotators(
        people_of(labels, np.repeat(np.arange(30), width)), np.full(30 * width, ERROR, dtype=np.int8)
    )
    assert found.compared[3].p == pytest.approx([0.9**30, 0.85**30, 0.8**30])


def test_a_mean_close_below_epsilon_in_every_prompt_says_little():
    """The fourth annotator is better on one unit of twenty in each of 30 prompts: 0.95 is the most that ε = 0.1 leaves,
    and (0.9 / 0.95) to the power of 30 is 0.2."""
    wrong = np.tile(np.arange(20) == 0, 30)
    labels = np.full((4, 600), ERROR, dtype=np.int8)
    judge = np.where(wrong, CORRECT, ERROR).astype(np.int8)
    found = compare_with_annotators(people_of(labels, np.repeat(np.arange(30), 20)), judge)
    assert found.compared[3].p == pytest.approx([(each / 0.95) ** 30 for each in (0.9, 0.85, 0.8)])


def test_units_of_one_prompt_are_one_draw():
    """Each unit four times, in one prompt: the p value stays that of the single units."""
    labels, judge = world(1, (0.9, 0.8, 0.75), 0.8, gaps=0)
    once = compare_with_annotators(people_of(labels), judge)
    again = compare_with_annotators(
        people_of(np.repeat(labels, 4, axis=1), np.repeat(np.arange(120), 4)), np.repeat(judge, 4)
    )
    assert [each.p for each in again.compared] == [pytest.approx(each.p) for each in once.compared]


def test_a_better_judge_may_replace_them_and_a_coin_may_not():
    labels, better = world(5, (0.85, 0.85, 0.85), 0.97, units=300)
    coin = np.random.default_rng(2).choice([CORRECT, ERROR], 300).astype(np.int8)
    assert compare_with_annotators(people_of(labels), better).winning_rate.tolist() == [1, 1, 1]
    assert compare_with_annotators(people_of(labels), coin).winning_rate.tolist() == [0, 0, 0]


def test_a_judge_that_leaves_out_what_is_hard_gains_nothing():
    labels, judge = world(5, (0.75, 0.75, 0.75), 0.95, units=300, gaps=0)
    silent = judge.copy()
    silent[:200], silent[:50] = MISSING, UNPARSED
    found = compare_with_annotators(people_of(labels), silent)
    assert found.winning_rate.tolist() == [0, 0, 0]
    assert all(each.judge <= 1 / 3 for each in found.compared)


def test_where_the_judge_is_as_good_as_they_are_epsilon_decides_how_often_it_wins():
    """With ε = 0 a judge of the same quality is found superior to somebody in few worlds; with 0.2 it mostly wins."""
    drawn = [world(seed, (0.8, 0.8, 0.8), 0.8, units=100, gaps=0) for seed in range(100)]
    found = [compare_with_annotators(people_of(labels), judge, (0.0, 0.2)) for labels, judge in drawn]
    assert np.mean([each.winning_rate[0] > 0 for each in found]) <= 0.08
    assert np.mean([each.winning_rate[1] >= 0.5 for each in found]) >= 0.6


def test_two_annotators_and_few_units_are_too_few():
    labels, judge = world(0, (0.9, 0.8), 0.9)
    assert "and there are 2" in why_no_test(people_of(labels))
    assert compare_with_annotators(people_of(labels), judge) is None
    labels, judge = world(0, (0.9, 0.8, 0.7), 0.9, units=29, gaps=0)
    assert "and there are 0" in why_no_test(people_of(labels))
    assert why_no_test(people_of(world(0, (0.9, 0.8, 0.7), 0.9, units=30, gaps=0)[0])) == ""


def test_an_annotator_with_few_units_is_not_tested_and_stays_among_the_others():
    labels, judge = world(3, (0.9, 0.8, 0.8, 0.7), 0.85, gaps=0)
    labels[3, 20:] = MISSING
    found = compare_with_annotators(people_of(labels), judge)
    assert [each.annotator for each in found.compared] == [0, 1, 2]
    assert found.compared[0].judge == pytest.approx(by_loops(labels, judge, 0.1)[0][1])


@pytest.mark.parametrize("seed", range(5))
def test_benjamini_and_yekutieli_as_scipy_has_it(seed):
    p = np.random.default_rng(seed).random(12) ** 4
    assert benjamini_yekutieli(p).tolist() == (scipy.stats.false_discovery_control(p, method="by") <= 0.05).tolist()
