"""Coefficients of agreement: by hand, and against other implementations on random ratings."""

import numpy as np
import pytest
import scipy

from stats.agreement import (
    COEFFICIENTS,
    GAP,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    least_ac1,
    least_alpha,
    least_kappa,
    mean_pair_kappa,
    percent_agreement,
    specific_agreement,
    sum_by_cluster,
    unpack,
)
from stats.nominal import measure_agreement


def sums_of(ratings, values=2):
    ratings = np.array(ratings)
    return unpack(sum_by_cluster(ratings, values, np.zeros(len(ratings), np.int64), 1).sum(axis=0), values)


# Ada and Ben on ten units: both error 3, both correct 4, only Ada error 2, only Ben error 1.
TEN = [(1, 1)] * 3 + [(0, 0)] * 4 + [(1, 0)] * 2 + [(0, 1)]


def test_percent_agreement_by_hand():
    assert percent_agreement(sums_of(TEN)) == pytest.approx(7 / 10)


def test_positive_and_negative_agreement_by_hand():
    # 2·3/(2·3 + 2 + 1) and 2·4/(2·4 + 2 + 1)
    assert specific_agreement(sums_of(TEN), 1) == pytest.approx(6 / 9)
    assert specific_agreement(sums_of(TEN), 0) == pytest.approx(8 / 11)


def test_kappa_by_hand():
    # Ada says error 5 of 10, Ben 4: by chance 0.5·0.4 + 0.5·0.6 = 0.5; (0.7 − 0.5)/(1 − 0.5)
    assert cohen_kappa(sums_of(TEN)) == pytest.approx(0.4)


def test_alpha_by_hand():
    # 20 judgements, 9 error and 11 correct. Disagreement: 6 of 20 seen; by chance 2·9·11/(20·19) = 0.521.
    assert krippendorff_alpha(sums_of(TEN)) == pytest.approx(1 - (6 / 20) / (2 * 9 * 11 / (20 * 19)))


def test_ac1_by_hand():
    # Share of error 0.45: by chance (0.45·0.55 + 0.55·0.45)/(2 − 1) = 0.495
    assert gwet_ac1(sums_of(TEN)) == pytest.approx((0.7 - 0.495) / (1 - 0.495))


def test_a_value_that_nobody_gives_takes_no_part_in_ac1():
    assert gwet_ac1(sums_of(TEN, 3)) == gwet_ac1(sums_of(TEN, 2))
    # One error of Ada's becomes a third value: shares 8/20, 11/20, 1/20; 6 of 10 alike.
    three = [(2, 1), *TEN[1:]]
    chance = (0.4 * 0.6 + 0.55 * 0.45 + 0.05 * 0.95) / 2
    assert gwet_ac1(sums_of(three, 4)) == pytest.approx((0.6 - chance) / (1 - chance))


def test_fleiss_kappa_by_hand():
    # Three annotators, two units: agreeing pairs 1/3 and 1; of six judgements four are 0: by chance (4/6)² + (2/6)²
    sums = sums_of([(1, 1, 0), (0, 0, 0)])
    chance = (4 / 6) ** 2 + (2 / 6) ** 2
    assert fleiss_kappa(sums) == pytest.approx((2 / 3 - chance) / (1 - chance))


@pytest.mark.parametrize("seed", range(5))
def test_fleiss_kappa_is_that_of_nltk(seed):
    from nltk.metrics.agreement import AnnotationTask

    ratings = np.random.default_rng(seed).integers(0, 3, size=(30, 4))
    rows = [(str(person), str(unit), str(value)) for (unit, person), value in np.ndenumerate(ratings)]
    assert fleiss_kappa(sums_of(ratings, 3)) == pytest.approx(AnnotationTask(rows).pi())


