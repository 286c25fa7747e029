"""Repeated runs of one evaluator (docs/statistics.md, Repeated runs)."""

from itertools import combinations

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, METRICS, MISSING, UNPARSED, Level, describe_level, tally
from stats.paired_tests import both_judged, compare_pairs, equal_accuracies
from stats.pessimistic import describe_with_pessimistic
from stats.run_effects import RunPart, gradient, permute_run_sets, run_part, variance_components
from stats.run_noise import describe_runs, linearised

E, C, M, U = ERROR, CORRECT, MISSING, UNPARSED
F1 = METRICS["f1"].compute_totals


def draw(seed, runs, units=400, clusters=60):
    """Gold, the runs (R, N) of an evaluator that is right at its prompt's rate, and the prompt of each unit."""
    generator = np.random.default_rng(seed)
    cluster = np.arange(units) % clusters
    gold = np.where(generator.random(units) < 0.3, ERROR, CORRECT).astype(np.int8)
    right = generator.random((runs, units)) < generator.beta(4, 1, clusters)[cluster]
    return gold, np.where(right, gold, ERROR + CORRECT - gold).astype(np.int8), cluster


def level_of(gold, cluster):
    return Level("segment", gold, cluster, np.zeros(len(gold), dtype=np.int64), ("all of it",), "domain")


def resampling_of(cluster, resamples=400):
    return Resampling(np.zeros(int(max(cluster)) + 1, dtype=np.int64), resamples=resamples)


def test_the_derivatives_of_f1_are_those_of_its_formula():
    tp, fp, fn, tn = 12.0, 5.0, 9.0, 70.0
    whole = 2 * tp + fp + fn

    slopes = gradient(np.array([[tp, fp, fn, tn]]), F1)[0]

    assert slopes == pytest.approx([2 * (fp + fn) / whole**2, -2 * tp / whole**2, -2 * tp / whole**2, 0], abs=1e-9)


def test_the_parts_of_the_variance_of_a_table_worked_out_by_hand():
    # Means of prompts 2, 4, 9; of runs 4 and 6; of all 5. Rest: ±1, 0, ∓1.
    values = np.array([[2.0, 2.0], [3.0, 5.0], [7.0, 11.0]])

    parts = variance_components(values)

    # MS of the rest (1 + 0 + 1) · 2 / ((3 − 1)(2 − 1)) = 2; of prompts 2 · (9 + 1 + 16) / 2 = 26; of runs 3 · 2 = 6.
    assert parts.interaction == pytest.approx(3 * 2)
    assert parts.prompt == pytest.approx(3 * (26 - 2) / 2)
    assert parts.run == pytest.approx(3 * (6 - 2))
    assert parts.set_to_zero == ()
    assert parts.of_runs(2) == pytest.approx(36 + (12 + 6) / 2)
    assert parts.shares()["prompt"] == pytest.approx(36 / 54)


def test_the_parts_are_those_of_least_squares():
    """Mean squares from the squares that prompts, and runs, take off the rest in a linear model."""
    generator = np.random.default_rng(5)
    values = generator.normal(size=(12, 1)) + 2 * generator.normal(size=4) + generator.normal(size=(12, 4))
    prompt, run = (each.ravel() for each in np.indices(values.shape))
    of_prompts, of_runs = np.eye(12)[prompt], np.eye(4)[run]

    def rest(*columns):
        design = np.hstack([np.ones((48, 1)), *columns])
        fitted = design @ np.linalg.lstsq(design, values.ravel(), rcond=None)[0]
        return ((values.ravel() - fitted) ** 2).sum()

    of_both = rest(of_prompts, of_runs)
    ms_rest = of_both / 33

    parts = variance_components(values)

    assert parts.interaction == pytest.approx(12 * ms_rest)
    assert parts.prompt == pytest.approx(12 * ((rest(of_runs) - of_both) / 11 - ms_rest) / 4)
    assert parts.run == pytest.approx(12 * ((rest(of_prompts) - of_both) / 3 - ms_rest))


def test_an_estimate_below_zero_is_zero_and_named():
    # Both runs add up to the same: they differ less than their answers would have them.
    parts = variance_components(np.array([[1.0, 0.0], [0.0, 1.0], [5.0, 5.0]]))

    assert (parts.run, parts.set_to_zero) == (0.0, ("run",))


@pytest.mark.parametrize("shape", [(1, 3), (3, 1)])
def test_one_run_or_one_prompt_has_no_parts(shape):
    assert variance_components(np.ones(shape)) is None


