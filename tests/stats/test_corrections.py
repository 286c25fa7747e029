"""Corrected scores: values worked by hand, and how often their intervals cover the truth."""

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.corrected_factscore import describe_corrections
from stats.factscore_estimation import JudgedShares, judged_shares
from stats.prediction_powered import prediction_powered
from stats.prevalence_correction import rogan_gladen


def shares_of(facts, responses):
    """Facts as (response, gold, said), each "S", "N" or "-" for unknown."""
    response, gold, said = (list(column) for column in zip(*facts, strict=True))
    gold, said = np.array(gold), np.array(said)
    return judged_shares(np.array(response), responses, gold != "-", gold == "S", said != "-", said == "S")


def facts_of(*texts):
    """A text a response, a word a fact: gold's letter and the evaluator's."""
    return [(place, *word) for place, text in enumerate(texts) for word in text.split()]


def describe(shares, subject, prompt, names=("Ada", "Ben", "Cleo"), resamples=300):
    strata = np.zeros(max(prompt) + 1, dtype=np.int64)
    return describe_corrections(
        shares, np.array(subject), list(names), np.array(prompt), Resampling(strata, resamples=resamples)
    )


def test_each_fact_weighs_by_the_facts_of_its_response():
    # Ada's responses of 2 and 4 facts. Supported weight: 1/2 + 2/4 = 1, of it called so: 1/2 + 1/4: se = 3/4.
    # Not supported: 1/2 + 2/4 = 1, of it called supported: 0 + 1/4: sp = 3/4. (By facts both were 2/3.)
    facts = facts_of("SS NN", "SS SN NS NN", "-S -S -S -N")
    described = describe(shares_of(facts, 3), [0, 0, 1], [0, 1, 0], ("Ada", "Ben"))
    assert described["calibration"]["sensitivity"] == pytest.approx(3 / 4)
    assert described["calibration"]["specificity"] == pytest.approx(3 / 4)
    ada, ben = described["subjects"]
    # Ben, of whom nothing is labelled: (3/4 + 3/4 − 1) / (3/4 + 3/4 − 1).
    assert ben["estimated"] == pytest.approx(3 / 4)
    assert ben["rogan_gladen"] == pytest.approx(1.0)
    assert ben["residual"] is None
    # Nobody but Ada has labels to calibrate her by.
    assert ada["rogan_gladen"] is None
    assert "no other subject" in ada["undefined"]["rogan_gladen"]


@pytest.mark.parametrize(("with_error", "given"), [(7, False), (8, True)])
def test_specificity_rests_on_prompts_with_a_fact_that_is_not_supported(with_error, given):
    """Twelve prompts are labelled, and all facts of the others are supported."""
    facts = facts_of(*["SS SN NN NS"] * with_error, *["SS SN"] * (12 - with_error))
    calibration = describe(shares_of(facts, 12), [0] * 12, list(range(12)), ("Ada",))["calibration"]
    assert calibration["specificity"] == 1 / 2
    assert calibration["sensitivity_interval"] is not None
    assert (calibration["specificity_interval"] is not None) == given


def test_the_correction_is_not_clipped():
    # ḡ = 1, se = 1/2, sp = 1: θ = 1 / (1/2).
    assert rogan_gladen(np.array([1.0]), np.array([0.5]), np.array([1.0])) == pytest.approx([2.0])


def test_over_the_calibration_itself_the_correction_gives_gold():
    shares = shares_of(facts_of("SS NN SN", "SS NS NN NN", "SS SS"), 3)
    f, o, u = shares.both, shares.over, shares.under
    se, sp = 1 - u.sum() / f.sum(), 1 - o.sum() / (1 - f).sum()
    assert rogan_gladen(np.array([shares.estimated.mean()]), np.array([se]), np.array([sp])) == pytest.approx(f.mean())


@pytest.mark.parametrize("said", ["S", "N"])
def test_an_evaluator_that_does_not_look_cannot_be_corrected(said):
    facts = facts_of(f"S{said} N{said}", f"S{said} N{said} N{said}", f"-{said}")
    row = describe(shares_of(facts, 3), [0, 0, 1], [0, 1, 0], ("Ada", "Ben"))["subjects"][1]
    assert row["rogan_gladen"] is None
    assert row["rogan_gladen_interval"] is None
    assert "se + sp ≤ 1" in row["undefined"]["rogan_gladen"]


