"""Gold as a probability: against EM by plain loops, in a world where gold is known, and how often intervals hold."""

import math

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.dawid_skene import UncertainGold, f1_of_uncertain, uncertain_gold
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED
from stats.left_out import PeoplesLabels

RIGHT = {"ada": (0.9, 0.95), "ben": (0.7, 0.9), "cleo": (0.8, 0.7)}


def people_of(labels):
    labels = np.array(labels, dtype=np.int8)
    return PeoplesLabels(labels, np.arange(labels.shape[1]))


def world(seed, units=400, gaps=0.1):
    """Truth, and the labels of three annotators with these shares of errors found and of correct units left alone."""
    generator = np.random.default_rng(seed)
    truth = generator.random(units) < 0.3
    labels = np.array(
        [
            np.where(generator.random(units) < np.where(truth, found, 1 - left), ERROR, CORRECT)
            for found, left in RIGHT.values()
        ]
    )
    labels[generator.random(labels.shape) < gaps] = MISSING
    return truth, labels


def by_loops(labels, steps):
    """One unit and one annotator at a time; a label more of each kind for everybody."""
    units = [
        [(who, row[unit] == ERROR) for who, row in enumerate(labels) if row[unit] != MISSING]
        for unit in range(labels.shape[1])
    ]
    posterior = {place: sum(said for _, said in unit) / len(unit) for place, unit in enumerate(units) if unit}
    for _ in range(steps):
        prevalence = (sum(posterior.values()) + 1) / (len(posterior) + 2)
        rates = {}
        for who in range(len(labels)):
            own = [(posterior[place], said) for place in posterior for name, said in units[place] if name == who]
            rates[who, True] = (sum(p for p, said in own if said) + 1) / (sum(p for p, _ in own) + 2)
            rates[who, False] = (sum(1 - p for p, said in own if said) + 1) / (sum(1 - p for p, _ in own) + 2)
        for place in posterior:
            error = prevalence * math.prod(
                rates[who, True] if said else 1 - rates[who, True] for who, said in units[place]
            )
            correct = (1 - prevalence) * math.prod(
                rates[who, False] if said else 1 - rates[who, False] for who, said in units[place]
            )
            posterior[place] = error / (error + correct)
    return posterior, prevalence, rates


def test_it_is_what_plain_loops_give():
    _, labels = world(1, units=80, gaps=0.3)
    found = uncertain_gold(people_of(labels))
    posterior, prevalence, rates = by_loops(labels, 400)
    assert {place: found.error[place] for place in posterior} == pytest.approx(posterior, abs=1e-5)
    assert found.prevalence == pytest.approx(prevalence, abs=1e-5)
    assert found.sensitivity == pytest.approx([rates[who, True] for who in range(3)], abs=1e-5)
    assert found.specificity == pytest.approx([1 - rates[who, False] for who in range(3)], abs=1e-5)


def test_the_rates_and_the_truth_come_out():
    truth, labels = world(2, units=6000)
    found = uncertain_gold(people_of(labels))
    assert found.prevalence == pytest.approx(0.3, abs=0.02)
    assert found.sensitivity == pytest.approx([rates[0] for rates in RIGHT.values()], abs=0.04)
    assert found.specificity == pytest.approx([rates[1] for rates in RIGHT.values()], abs=0.03)
    # Posteriors are probabilities: of units at about 0.8, about four in five are errors.
    near = np.abs(found.error - 0.8) < 0.15
    assert truth[near].mean() == pytest.approx(found.error[near].mean(), abs=0.05)


def mace(labels, steps=500):
    """Posteriors, and the share of units that each annotator knows, by EM over *knows the truth* or *guesses*."""
    given, called = labels != MISSING, labels == ERROR
    error, knows, guess = called.sum(axis=0) / given.sum(axis=0), np.full(len(labels), 0.5), np.full(len(labels), 0.5)
    for _ in range(steps):
        known_error, known_correct = (knows / (knows + (1 - knows) * each) for each in (guess, 1 - guess))
        of_errors = (called * error * known_error[:, None]).sum(axis=1)
        of_correct = ((given & ~called) * (1 - error) * known_correct[:, None]).sum(axis=1)
        guessed = called.sum(axis=1) - of_errors, (given & ~called).sum(axis=1) - of_correct
        knows, guess = (of_errors + of_correct) / given.sum(axis=1), guessed[0] / (guessed[0] + guessed[1])
        odds = np.log(error.mean() / (1 - error.mean()))
        says = knows + (1 - knows) * guess, (1 - knows) * guess
        odds = odds + np.log(says[0] / says[1]) @ called + np.log((1 - says[0]) / (1 - says[1])) @ (given & ~called)
        error = 1 / (1 + np.exp(-odds))
    return error, knows


def test_of_two_values_mace_is_the_same_model():
    _, labels = world(4, units=4000)
    labels = labels[:, (labels != MISSING).any(axis=0)]
    error, knows = mace(labels)
    found = uncertain_gold(people_of(labels))
    # What differs is one label more of each kind for each annotator and for gold.
    assert found.error == pytest.approx(error, abs=0.01)
    assert found.competence == pytest.approx(knows, abs=0.01)