def test_the_part_of_the_runs_of_a_share_is_its_component_over_the_runs():
    """The share of right answers is linear in the counts."""
    right = np.random.default_rng(4).integers(0, 5, (3, 20)) + np.array([[0], [1], [3]])
    counts = np.stack([right, 8 - right], axis=-1)[:, :, None].astype(float)

    part = run_part(counts, lambda totals: totals[..., 0] / 160)

    between = np.var(right.sum(axis=1) / 160, ddof=1)
    components = variance_components(right.T / 160)
    assert part.variance == pytest.approx(components.run / 3)
    assert part.spread == pytest.approx((between / 3) ** 2 / 2)
    assert 0 < components.run < between


def test_runs_that_differ_less_than_their_answers_would_have_them_add_nothing():
    right = np.array([[3.0, 1.0, 2.0, 0.0], [1.0, 3.0, 0.0, 2.0]])
    counts = np.stack([right, 4 - right], axis=-1)[:, :, None]

    part = run_part(counts, lambda totals: totals[..., 0] / 16)

    assert (part.variance.tolist(), part.spread.tolist()) == ([0.0], [0.0])


def test_one_run_adds_nothing():
    part = run_part(np.array([[[[3.0, 1.0, 2.0, 5.0]]]]), F1)

    assert (part.variance.tolist(), part.spread.tolist()) == ([0.0], [0.0])


def test_degrees_of_freedom_by_satterthwaite():
    # A variance of 0.3 from a mean square of 0.4 with 2 degrees of freedom.
    part = RunPart(np.array([0.3, 0.0]), np.array([0.4**2 / 2, 0.0]))

    beside = part.freedom_beside(np.array([0.5, 0.5]), np.array([29.0, 29.0]))

    assert beside == pytest.approx([0.8**2 / (0.4**2 / 2 + 0.5**2 / 29), 29])
    both = part.at(np.array([0])) + RunPart(np.array([0.1]), np.array([0.1**2 / 4]))
    assert (both.variance, both.spread) == (pytest.approx([0.4]), pytest.approx([0.4**2 / 2 + 0.1**2 / 4]))


def test_sets_of_runs_are_permuted_in_all_ways():
    generator = np.random.default_rng(3)
    one, other = generator.integers(5, 30, (3, 4)).astype(float), generator.integers(5, 30, (2, 4)).astype(float)
    runs = np.concatenate([one, other])

    def difference(chosen):
        left = [place for place in range(5) if place not in chosen]
        return float(F1(runs[list(chosen)].sum(axis=0)) - F1(runs[left].sum(axis=0)))

    observed = difference((0, 1, 2))
    extreme = sum(abs(difference(chosen)) >= abs(observed) - 1e-12 for chosen in combinations(range(5), 3))

    tested = permute_run_sets(one, other, F1, seed=1)

    assert tested.p == pytest.approx(extreme / 10)
    assert tested.floor == pytest.approx(1 / 10)


def test_two_sets_of_one_size_change_places_as_a_whole_too():
    better, worse = np.array([[9.0, 1, 1, 9]] * 3), np.array([[5.0, 5, 5, 5]] * 3)

    tested = permute_run_sets(better, worse, F1, seed=1)

    assert tested.p == tested.floor == pytest.approx(2 / 20)


def test_many_runs_are_permuted_by_draws():
    counts = np.random.default_rng(2).integers(20, 40, (24, 4)).astype(float)

    tested = permute_run_sets(counts[:12], counts[12:], F1, seed=1)

    assert 0.2 < tested.p <= 1
    assert tested.floor < 1e-3


def test_a_single_run_is_no_set():
    assert permute_run_sets(np.ones((1, 4)), np.ones((4, 4)), F1, seed=1) is None


def test_counts_of_several_runs_are_means():
    gold = np.array([E, E, C, C, M], dtype=np.int8)
    runs = np.array([[E, C, C, U, E], [E, E, E, M, E]], dtype=np.int8)

    counted = tally(gold, runs, np.zeros(5, dtype=np.int64), 1)

    counts = counted.counts
    assert [each[0] for each in (counts.tp, counts.fp, counts.fn, counts.tn)] == [1.5, 0.5, 0.5, 0.5]
    assert (counted.unparsed[0], counted.missing[0], counted.n[0]) == (0.5, 0.5, 4)


def test_the_figure_of_runs_is_scikit_learns_over_all_their_answers():
    from sklearn.metrics import f1_score, precision_score

    gold, runs, cluster = draw(1, 3)
    stacked, answers = np.tile(gold, 3) == E, runs.ravel() == E

    ((whole, *_),) = describe_level(level_of(gold, cluster), [runs], resampling_of(cluster))

    assert whole["f1"] == pytest.approx(f1_score(stacked, answers))
    assert whole["precision"] == pytest.approx(precision_score(stacked, answers))
    assert (whole["n"], whole["predicted"]) == (400, 400)
    assert whole["tp"] == pytest.approx((stacked & answers).sum() / 3)