def test_the_residual_leaves_the_subject_itself_out():
    # On Ada se = 1 and sp = 1/2; Ben's facts are all judged rightly: estimated 1/2, gold 1/2.
    facts = facts_of("SS NS", "SS NN", "SS NN", "SS NN")
    described = describe(shares_of(facts, 4), [0, 0, 1, 1], [0, 1, 0, 1], ("Ada", "Ben"))
    ada, ben = described["subjects"]
    # Ada's sp is 1/2 over both responses: 1 − (1/2)/(1/2 + 1/2). Ben: (1/2 + 1/2 − 1)/(1 + 1/2 − 1) = 0, gold 1/2.
    assert ben["residual"] == pytest.approx(-1 / 2)
    # By Ben the evaluator never errs, so Ada's estimate of (1 + 1/2)/2 stays, and her gold is 1/2.
    assert (ada["rogan_gladen"], ada["residual"]) == pytest.approx((3 / 4, 1 / 4))


def test_beside_a_corrected_score_stands_how_far_the_others_are_missed():
    facts = facts_of("SS NS", "SS NN", "SS NN", "SS NN", "-S -N", "-S -N")
    ada, ben, cleo = describe(shares_of(facts, 6), [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1])["subjects"]
    # Ada is missed by 1/4 and Ben by −1/2, as above; each of them has but one other with gold.
    assert cleo["residuals_of_others"] == pytest.approx([-1 / 2, 1 / 4])
    assert (ada["residuals_of_others"], ben["residuals_of_others"]) == (None, None)


def test_facts_of_the_evaluators_own_cannot_calibrate():
    nothing = np.full(2, np.nan)
    shares = JudgedShares(np.array([0.5, np.nan]), np.array([0.6, 0.7]), nothing, nothing, nothing)
    rows = describe(shares, [0, 1], [0, 0], ("Ada", "Ben"))["subjects"]
    assert [row["estimated"] for row in rows] == [0.6, 0.7]
    assert [row["rogan_gladen"] for row in rows] == [None, None]


def left_out(gold, estimated, unlabelled):
    """λ without each labelled response, by NumPy's own covariance."""
    for place in range(len(gold)):
        f, g = np.delete(gold, place), np.delete(estimated, place)
        spread = np.concatenate([g, unlabelled]).var(ddof=1)
        yield np.cov(f, g)[0, 1] / ((1 + len(f) / len(unlabelled)) * spread) if spread else 0.0


@pytest.mark.parametrize("sign", [1, 0.2, -1])
def test_prediction_powered_is_what_an_independent_computation_gives(sign):
    generator = np.random.default_rng(3)
    gold, noise = generator.beta(4, 6, size=12), generator.normal(0, 0.2, size=12)
    estimated, unlabelled = sign * gold + noise, sign * generator.beta(4, 6, size=30) + generator.normal(0, 0.2, 30)
    weights = np.clip(list(left_out(gold, estimated, unlabelled)), 0, 1)
    rest = [f - weight * g for f, g, weight in zip(gold, estimated, weights, strict=True)]
    both = np.concatenate([estimated, unlabelled])

    found = prediction_powered(gold, estimated, unlabelled)

    assert found.weight == pytest.approx(np.mean(weights))
    assert found.score == pytest.approx(np.mean(weights) * np.mean(unlabelled) + np.mean(rest))
    error = np.sqrt(np.mean(weights) ** 2 * np.var(both, ddof=1) / 30 + np.var(rest, ddof=1) / 12)
    assert found.error == pytest.approx(error)
    assert found.ends() == pytest.approx(scipy.stats.t.interval(0.95, 11, loc=found.score, scale=error))


def test_an_evaluator_that_errs_the_wrong_way_round_gets_no_weight():
    gold = np.arange(12) / 11
    found = prediction_powered(gold, 1 - gold, np.linspace(0, 1, 40))
    assert (found.weight, found.score) == pytest.approx((0, 1 / 2))


def test_labels_that_are_all_the_same_make_no_score_certain():
    """λ is 0, as gold does not vary with the estimates, and neither does anything else vary."""
    found = prediction_powered(np.ones(12), np.arange(12) / 12, np.linspace(0, 1, 40))
    assert (found.score, found.weight, found.error) == (1, 0, 0)
    assert found.ends() is None