def test_kappa_of_more_than_two_is_the_mean_over_pairs():
    from sklearn.metrics import cohen_kappa_score

    ratings = np.random.default_rng(3).integers(0, 2, size=(30, 3))
    pairs = [cohen_kappa_score(ratings[:, one], ratings[:, other]) for one, other in ((0, 1), (0, 2), (1, 2))]
    assert mean_pair_kappa(ratings, 2) == pytest.approx(sum(pairs) / 3)


def test_pairs_without_a_kappa_are_left_out_of_the_mean():
    # Ada and Ben give one value throughout: they have no κ.
    ratings = np.array([(0, 0, GAP), (0, 0, 0), (0, GAP, 1), (0, 0, GAP)])
    # Ada and Cleo: one of two units alike, by chance 1·0.5, so 0. Ben and Cleo: one unit, alike, so none.
    assert mean_pair_kappa(ratings, 2) == 0
    assert mean_pair_kappa(np.zeros((4, 3), dtype=np.int64), 2) is None


def test_a_unit_of_three_counts_once():
    # Pairs that agree: 1 of 3 in the first unit, 3 of 3 in the second; the third has one judgement and no pair.
    sums = sums_of([(1, 1, 0), (0, 0, 0), (1, GAP, GAP)])
    assert sums.n == 2
    assert percent_agreement(sums) == pytest.approx((1 / 3 + 1) / 2)


@pytest.mark.parametrize("coefficient", [cohen_kappa, krippendorff_alpha])
def test_where_only_one_value_occurs_it_is_undefined(coefficient):
    assert np.isnan(coefficient(sums_of([(0, 0)] * 5)))


def test_one_error_among_many_judgements_leaves_alpha_at_zero():
    # 22 judgements, 1 error. Disagreement: 8 pairs/(5 − 1) = 2 of 22 seen; by chance 2·1·21/(22·21) = 2/22.
    sums = sums_of([(0,) * 5, (0,) * 5, (0, 0, GAP, GAP, 0), (0, 0, 0, 0, 1), (0, GAP, 0, 0, 0)])
    assert krippendorff_alpha(sums) == pytest.approx(0)
    # Agreement (4 + 0.6)/5; share of error 0.2/5: by chance 2·0.04·0.96
    assert gwet_ac1(sums) == pytest.approx((0.92 - 0.0768) / (1 - 0.0768))


def test_positive_agreement_is_undefined_where_nobody_sees_an_error():
    assert np.isnan(specific_agreement(sums_of([(0, 0)] * 5), 1))


def random_ratings(seed, units=120, annotators=2, values=3, gaps=0.0):
    """Annotators who mostly repeat a common value; NLTK and krippendorff must see all values to count them alike."""
    generator = np.random.default_rng(seed)
    common = generator.choice(values, size=units, p=[0.6, 0.3, 0.1][:values] if values == 3 else None)
    ratings = np.where(
        generator.random((units, annotators)) < 0.7,
        common[:, None],
        generator.integers(0, values, (units, annotators)),
    )
    ratings[generator.random(ratings.shape) < gaps] = GAP
    return ratings


@pytest.mark.parametrize("seed", range(5))
def test_kappa_is_scikit_learns(seed):
    from sklearn.metrics import cohen_kappa_score

    ratings = random_ratings(seed)
    assert cohen_kappa(sums_of(ratings, 3)) == pytest.approx(cohen_kappa_score(ratings[:, 0], ratings[:, 1]))


@pytest.mark.parametrize("seed", range(5))
def test_positive_agreement_is_the_f1_of_one_against_the_other(seed):
    from sklearn.metrics import f1_score

    ratings = random_ratings(seed, values=2)
    assert specific_agreement(sums_of(ratings), 1) == pytest.approx(f1_score(ratings[:, 0], ratings[:, 1]))


@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_krippendorffs_with_many_annotators_and_gaps(seed):
    import krippendorff

    ratings = random_ratings(seed, annotators=5, gaps=0.4)
    witness = krippendorff.alpha(
        reliability_data=np.where(ratings == GAP, np.nan, ratings.astype(float)).T, level_of_measurement="nominal"
    )
    assert krippendorff_alpha(sums_of(ratings, 3)) == pytest.approx(witness)