def test_the_interval_of_runs_has_the_variance_of_prompts_and_of_runs():
    from sklearn.metrics import f1_score

    gold, runs, cluster = draw(2, 3)
    # The last run finds nothing in half of the prompts.
    runs[2, (gold == E) & (cluster < 30)] = C
    resampling = resampling_of(cluster)
    stacked = np.tile(gold, 3) == E
    drawn = [
        f1_score(stacked, runs.ravel() == E, sample_weight=np.tile(weights[cluster], 3))
        for block in resampling.weights()
        for weights in block
    ]

    def counted(run, prompt, g, d):
        return sum(1 for unit in range(400) if cluster[unit] == prompt and gold[unit] == g and runs[run][unit] == d)

    # F1 = 2a / (2a + b + c): its linear terms by prompt and run, a table of 60 × 3.
    a, b, c = (
        np.array([[counted(r, p, g, d) for r in range(3)] for p in range(60)]) for g, d in ((E, E), (C, E), (E, C))
    )
    of_a, of_bc = a.sum() / 3, (b + c).sum() / 3
    table = (2 * of_bc * a - 2 * of_a * (b + c)) / (2 * of_a + of_bc) ** 2
    rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    between = np.var(table.sum(axis=0), ddof=1)
    of_prompts, of_runs = np.var(drawn), (between - 60 * (rest**2).sum() / (59 * 2)) / 3
    assert of_runs > 0
    with_error = len(set(cluster[gold == E]))
    freedom = (of_prompts + of_runs) ** 2 / (of_prompts**2 / (with_error - 1) + (between / 3) ** 2 / 2)
    p = f1_score(stacked, runs.ravel() == E)
    k = p * (1 - p) / (of_prompts + of_runs) * (1.959963984540054 / scipy.stats.t.ppf(0.975, freedom)) ** 2
    ends = scipy.stats.beta.ppf(0.025, k * p, k * (1 - p) + 1), scipy.stats.beta.ppf(0.975, k * p + 1, k * (1 - p))

    ((described, _),) = describe_level(level_of(gold, cluster), [runs], resampling)

    assert described["f1_interval"] == pytest.approx(ends, abs=1e-5)


def test_a_slice_has_the_interval_of_its_units_alone():
    gold, runs, cluster = draw(14, 3)
    other = draw(15, 1)[1][0]
    runs[1, cluster < 20] = C
    sliced = Level("segment", gold, cluster, (cluster >= 40).astype(np.int64), ("early", "late"), "domain")
    alone = level_of(np.where(cluster >= 40, gold, MISSING).astype(np.int8), cluster)
    resampling = resampling_of(cluster)

    of_slices = describe_level(sliced, [other, runs], resampling)
    of_units = describe_level(alone, [other, runs], resampling)

    for evaluator in (0, 1):
        late, whole = of_slices[evaluator][2], of_units[evaluator][0]
        assert late["slice"] == {"domain": "late"}
        assert late["f1"] == whole["f1"]
        assert late["f1_interval"] == pytest.approx(whole["f1_interval"])
    # The second run differs in the early prompts alone.
    widths = [np.ptp(of_slices[1][place]["f1_interval"]) for place in (1, 2)]
    assert widths[0] > 1.3 * widths[1]


def test_what_a_run_left_undecided_is_wrong_in_that_run():
    from sklearn.metrics import f1_score

    gold, runs, cluster = draw(16, 2)
    said = runs.copy()
    said[1, :15] = np.where(np.arange(15) % 2, U, M)
    wrong = np.where(np.isin(said, (E, C)), said, E + C - gold)

    ((row, _),) = describe_with_pessimistic(level_of(gold, cluster), [said], resampling_of(cluster))

    assert (row["unparsed"], row["missing"], row["n"]) == (3.5, 4, 400)
    assert row["coverage"] == pytest.approx(1 - 7.5 / 400)
    assert row["pessimistic"]["f1"] == pytest.approx(f1_score(np.tile(gold, 2) == E, wrong.ravel() == E))
    assert row["unranked"] is None


def test_runs_that_say_the_same_are_as_one():
    gold, runs, cluster = draw(4, 1)
    _, other, _ = draw(5, 1)
    copies = np.repeat(runs, 3, axis=0)
    resampling = resampling_of(cluster)

    one, many = describe_level(level_of(gold, cluster), [runs[0], copies], resampling)
    assert many[0]["f1_interval"] == pytest.approx(one[0]["f1_interval"], abs=1e-6)
    intervals = {"f1_interval": None, "balanced_accuracy_interval": None}
    assert many[0] | intervals == one[0] | intervals

    (single,) = compare_pairs(gold, [runs[0], other[0]], cluster, "f1", resampling)
    (repeated,) = compare_pairs(gold, [copies, other[0]], cluster, "f1", resampling)
    assert (repeated.n, repeated.p, repeated.p_adjusted) == (single.n, single.p, single.p_adjusted)
    assert repeated.difference == pytest.approx(single.difference)
    assert repeated.simultaneous.ends() == pytest.approx(single.simultaneous.ends())
    assert repeated.runs is None


