"""F1@K of subject models: values worked by hand, and a plain loop with the standard library as a witness."""

import statistics
from itertools import product

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.f1_at_k import ClaimCounts, describe_at_k, f1_at_k, parse_k
from tests.stats.exact import exact


def counts(*rows, domains=("life",)):
    """Rows of (subject, prompt, domain, S, N); S None: it abstains, "?": nothing of it is judged, "-": nor are its
    claims, but it is judged without them."""
    known = [row if isinstance(row[3], int) else (*row[:3], 0, 0) for row in rows]
    subject, prompt, domain, supported, not_supported = (np.array(column) for column in zip(*known, strict=True))
    counted, left_out = np.array([row[3] not in ("?", "-") for row in rows]), np.array([row[3] == "-" for row in rows])
    return ClaimCounts(supported, not_supported, counted, left_out, prompt, subject, domain, domains)


def describe(*rows, k=None, subjects=("Ada",), domains=("life",)):
    found = counts(*rows, domains=domains)
    prompts = int(found.prompt.max()) + 1
    return describe_at_k(found, subjects, k, Resampling(np.zeros(prompts, dtype=np.int64)))


def test_a_response_by_hand():
    # docs/statistics.md: S = 3, N = 1 and S = 6, N = 2 at K = 4; no claim; claims without a supported one.
    f1, recall, precision = f1_at_k(np.array([3, 6, 0, 0]), np.array([1, 2, 0, 5]), np.full(4, 4.0))

    assert f1.tolist() == pytest.approx([3 / 4, 6 / 7, 0, 0])
    assert recall.tolist() == [3 / 4, 1, 0, 0]
    assert precision.tolist() == pytest.approx([3 / 4, 3 / 4, np.nan, 0], nan_ok=True)


@pytest.mark.parametrize(("supported", "wrong", "missing"), [(3, 1, 2), (1, 4, 0), (5, 0, 6)])
def test_f1_is_that_of_a_detector_that_finds_the_supported_ones_of_k_facts(supported, wrong, missing):
    """With K = S + missing, S are true positives, N false ones, and what lacks to K false negatives."""
    from sklearn.metrics import f1_score

    truth = [1] * supported + [0] * wrong + [1] * missing
    found = [1] * (supported + wrong) + [0] * missing
    f1, _, _ = f1_at_k(np.array([supported]), np.array([wrong]), np.array([float(supported + missing)]))

    assert f1[0] == pytest.approx(f1_score(truth, found))


def test_a_number_for_k_gives_the_mean_over_responses():
    rows = ((0, 0, 0, 3, 1), (0, 1, 0, 6, 2), (0, 2, 0, None), (0, 3, 0, "?"))
    found = describe(*rows, k=4)
    [ada] = found["subjects"]

    assert (found["k"], found["domains"], ada["n"]) == (4, [], 3)
    assert ada["f1"] == pytest.approx((3 / 4 + 6 / 7 + 0) / 3)
    assert ada["recall"] == pytest.approx((3 / 4 + 1 + 0) / 3)
    # The abstention has no claim, so no precision.
    assert ada["precision"] == pytest.approx(3 / 4)
    # Three prompts are too few for an interval.
    assert ada["f1_interval"] is None


def test_a_response_that_is_judged_without_claims_counts_nowhere_but_is_said():
    rows = ((0, 0, 0, 3, 1), (0, 1, 1, "-"), (1, 2, 1, "-"))
    found = describe(*rows, subjects=("Ada", "Ben"), domains=("life", "math"))
    ada, ben = found["subjects"]

    assert [row["domain"] for row in found["domains"]] == ["life"]
    # K is 4, so that precision and recall are 3/4.
    assert (ada["n"], ada["left_out"], ada["f1"]) == (1, 1, pytest.approx(3 / 4))
    assert (ben["n"], ben["left_out"], ben["f1"]) == (0, 1, None)


def test_k_is_the_median_of_the_claims_of_a_domain_over_all_subjects():
    # Claims 4 and 8 of Ada, 2 and 20 of Ben: the median is 6; the abstention has no claim.
    rows = ((0, 0, 0, 3, 1), (0, 1, 0, 6, 2), (1, 0, 0, 2, 0), (1, 1, 0, 10, 10), (1, 2, 0, None))
    found = describe(*rows, subjects=("Ada", "Ben"))
    ada, ben = found["subjects"]

    assert found["domains"] == [{"domain": "life", "k": statistics.median([4, 8, 2, 20]), "n": 4}]
    assert ada["f1"] == pytest.approx((3 / 5 + 6 / 7) / 2)
    # Precision 1 and recall 2/6; 1/2 and 1; the abstention.
    assert ben["f1"] == pytest.approx((1 / 2 + 2 / 3 + 0) / 3)