@pytest.mark.parametrize("seed", range(5))
def test_percent_kappa_and_alpha_are_nltks(seed):
    from nltk.metrics.agreement import AnnotationTask

    ratings = random_ratings(seed)
    task = AnnotationTask(
        [(name, unit, int(value)) for unit, row in enumerate(ratings) for name, value in zip("ab", row, strict=True)]
    )
    sums = sums_of(ratings, 3)
    assert percent_agreement(sums) == pytest.approx(task.avg_Ao())
    assert cohen_kappa(sums) == pytest.approx(task.kappa())
    assert krippendorff_alpha(sums) == pytest.approx(task.alpha())


def test_totals_over_clusters_are_those_of_all_units():
    ratings = random_ratings(9, annotators=3, gaps=0.2)
    cluster = np.arange(len(ratings)) % 7
    parted = unpack(sum_by_cluster(ratings, 3, cluster, 7).sum(axis=0), 3)
    assert krippendorff_alpha(parted) == pytest.approx(krippendorff_alpha(sums_of(ratings, 3)))
    assert gwet_ac1(parted) == pytest.approx(gwet_ac1(sums_of(ratings, 3)))


def sums_by_prompt(ratings, values=2):
    """Each unit is of a prompt of its own."""
    ratings = np.array(ratings)
    return unpack(sum_by_cluster(ratings, values, np.arange(len(ratings)), len(ratings)), values)


def measured(ratings, coefficient):
    return measure_agreement(np.array(ratings), 2, np.arange(len(ratings)), [coefficient])[coefficient]


@pytest.mark.parametrize("name", ["kappa", "alpha", "percent", "ac1", "positive"])
def test_three_units_that_agree_have_no_interval(name):
    """κ of 1 from 1 to 1 said that three units settle it."""
    found = measured([(0, 0), (1, 1), (1, 1)], name)
    assert (found.value, found.interval) == (1.0, None)


def test_kappa_of_1_of_many_leaves_room():
    """Ten errors and twenty correct units, all alike: by chance 1/9 + 4/9 = 5/9 agree, and at least 1/3 have to.

    So κ is at least (1/3 − 5/9)/(4/9) = −1/2. Ten prompts can tell: 0.025^(1 / (10 · (1.96 / 2.262)²)) of the way up.
    """
    found = measured([(1, 1)] * 10 + [(0, 0)] * 20, "kappa").interval
    share = 0.025 ** (1 / (10 * (1.959964 / scipy.stats.t.ppf(0.975, 9)) ** 2))
    assert found.ends() == pytest.approx([-0.5 + 1.5 * share, 1.0])


def test_the_least_coefficients_are_those_of_annotators_who_meet_as_rarely_as_they_can():
    # Of ten units Ada calls 5 errors and Ben 4: one unit at least is called correct by both.
    apart = [(1, 0)] * 5 + [(0, 1)] * 4 + [(0, 0)]
    assert least_kappa(sums_of(TEN)) == pytest.approx(cohen_kappa(sums_of(apart)))
    assert least_alpha(sums_of(TEN)) == pytest.approx(krippendorff_alpha(sums_of(apart)))
    assert least_ac1(sums_of(TEN)) == gwet_ac1(sums_of([(1, 0), (0, 1)])) == -1


def test_prompts_that_tell_something_are_those_with_the_rarer_values():
    own = sums_by_prompt([(0, 0)] * 9 + [(0, 1)] * 3 + [(1, 1)] * 2)
    # Ada calls an error in 2 prompts, Ben in 5; somebody in 5.
    assert COEFFICIENTS["kappa"].rests_on(own) == 2
    assert COEFFICIENTS["alpha"].rests_on(own) == 5
    assert COEFFICIENTS["positive"].rests_on(own) == 5
    assert COEFFICIENTS["percent"].rests_on(own) == 14