def test_a_judge_without_errors_has_no_residual_of_width_0():
    """Ben is missed by nothing in any resample of four prompts."""
    facts = facts_of("SS NN SS", "SS NN", "SS SS NN", "SS NN", *["SS NN", "SS NN NN", "SS SS NN", "NN SS"])
    _, ben = describe(shares_of(facts, 8), [0] * 4 + [1] * 4, [0, 1, 2, 3] * 2, ("Ada", "Ben"))["subjects"]
    assert ben["residual"] == pytest.approx(0)
    assert ben["residual_interval"] is None


def test_estimates_alike_but_for_one_have_no_weight_without_it():
    """Without the one response whose estimate differs there is nothing to fit."""
    gold, estimated = np.tile([0.0, 1.0], 6), np.zeros(12)
    estimated[1] = 1.0
    weights = np.clip(list(left_out(gold, estimated, np.zeros(5))), 0, 1)
    assert weights[1] == 0
    assert prediction_powered(gold, estimated, np.zeros(5)).weight == pytest.approx(weights.mean())


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (facts_of(*["SS", "NN"] * 5, "-S"), "fewer than two judged responses without labels"),
        (facts_of(*["SS", "NN", "SN"] * 3, "-S", "-N"), "fewer than 10 judged responses with labels"),
        (facts_of("-S", "-S", "-S"), "no labels of its own"),
        (facts_of(*["SS", "NS"] * 5, "-S", "-S"), "gives every response the same score"),
    ],
)
def test_why_prediction_powered_inference_is_undefined(facts, why):
    responses = facts[-1][0] + 1
    shares = shares_of(facts, responses)
    [row] = describe(shares, [0] * responses, list(range(responses)), ("Ada",))["subjects"]
    assert row["prediction_powered"] is None
    assert why in row["undefined"]["prediction_powered"]


def judge(generator, gold, se, sp):
    return np.where(gold, generator.random(gold.shape) < se, generator.random(gold.shape) > sp)


def test_the_interval_of_rogan_gladen_covers_the_truth():
    """100 worlds: 60 prompts, Ada labelled, Ben not; scores differ from prompt to prompt, errors are alike."""
    generator = np.random.default_rng(7)
    prompts, facts, se, sp, truth = 60, 12, 0.85, 0.75, 0.4
    covered = 0
    for _ in range(100):
        rates = generator.beta([[6], [4]], [[4], [6]], size=(2, prompts))
        gold = generator.random((2, prompts, facts)) < rates[:, :, None]
        said = judge(generator, gold, se, sp)
        flat = np.repeat(np.arange(2 * prompts), facts)
        shares = judged_shares(
            flat, 2 * prompts, flat < prompts, gold.ravel(), np.ones(flat.size, dtype=bool), said.ravel()
        )
        subject, prompt = np.divmod(np.arange(2 * prompts), prompts)
        row = describe(shares, subject, prompt, ("Ada", "Ben"), resamples=200)["subjects"][1]
        low, high = row["rogan_gladen_interval"]
        covered += low <= truth <= high
    # 95 of 100 are to be expected; uncorrected, the estimate is off by 0.09, some three of its standard errors.
    assert covered >= 89


def test_the_interval_of_prediction_powered_inference_covers_the_truth():
    generator = np.random.default_rng(11)
    covered, narrower = 0, 0
    for _ in range(400):
        f = generator.beta(4, 6, size=160)
        g = np.clip(f + 0.15 + generator.normal(0, 0.08, size=160), 0, 1)
        found = prediction_powered(f[:40], g[:40], g[40:])
        low, high = found.ends()
        covered += low <= 0.4 <= high
        narrower += found.error < f[:40].std(ddof=1) / np.sqrt(40)
    assert 0.92 <= covered / 400 <= 0.98
    # What the labels alone give is wider.
    assert narrower > 390


@pytest.mark.parametrize("labelled", [10, 15])
def test_the_interval_covers_with_few_labels(labelled):
    """Responses right or wrong throughout. The normal interval with a λ fitted to the same labels covered 87 of 100 at
    ten, and 90 at fifteen."""
    generator = np.random.default_rng(12)
    covered, worlds = 0, 500
    for _ in range(worlds):
        f = (generator.random(size=200) < 0.3).astype(np.float64)
        g = f * 0.6 + generator.random(size=200) * 0.4
        found = prediction_powered(f[:labelled], g[:labelled], g[labelled:])
        covered += abs(found.score - 0.3) <= scipy.stats.t.ppf(0.975, labelled - 1) * found.error
    assert 0.935 <= covered / worlds <= 0.985
