"""The mean of F1 over slices, resampled at once."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING, Level, describe_level
from stats.slice_means import mean_f1
from tests.stats.exact import exact_of

CODES = {"E": ERROR, "C": CORRECT, "-": MISSING}


def code(letters):
    return np.array([CODES[letter] for letter in letters], dtype=np.int8)


def level_of(gold, cluster, slices):
    names = tuple(f"model-{number}" for number in range(max(slices) + 1))
    return Level("fact", code(gold), np.array(cluster), np.array(slices), names, "subject")


def resampling_of(cluster):
    return Resampling(np.zeros(max(cluster) + 1, dtype=np.int64), resamples=400)


def f1_of(gold, said):
    hits = ((gold == ERROR) & (said == ERROR)).sum()
    return 2 * hits / ((gold == ERROR).sum() + (said == ERROR).sum())


def test_the_mean_by_hand_and_its_interval_from_a_bootstrap_of_its_own():
    """One subject has two errors of which every second is found, the other one that is found along with an alarm."""
    cluster, subject = np.repeat(np.arange(20), 4), np.tile([0, 0, 1, 1], 20)
    gold, said = code("EEEC" * 20), code(("ECEE" + "EEEC") * 10)
    resampling = resampling_of(cluster)
    found = mean_f1(Level("fact", gold, cluster, subject, ("one", "other"), "subject"), said, resampling)

    # One: 30 of 40 errors found, none called wrongly. Other: 20 of 20, with 10 alarms.
    assert found.value == pytest.approx((60 / 70 + 40 / 50) / 2)
    drawn = []
    for weights in np.concatenate(list(resampling.weights())):
        of_units = weights[cluster]
        hits = [(of_units * (gold == ERROR) * (said == ERROR) * (subject == one)).sum() for one in (0, 1)]
        called = [(of_units * ((gold == ERROR) + 0.0 + (said == ERROR)) * (subject == one)).sum() for one in (0, 1)]
        drawn.append(np.mean([2 * hit / each for hit, each in zip(hits, called, strict=True)]))
    assert list(found.interval) == pytest.approx(exact_of(found.value, np.array(drawn), 20), abs=1e-6)


@pytest.mark.parametrize("runs", [1, 3])
def test_the_mean_of_subjects_that_are_alike_varies_as_each_of_them(runs):
    generator = np.random.default_rng(runs)
    gold = generator.choice([ERROR, CORRECT], size=60).astype(np.int8)
    said = [np.where(generator.random(60) < 0.6 + 0.1 * run, gold, ERROR + CORRECT - gold) for run in range(runs)]
    cluster = np.repeat(np.arange(20), 3)
    both = Level("fact", np.tile(gold, 2), np.tile(cluster, 2), np.repeat([0, 1], 60), ("one", "other"), "subject")
    decisions = np.stack([np.tile(each, 2) for each in said]).astype(np.int8)
    resampling = resampling_of(cluster)
    ((_, one, _),) = describe_level(both, [decisions], resampling)
    found = mean_f1(both, decisions, resampling)

    assert found.value == pytest.approx(one["f1"])
    assert list(found.interval) == pytest.approx(one["f1_interval"], abs=1e-6)


def test_a_mean_is_undefined_where_a_subject_has_no_error_or_there_is_none():
    cluster = [0, 0, 1, 1]
    found = mean_f1(level_of("ECCC", cluster, [0, 0, 1, 1]), code("EECC"), resampling_of(cluster))
    assert (found.value, found.interval, found.withheld) == (None, None, "")

    nothing = Level("fact", code(""), np.zeros(0, np.int64), np.zeros(0, np.int64), (), "subject")
    assert mean_f1(nothing, code(""), resampling_of(cluster)).value is None


def test_a_mean_rests_on_the_subject_with_the_fewest_prompts_with_an_error():
    cluster = [*range(12), *range(12)]
    found = mean_f1(
        level_of("E" * 12 + "E" * 7 + "C" * 5, cluster, [0] * 12 + [1] * 12), code("E" * 24), resampling_of(cluster)
    )

    assert found.value == pytest.approx((1 + 2 * 7 / (14 + 5)) / 2)
    assert found.interval is None
    assert found.withheld.startswith("no interval: it rests on 7 prompts with an error of the subject with the fewest")