def test_domains_count_alike_with_the_median():
    """K is 2 in the one domain and 4 in the other: F1 is 1 and 1 there, 1/2 here."""
    rows = ((0, 0, 0, 2, 0), (0, 1, 0, 2, 0), (0, 2, 1, 2, 2))
    found = describe(*rows, domains=("life", "law"))

    assert [row["k"] for row in found["domains"]] == [2, 4]
    assert found["subjects"][0]["f1"] == pytest.approx((1 + 1 / 2) / 2)
    # Over responses, whatever their domain: recall 1, 1, 1 of K = 2 and precision 1, 1, 1/2.
    assert describe(*rows, domains=("life", "law"), k=2)["subjects"][0]["f1"] == pytest.approx((1 + 1 + 2 / 3) / 3)


def test_a_subject_that_lacks_a_domain_has_no_mean_over_domains():
    rows = ((0, 0, 0, 2, 0), (0, 1, 1, 2, 2), (1, 0, 0, 2, 0))
    ada, ben = describe(*rows, domains=("life", "law"), subjects=("Ada", "Ben"))["subjects"]

    assert ada["f1"] is not None
    assert (ben["n"], ben["f1"], ben["recall"], ben["precision"]) == (1, None, None, None)
    assert describe(*rows, domains=("life", "law"), subjects=("Ada", "Ben"), k=2)["subjects"][1]["f1"] == 1


def test_without_a_judged_unit_the_figures_are_undefined_and_without_a_supported_one_0():
    nothing = describe((0, 0, 0, "?"))
    assert (nothing["domains"], nothing["subjects"][0]["n"], nothing["subjects"][0]["f1"]) == ([], 0, None)

    declined = describe((0, 0, 0, None))
    assert declined["domains"] == [{"domain": "life", "k": None, "n": 0}]
    assert (declined["subjects"][0]["f1"], declined["subjects"][0]["recall"]) == (0, 0)
    assert declined["subjects"][0]["precision"] is None

    assert describe((0, 0, 0, 0, 3), k=5)["subjects"][0]["f1"] == 0


def test_a_response_of_no_subject_counts_nowhere():
    found = describe((0, 0, 0, 2, 0), (-1, 0, 0, 50, 0))

    assert found["domains"] == [{"domain": "life", "k": 2, "n": 1}]
    assert found["subjects"][0]["n"] == 1


def test_the_interval_is_that_of_a_mean_over_prompts():
    """F1 at K = 2 is 1 on ten prompts and 0 on ten others: the mean is that of 19 independent draws."""
    rows = [(0, prompt, 0, 2 * (prompt % 2), 0) for prompt in range(20)]
    [ada] = describe(*rows, k=2)["subjects"]

    assert ada["f1"] == 0.5
    assert ada["f1_interval"] == pytest.approx(exact(0.5, 19, 20), abs=0.01)


def test_responses_of_one_prompt_stay_together_in_a_resample():
    """Two responses to each of twenty prompts that agree tell no more than one: the interval is the same."""
    once = [(0, prompt, 0, 2 * (prompt % 2), 0) for prompt in range(20)]
    [alone], [twice] = (describe(*rows, k=2)["subjects"] for rows in (once, once * 2))

    assert twice["n"] == 2 * alone["n"]
    assert twice["f1_interval"] == pytest.approx(alone["f1_interval"])


def test_the_prompts_of_an_average_over_domains():
    """Ten prompts here and seven there are worth 4 / (1/10 + 1/7) = 16; two there 4 / (1/10 + 1/2) = 6, too few."""

    def interval(there):
        rows = [(0, prompt, int(prompt >= 10), 2 * (prompt % 2), 1) for prompt in range(10 + there)]
        return describe(*rows, domains=("life", "law"))["subjects"][0]["f1_interval"]

    assert interval(7) is not None
    assert interval(2) is None


def test_the_mean_over_subjects_weighs_each_alike():
    """At K = 4 Ada has 3/4, 6/7 and 0 on three responses, Ben 1 on one: (45/84 + 1) / 2, not (45/28 + 1) / 4."""
    rows = ((0, 0, 0, 3, 1), (0, 1, 0, 6, 2), (0, 2, 0, None), (1, 0, 0, 4, 0))
    mean = describe(*rows, k=4, subjects=("Ada", "Ben"))["mean"]

    assert mean["f1"] == pytest.approx((45 / 84 + 1) / 2)
    # Recalls 3/4, 1, 0 and 1; the abstention has no precision: 3/4, 3/4 and 1.
    assert mean["recall"] == pytest.approx((7 / 12 + 1) / 2)
    assert mean["precision"] == pytest.approx((3 / 4 + 1) / 2)
    assert (mean["f1_interval"], set(mean["withheld"])) == (None, {"f1", "recall", "precision"})


