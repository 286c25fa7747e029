"""Corrected scores: values worked by hand, and how often their intervals cover the truth."""

import numpy as np
import pytest

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


def test_facts_of_the_evaluators_own_cannot_calibrate():
    nothing = np.full(2, np.nan)
    shares = JudgedShares(np.array([0.5, np.nan]), np.array([0.6, 0.7]), nothing, nothing, nothing)
    rows = describe(shares, [0, 1], [0, 0], ("Ada", "Ben"))["subjects"]
    assert [row["estimated"] for row in rows] == [0.6, 0.7]
    assert [row["rogan_gladen"] for row in rows] == [None, None]


def test_prediction_powered_by_hand():
    # g: 0, 1 with labels (f: 0, 1) and 0, 1 without: Var g = 1/3, Cov(f, g) = 1/2, λ = (1/2) / (2 · 1/3) = 3/4.
    found = prediction_powered(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert found.weight == pytest.approx(3 / 4)
    # θ = 3/4 · 1/2 + mean(0, 1/4). SE² = (9/16)(1/3)/2 + Var(0, 1/4)/2 = 3/32 + 1/64.
    assert found.score == pytest.approx(1 / 2)
    assert found.error == pytest.approx(np.sqrt(7 / 64))
    assert found.ends() == pytest.approx([0.5 - 1.959964 * np.sqrt(7 / 64), 0.5 + 1.959964 * np.sqrt(7 / 64)], abs=1e-6)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (facts_of("SS", "SS", "-S"), "fewer than two judged responses without labels"),
        (facts_of("SS", "-S", "-S"), "fewer than two judged responses with labels"),
        (facts_of("-S", "-S", "-S"), "no labels of its own"),
        (facts_of("SS", "NS", "-S", "-S"), "gives every response the same score"),
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