def test_a_unit_that_nobody_labelled_has_no_posterior():
    found = uncertain_gold(people_of([[ERROR, MISSING], [ERROR, UNPARSED]]))
    assert np.isnan(found.error).tolist() == [False, True]


@pytest.mark.filterwarnings("error")
def test_three_hundred_who_agree_are_as_good_as_certain():
    """The odds exceed e^700, more than a float holds."""
    gold = np.tile([ERROR, CORRECT], 30)
    assert uncertain_gold(people_of([gold] * 300)).error == pytest.approx(np.tile([1.0, 0.0], 30))


def draws(units, resamples=300):
    return Resampling(np.zeros(units, dtype=np.int64), resamples=resamples)


def test_of_unanimous_labels_gold_is_nearly_certain():
    gold = np.tile([ERROR, CORRECT, CORRECT], 100)
    people = people_of([gold] * 4)
    judge = np.where(np.arange(300) % 6 == 0, CORRECT, gold).astype(np.int8)
    (found,) = f1_of_uncertain(uncertain_gold(people), people, [judge], draws(300))
    # Every second error is missed: 2 · 50 / (2 · 50 + 50).
    assert found.f1 == pytest.approx(2 / 3, abs=0.01)


def test_what_was_not_answered_counts_as_wrong():
    gold = np.tile([ERROR, CORRECT], 50)
    people = people_of([gold] * 4)
    judges = [np.full(100, code, dtype=np.int8) for code in (MISSING, UNPARSED)]
    assert [each.f1 for each in f1_of_uncertain(uncertain_gold(people), people, judges, draws(100))] == [0, 0]


def test_the_line_is_numpys_least_squares():
    truth, labels = world(3, units=200)
    people, judge = people_of(labels), np.where(truth, ERROR, CORRECT).astype(np.int8)
    judge[::7], judge[::11] = MISSING, ERROR
    gold = uncertain_gold(people)
    labelled = ~np.isnan(gold.error)
    q, answers = gold.error[labelled], judge[labelled]
    hits, alarms = (np.polynomial.Polynomial.fit(q, each, 1) for each in (answers == ERROR, answers != CORRECT))
    share, recall, wrong = q.mean(), hits(1), alarms(0)
    (found,) = f1_of_uncertain(gold, people, [judge], draws(200))
    assert found.f1 == pytest.approx(2 * share * recall / (share * recall + (1 - share) * wrong + share))


@pytest.mark.parametrize("units", [40, 50, 60, 70, 100, 130])
def test_where_nobody_called_an_error_there_is_no_figure(units):
    """All probabilities are the same, and no line goes through one point, whatever rounding leaves of its spread."""
    people = people_of(np.full((4, units), CORRECT))
    judge = np.where(np.arange(units) % 5 == 0, ERROR, CORRECT).astype(np.int8)
    (found,) = f1_of_uncertain(uncertain_gold(people), people, [judge], draws(units))
    assert (found.f1, found.interval) == (None, None)


def test_many_units_that_are_hardly_errors_are_no_prompt_with_an_error():
    """Twelve prompts of 60 units with q = 0.01 sum to more than a half each; four more have a sure error."""
    cluster = np.concatenate([np.repeat(np.arange(12), 60), np.arange(12, 16)])
    q = np.where(cluster < 12, 0.01, 0.99)
    gold = UncertainGold(q, float(q.mean()), np.full(3, 0.9), np.full(3, 0.9))
    people = PeoplesLabels(np.where(q > 0.5, ERROR, CORRECT).astype(np.int8)[None].repeat(3, axis=0), cluster)
    (found,) = f1_of_uncertain(gold, people, [people.labels[0]], draws(16))
    assert found.f1 is not None
    assert found.interval is None


def test_the_interval_holds_the_figure_by_the_truth():
    """Where three annotators err often, the majority's gold makes a judge seem worse than it is."""
    covered, majority, worlds = 0, 0, 100
    for seed in range(worlds):
        truth, labels = world(seed, units=300, gaps=0)
        generator = np.random.default_rng(seed + 1000)
        judge = np.where(generator.random(300) < np.where(truth, 0.8, 0.1), ERROR, CORRECT).astype(np.int8)
        people, resampling = people_of(labels), draws(300, 200)
        (found,) = f1_of_uncertain(uncertain_gold(people), people, [judge], resampling)
        # 2 · 0.3 · 0.8 / (0.3 · 0.8 + 0.7 · 0.1 + 0.3)
        truly = 0.48 / 0.61
        covered += found.interval.low <= truly <= found.interval.high
        voted, called = (labels == ERROR).sum(axis=0) >= 2, judge == ERROR
        weights = np.concatenate(list(resampling.weights()))
        drawn = 2 * weights @ (voted & called) / (weights @ voted + weights @ called)
        low, high = np.quantile(drawn, [0.025, 0.975])
        majority += low <= truly <= high
    assert covered / worlds >= 0.92
    assert majority / worlds <= 0.5
