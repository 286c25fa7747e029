"""FActScore of subject models without gold; every value worked by hand."""

import math

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.estimated_factscore import EstimatedResponses, describe_subjects
from stats.ranks import pearson
from tests.stats.exact import exact


def responses(*rows):
    """Rows of (subject, prompt, facts, judged, supported); facts None: it abstained, "?": unjudged."""
    known = [row if isinstance(row[2], int) else (*row[:2], 0, 0, 0) for row in rows]
    return EstimatedResponses(
        subject=np.array([row[0] for row in rows]),
        prompt=np.array([row[1] for row in rows]),
        responding=np.array([isinstance(row[2], int) for row in rows]),
        unjudged=np.array([row[2] == "?" for row in rows]),
        facts=np.array([row[2] for row in known]),
        judged=np.array([row[3] for row in known]),
        supported=np.array([row[4] for row in known]),
    )


def describe(*rows, subjects=("Ada",), penalty=None):
    found = responses(*rows)
    resampling = Resampling(np.zeros(int(found.prompt.max()) + 1, dtype=np.int64))
    return describe_subjects(found, list(subjects), resampling, penalty)


def test_the_score_is_the_mean_share_over_responding_prompts():
    # Shares 3/4 and 1/2; the abstention has none. Facts: (4 + 6) / 2.
    [row] = describe((0, 0, 4, 4, 3), (0, 1, 6, 4, 2), (0, 2, None), (0, 3, "?"))["subjects"]
    assert row["estimated"] == pytest.approx(0.625)
    assert row["responding"] == pytest.approx(2 / 3)
    assert row["facts_per_response"] == 5
    assert row["coverage"] == pytest.approx(0.8)
    assert (row["prompts"], row["unjudged"]) == (4, 1)


def test_the_length_penalty_lowers_short_responses():
    # 5 of 10 or fewer facts: e^(1 − 10/5); 10 facts: e^0; 20 facts: none.
    [row] = describe((0, 0, 5, 5, 5), (0, 1, 10, 10, 10), (0, 2, 20, 20, 20), penalty=10)["subjects"]
    assert row["estimated"] == pytest.approx((math.exp(-1) + 1 + 1) / 3)


def test_subjects_are_ranked_and_those_not_told_apart_share_a_range():
    # Ben scores 1 everywhere and Cleo 0; Ada is between them, sure of nothing.
    rows = [(1, prompt, 2, 2, 2) for prompt in range(30)] + [(2, prompt, 2, 2, 0) for prompt in range(30)]
    rows += [(0, prompt, 2, 2, prompt % 2 * 2) for prompt in range(30)]
    ranked = describe(*rows, subjects=("Ada", "Ben", "Cleo"))["subjects"]
    assert [(row["subject"], row["rank"], row["ranks"]) for row in ranked] == [
        ("Ben", 1, [1, 1]),
        ("Ada", 2, [2, 2]),
        ("Cleo", 3, [3, 3]),
    ]
    alike = [(subject, prompt, 2, 2, (prompt + subject) % 2 * 2) for subject in (0, 1) for prompt in range(30)]
    assert [row["ranks"] for row in describe(*alike, subjects=("Ada", "Ben"))["subjects"]] == [[1, 2], [1, 2]]


def ranks(*rows):
    return [row["ranks"] for row in describe(*rows, subjects=("Ada", "Ben"))["subjects"]]


def test_one_prompt_shows_nothing_about_the_order():
    """Of the score of a subject with one prompt there is no interval, however many the other has."""
    of_ada = [(0, prompt, 10, 10, 9) for prompt in range(30)]

    assert ranks(of_ada[0], (1, 0, 10, 10, 8)) == [[1, 2], [1, 2]]
    assert ranks(*of_ada, (1, 0, 10, 10, 8)) == [[1, 2], [1, 2]]