def test_where_a_subject_lacks_a_figure_the_mean_is_undefined_not_0():
    ada, ben = (0, 0, 0, 2, 0), (1, 1, 0, None)
    declined = describe(ada, ben, subjects=("Ada", "Ben"))["mean"]
    # Ben's abstention is an F1@K of 0, and no precision.
    assert (declined["f1"], declined["precision"]) == (0.5, None)
    silent = describe(ada, subjects=("Ada", "Ben"))["mean"]
    assert silent == {**dict.fromkeys(silent), "withheld": {}}
    assert describe((-1, 0, 0, 2, 0), subjects=())["mean"] == silent


def test_all_subjects_are_resampled_together():
    """F1 at K = 2 is 1 on ten prompts and 0 on ten others: 19 independent draws, with Ben as Ada no more. Where Ben is
    right on just the others, the mean is 1/2 on every prompt and in every resample: it rests on the 20 prompts."""
    ada = [(0, prompt, 0, 2 * (prompt % 2), 0) for prompt in range(20)]

    def interval(right):
        ben = [(1, prompt, 0, 2 * (prompt % 2 == right), 0) for prompt in range(20)]
        return describe(*ada, *ben, k=2, subjects=("Ada", "Ben"))["mean"]["f1_interval"]

    assert interval(1) == pytest.approx(describe(*ada, k=2)["subjects"][0]["f1_interval"])
    assert interval(0) == pytest.approx(exact(0.5, 20, 20))


def test_the_interval_of_the_mean_rests_on_the_prompts_of_the_subject_with_the_fewest():
    def mean(prompts):
        rows = [(0, prompt, 0, 2 * (prompt % 2), 1) for prompt in range(20)]
        rows += [(1, prompt, 0, 2 * (prompt % 2), 1) for prompt in range(prompts)]
        return describe(*rows, k=2, subjects=("Ada", "Ben"))["mean"]

    assert (mean(8)["f1_interval"] is None, mean(8)["withheld"]) == (False, {})
    assert mean(7)["f1_interval"] is None
    assert mean(7)["withheld"]["f1"] == (
        "no interval: it rests on 7 prompts of the subject with the fewest, and below 8 none holds"
    )


def test_a_plain_loop_finds_the_same():
    generator = np.random.default_rng(7)
    cells = list(product(range(3), range(40)))
    rows = [
        (subject, prompt, prompt % 2, int(generator.integers(0, 9)), int(generator.integers(0, 5)))
        if generator.random() > 0.1
        else (subject, prompt, prompt % 2, None)
        for subject, prompt in cells
    ]
    found = describe(*rows, subjects=("a", "b", "c"), domains=("even", "odd"))

    for subject in range(3):
        of_domain = []
        for domain in (0, 1):
            here = [row for row in rows if row[2] == domain]
            k = statistics.median(row[3] + row[4] for row in here if row[3] is not None and row[3] + row[4])
            scores = []
            for row in here:
                if row[0] == subject:
                    if not row[3]:
                        scores.append(0.0)
                    else:
                        scores.append(statistics.harmonic_mean([row[3] / (row[3] + row[4]), min(row[3] / k, 1)]))
            of_domain.append(statistics.mean(scores))
        assert found["subjects"][subject]["f1"] == pytest.approx(statistics.mean(of_domain))


def test_k_is_the_median_of_all_responses_where_it_is_asked_for():
    """Claims 2 and 8: K is 5, S = 2 and 4 of it, so F1 is 4/7 and 2 · 1/2 · 4/5 / 1.3, a mean over both."""
    found = describe((0, 0, 0, 2, 0), (0, 1, 1, 4, 4), domains=("life", "law"), k="median")

    assert (found["choice"], found["k"], found["domains"]) == ("median", 5, [])
    assert found["subjects"][0]["f1"] == pytest.approx((4 / 7 + 8 / 13) / 2)
    assert describe((0, 0, 0, None), k="median")["k"] is None


def test_k_in_words():
    assert [parse_k(text) for text in ("", "domain", "median", "64")] == [None, None, "median", 64]
    for text in ("0", "1001", "-1", "1.5", "mean", "٣", "9" * 5000):
        with pytest.raises(ValueError, match="is no whole number from 1 to 1000, nor median or domain"):
            parse_k(text)
