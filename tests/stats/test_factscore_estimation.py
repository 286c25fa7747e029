"""FActScore estimated by an evaluator, against gold."""

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.factscore_estimation import describe_estimation, response_scores
from stats.ranks import same_order
from tests.stats.exact import exact


def scores_of(facts, responses):
    """Facts as (response, gold, said), each "S", "N" or "-" for unknown."""
    response, gold, said = (list(column) for column in zip(*facts, strict=True))
    gold, said = np.array(gold), np.array(said)
    return response_scores(np.array(response), responses, gold != "-", gold == "S", said != "-", said == "S")


def describe(scores, subject, prompt):
    names = [f"model-{number}" for number in sorted(set(subject))]
    strata = np.zeros(max(prompt) + 1, dtype=np.int64)
    return describe_estimation(scores, np.array(subject), names, np.array(prompt), Resampling(strata, resamples=300))


def test_scores_by_hand():
    # Response 0: gold 2 of 3, said 3 of 3. Response 1: gold 1 of 2, said 0 of 2.
    facts = [(0, "S", "S"), (0, "S", "S"), (0, "N", "S"), (1, "S", "N"), (1, "N", "N")]
    row = describe(scores_of(facts, 2), [0, 0], [0, 1])["subjects"][0]
    assert row["factscore"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert row["estimated"] == pytest.approx((1 + 0) / 2)
    assert row["bias"] == pytest.approx(1 / 2 - 7 / 12)
    assert row["error_rate"] == pytest.approx(1 / 12)
    assert row["direction"] == "-"
    # Wrongly supported 1 of 3 and 0 of 2, wrongly rejected 0 of 3 and 1 of 2: their means differ by the bias.
    assert row["over_called"] == pytest.approx(1 / 6)
    assert row["under_called"] == pytest.approx(1 / 4)
    assert row["over_called"] - row["under_called"] == pytest.approx(row["bias"])


def test_a_perfect_evaluator_has_error_rate_0_whatever_it_covers():
    facts = [(0, "S", "S"), (0, "N", "N"), (1, "S", "-"), (1, "S", "-"), (2, "N", "N")]
    row = describe(scores_of(facts, 3), [0, 0, 0], [0, 1, 2])["subjects"][0]
    assert (row["responses"], row["error_rate"], row["bias_interval"]) == (2, 0.0, None)


def test_gold_covers_the_prompts_that_the_run_covers():
    # The mean over both responses would be 0.75; the run judged the first only, whose score is 0.5.
    facts = [(0, "S", "S"), (0, "N", "S"), (1, "S", "-")]
    assert describe(scores_of(facts, 2), [0, 0], [0, 1])["subjects"][0]["factscore"] == 0.5


@pytest.mark.parametrize(("said", "direction"), [("S", "+"), ("N", "-")])
def test_the_direction_of_a_bias_beyond_five_points(said, direction):
    facts = [(0, "S", said), (0, "N", said)]
    assert describe(scores_of(facts, 1), [0], [0])["subjects"][0]["direction"] == direction


def test_a_subject_that_the_run_does_not_cover_has_no_figures():
    facts = [(0, "S", "S"), (1, "S", "-")]
    found = describe(scores_of(facts, 2), [0, 1], [0, 0])
    assert found["subjects"][1]["estimated"] is None
    assert found["ranking_kept"] is None


def test_the_ranking_is_kept_where_the_estimates_order_the_subjects_as_gold_does():
    facts = [(0, "S", "S"), (1, "N", "N"), (2, "S", "S"), (3, "N", "S"), (3, "N", "N")]
    found = describe(scores_of(facts, 4), [0, 1, 0, 1], [0, 0, 1, 1])
    # Subject 0 scores 1 in gold and estimate, subject 1 scores 0 and (0 + 1/2)/2: so in every resample.
    assert (found["ranking_kept"], found["ranking_kept_probability"]) == (True, 1.0)


def test_estimates_that_tie_do_not_keep_a_ranking():
    assert same_order(np.array([[0.4, 0.6]]), np.array([[1.0, 1.0]])).tolist() == [0]


def test_the_interval_is_paired():
    """Scores vary widely while the evaluator is 0.1 too high, and 0.2 in every second response: the bias varies little.

    Its deviation is 0.05 · √(1/29); put between 0 and 1 the bias is (0.15 + 1) / 2 with half that deviation.
    """
    generator = np.random.default_rng(2)
    gold = generator.integers(0, 9, size=30)
    facts = [
        (response, "S" if fact < supported else "N", "S" if fact < supported + 1 + response % 2 else "N")
        for response, supported in enumerate(gold)
        for fact in range(10)
    ]
    row = describe(scores_of(facts, 30), [0] * 30, range(30))["subjects"][0]
    assert row["bias"] == pytest.approx(0.15)
    ends = exact(0.575, 0.575 * 0.425 / (0.025**2 / 29), 30)
    assert row["bias_interval"] == pytest.approx([2 * end - 1 for end in ends], abs=0.003)


def test_a_bias_that_no_draw_changes_has_no_interval():
    facts = [(response, gold, "S") for response in range(12) for gold in "SN"]
    row = describe(scores_of(facts, 12), [0] * 12, range(12))["subjects"][0]
    assert (row["bias"], row["bias_interval"]) == (0.5, None)


def test_the_interval_of_an_estimated_score_is_that_of_a_mean_over_prompts():
    """The estimate is 1 on half of twenty prompts and 0 on the others, whatever gold says."""
    facts = [(response, "S", "SN"[response % 2]) for response in range(20)]
    row = describe(scores_of(facts, 20), [0] * 20, range(20))["subjects"][0]

    assert row["estimated"] == 0.5
    assert row["estimated_interval"] == pytest.approx(exact(0.5, 19, 20), abs=0.02)


def test_means_over_subjects_resample_prompts_for_all_subjects_at_once():
    """Both subjects answer the same twenty prompts alike, so that the mean varies as much as either of them."""
    facts = [(response, "S", "SN"[response // 2 % 2]) for response in range(40)]
    found = describe(scores_of(facts, 40), [0, 1] * 20, [response // 2 for response in range(40)])
    means, (one, _) = found["subjects_mean"], found["subjects"]

    assert (means["estimated"], means["bias"], means["error_rate"]) == (0.5, -0.5, 0.5)
    assert means["estimated_interval"] == pytest.approx(one["estimated_interval"])
    assert means["bias_interval"] == pytest.approx(one["bias_interval"])
    # Were the subjects independent, the mean would have half the variance.
    assert means["estimated_interval"] == pytest.approx(exact(0.5, 19, 20), abs=0.02)


def test_a_mean_over_subjects_rests_on_the_prompts_of_the_subject_with_the_fewest():
    facts = [(response, "S", "SN"[response % 2]) for response in range(27)]
    found = describe(scores_of(facts, 27), [0] * 20 + [1] * 7, [*range(20), *range(7)])

    assert found["subjects_mean"]["estimated"] == pytest.approx((1 / 2 + 4 / 7) / 2)
    assert found["subjects_mean"]["estimated_interval"] is None


def test_a_mean_over_subjects_is_undefined_where_one_lacks_the_figure():
    facts = [(0, "S", "S"), (1, "S", "-")]
    found = describe(scores_of(facts, 2), [0, 1], [0, 0])

    figures = ("estimated", "bias", "error_rate")
    undefined = dict.fromkeys([*figures, *(f"{figure}_interval" for figure in figures)])
    assert found["subjects_mean"] == {**undefined, "withheld": {}}


def half_width(deviation, prompts):
    """Of the interval of a figure without bounds."""
    return scipy.stats.t.ppf(0.975, prompts - 1) * deviation


def two_subjects(one, other):
    """What is said of the one fact of each subject's response to each prompt, beside gold, as "SN": gold S, said N."""
    facts = [
        (2 * place + subject, *pair[subject])
        for place, pair in enumerate(zip(one, other, strict=True))
        for subject in (0, 1)
    ]
    count = len(facts)
    return describe(scores_of(facts, count), [0, 1] * (count // 2), [each // 2 for each in range(count)])[
        "subjects_mean"
    ]


def test_a_mean_error_rate_varies_with_biases_of_known_sign():
    """One subject is off by −1 and the other by +1 in the same ten of twenty prompts: the mean error rate of a resample
    is the share of these prompts, of deviation √(¼ / 19)."""
    means = two_subjects(["SN", "SS"] * 10, ["NS", "NN"] * 10)

    assert (means["error_rate"], means["bias"], means["bias_interval"]) == (0.5, 0.0, None)
    half = half_width(np.sqrt(0.25 / 19), 20)
    assert means["error_rate_interval"] == pytest.approx([0.5 - half, 0.5 + half], abs=0.02)


def test_a_mean_error_rate_that_no_draw_changes_has_no_interval():
    """The other is off in the prompts in which the first is not, so that each resample has the mean error rate ½."""
    means = two_subjects(["SN", "SS"] * 10, ["NN", "NS"] * 10)

    assert (means["error_rate"], means["error_rate_interval"]) == (0.5, None)
    assert means["withheld"] == {"error_rate": "no interval: every resample gives the same figure"}


def test_a_mean_error_rate_without_bias_reaches_from_0_as_far_as_the_bias():
    """Off by −1 and +1 in turn, and the other subject the other way: both biases are 0, of deviation √(1 / 19)."""
    means = two_subjects(["SN", "NS"] * 10, ["NS", "SN"] * 10)

    assert means["error_rate"] == 0.0
    assert means["error_rate_interval"] == pytest.approx([0.0, half_width(np.sqrt(1 / 19), 20)], abs=0.04)


def test_the_interval_of_a_mean_error_rate_holds_where_subjects_have_no_bias():
    """Twelve subjects without bias: the observed mean is above 0 each time, and its interval reaches 0."""
    generator = np.random.default_rng(4)
    held = 0
    for _ in range(40):
        off = generator.choice(["SN", "NS", "SS", "NN"], size=30 * 12)
        facts = [(place, *pair) for place, pair in enumerate(off)]
        subject, prompt = np.arange(360) % 12, np.arange(360) // 12
        means = describe(scores_of(facts, 360), subject, prompt)["subjects_mean"]
        assert means["error_rate"] > 0
        held += means["error_rate_interval"][0] == 0.0
    assert held >= 38


def test_why_a_mean_has_no_interval_is_said():
    means = two_subjects(["SN", "SS"] * 3, ["NS", "NN"] * 3)

    assert set(means["withheld"]) == {"estimated", "bias", "error_rate"}
    assert means["withheld"]["error_rate"].startswith("no interval: it rests on 6 prompts")


@pytest.mark.filterwarnings("error")
def test_without_subjects_there_are_no_figures():
    nothing = np.zeros(0, dtype=np.int64)
    scores = response_scores(nothing, 0, nothing > 0, nothing > 0, nothing > 0, nothing > 0)
    found = describe_estimation(scores, nothing, [], nothing, Resampling(nothing, resamples=10))

    assert (found["subjects"], found["subjects_mean"]["error_rate"], found["subjects_mean"]["withheld"]) == (
        [],
        None,
        {},
    )