def test_runs_that_differ_as_wholes_make_a_difference_unsure():
    """Prompts alone tell the two apart; two runs of each that lie on both sides of the other do not."""
    gold = np.tile(np.array([E, C], dtype=np.int8), 100)
    cluster = np.arange(200) // 2
    generator = np.random.default_rng(1)

    def run(found):
        return np.where((gold == E) & (generator.random(200) < found), E, C).astype(np.int8)

    steady = np.stack([run(0.5), run(0.5)])
    shifting = np.stack([run(0.95), run(0.5)])

    (found,) = compare_pairs(gold, [shifting, steady], cluster, "f1", resampling_of(cluster))
    (alone,) = compare_pairs(
        np.tile(gold, 2), [shifting.ravel(), steady.ravel()], np.tile(cluster, 2), "f1", resampling_of(cluster)
    )

    assert found.difference == pytest.approx(alone.difference)
    assert alone.p < 0.01
    assert found.p > 0.05
    assert found.better is None
    assert found.interval.low < 0 < found.interval.high
    assert found.simultaneous.low < 0 < found.simultaneous.high
    assert found.runs.floor == pytest.approx(1 / 3)


def test_a_pair_has_the_same_p_wherever_it_is_tested():
    gold, runs, cluster = draw(11, 3)
    others = [draw(seed, 3)[1] for seed in (12, 13)]
    runs[0, cluster < 15] = C
    resampling = resampling_of(cluster)

    (alone,) = compare_pairs(gold, [runs, others[1]], cluster, "f1", resampling)
    among = compare_pairs(gold, [others[0], runs, others[1]], cluster, "f1", resampling)

    assert {each.places: each.p for each in among}[1, 2] == alone.p


def test_equal_accuracy_of_runs_permutes_prompts_by_their_means():
    gold, runs, cluster = draw(6, 2, units=60)
    other = draw(7, 1, units=60)[1][0]

    (tested,) = equal_accuracies(gold, [runs, other], cluster, 1, [(0, 1)])
    (single,) = equal_accuracies(gold, [runs[0], other], cluster, 1, [(0, 1)])

    assert (tested.mcnemar, single.mcnemar) == (False, True)
    assert 0 < tested.p <= 1


def test_both_judged_counts_units_that_every_run_decided():
    gold = np.array([E, E, C], dtype=np.int8)
    runs = np.array([[E, U, C], [C, E, C]], dtype=np.int8)

    one, other = both_judged(gold, runs, np.array([E, E, E], dtype=np.int8))

    assert (one.tp, one.fn, one.tn, one.fp) == (0.5, 0.5, 1, 0)
    assert (other.tp, other.fp) == (1, 1)


def test_linearised_values_add_up_to_the_differences_between_runs():
    from sklearn.metrics import f1_score

    gold, runs, cluster = draw(8, 4)

    values = linearised(level_of(gold, cluster), runs, "f1", 60)

    assert values.shape == (60, 4)
    figures = [f1_score(gold == E, run == E) for run in runs]
    of_all = f1_score(np.tile(gold, 4) == E, runs.ravel() == E)
    assert values.sum(axis=0) == pytest.approx(np.array(figures) - of_all, abs=4e-3)  # up to second order
    assert values.sum() == pytest.approx(0, abs=1e-9)


def test_runs_beside_each_other():
    from sklearn.metrics import f1_score

    gold, runs, cluster = draw(9, 3)

    described = describe_runs(level_of(gold, cluster), runs, "f1", resampling_of(cluster))

    assert described["figures"] == pytest.approx([f1_score(gold == E, run == E) for run in runs])
    assert all(
        low < value < high for value, (low, high) in zip(described["figures"], described["intervals"], strict=True)
    )
    assert sum(described["variance_shares"].values()) == pytest.approx(1)
    assert described["runs_to_halve"] == 6
    # Of the whole variance, half of the runs' part goes with twice as many runs.
    assert described["width_then"] ** 2 == pytest.approx(1 - described["run_part"] / 2)
    assert described["width_least"] ** 2 == pytest.approx(1 - described["run_part"])


def test_runs_that_say_the_same_have_no_part():
    gold, runs, cluster = draw(10, 1)

    described = describe_runs(level_of(gold, cluster), np.repeat(runs, 3, axis=0), "f1", resampling_of(cluster))

    assert described["variance_shares"] == pytest.approx({"prompt": 1, "run": 0, "interaction": 0})
    assert (described["run_part"], described["runs_to_halve"]) == (0, None)