@pytest.mark.parametrize(("prompts", "expected"), [(2, [[1, 2], [1, 2]]), (5, [[1, 2], [1, 2]]), (6, [[1, 1], [2, 2]])])
def test_prompts_that_all_say_the_same_show_an_order_from_six_on(prompts, expected):
    """Swapping both subjects' responses gives as large a difference in 2 of 2ⁿ ways: p is 0.06 of five, 0.03 of six."""
    rows = [(subject, prompt, 10, 10, 9 - subject) for subject in (0, 1) for prompt in range(prompts)]

    assert ranks(*rows) == expected


def test_over_common_prompts_only_what_all_answered_counts():
    # Prompt 1 is Ada's alone, prompt 2 Ben's alone.
    common = describe(
        (0, 0, 2, 2, 1), (0, 1, 2, 2, 2), (0, 2, None), (1, 0, 2, 2, 0), (1, 1, None), (1, 2, 2, 2, 2),
        subjects=("Ada", "Ben"),
    )["common_prompts"]  # fmt: skip
    assert common == {"n": 1, "estimated": {"Ada": 0.5, "Ben": 0.0}}


def test_a_subject_without_any_score_does_not_keep_the_others_from_being_compared():
    common = describe((0, 0, 2, 2, 1), (1, 0, 2, 0, 0), subjects=("Ada", "Ben"))["common_prompts"]
    assert common == {"n": 1, "estimated": {"Ada": 0.5, "Ben": None}}


def test_a_subject_that_always_abstains_has_no_score():
    described = describe((0, 0, None), (0, 1, None))
    [row] = described["subjects"]
    assert row["responding"] == 0
    assert [row[key] for key in ("estimated", "interval", "rank", "ranks", "facts_per_response", "coverage")] == [
        None
    ] * 6
    assert described["common_prompts"] == {"n": 0, "estimated": {"Ada": None}}


def test_the_interval_resamples_prompts():
    [row] = describe(*((0, prompt, 1, 1, prompt % 2) for prompt in range(12)))["subjects"]
    assert row["interval"] == pytest.approx(exact(0.5, 11, 12), abs=0.02)


def test_two_prompts_have_a_score_and_no_interval():
    [row] = describe((0, 0, 1, 1, 1), (0, 1, 1, 1, 0))["subjects"]
    assert (row["estimated"], row["interval"]) == (0.5, None)


def test_pearson_is_that_of_scipy():
    one, other = [0.2, 0.5, 0.9, None], [0.1, 0.7, 0.8, 0.3]
    assert pearson(one, other) == pytest.approx(scipy.stats.pearsonr(one[:3], other[:3]).statistic)


@pytest.mark.parametrize("other", [[0.1, 0.2, None], [0.5, 0.5, 0.5]])
def test_pearson_is_undefined_below_three_subjects_or_without_spread(other):
    assert pearson([0.1, 0.2, 0.3], other) is None


def test_of_equal_subjects_none_is_called_better():
    """Twelve equal subjects over 183 prompts, as in FActScore: 25 times at random, each with chance one in twenty to
    call any of the 66 pairs different. By the interval of each pair alone it was three times in four."""
    generator = np.random.default_rng(12)
    subject, prompt = (each.ravel() for each in np.meshgrid(np.arange(12), np.arange(183)))
    facts = np.full(len(subject), 20)
    false = 0
    for _ in range(25):
        shared = generator.beta(2, 2, 183)[prompt]
        supported = generator.binomial(20, 0.5 * shared + 0.5 * generator.beta(2, 2, len(subject)))
        everyone = np.ones(len(subject), dtype=np.bool_)
        found = EstimatedResponses(subject, prompt, everyone, ~everyone, facts, facts, supported)
        rows = describe_subjects(found, [str(place) for place in range(12)], Resampling(np.zeros(183, dtype=np.int64)))
        false += any(row["ranks"] != [1, 12] for row in rows["subjects"])

    # More than four of 25 have a probability below 1 % at 5 % each.
    assert false <= 4
