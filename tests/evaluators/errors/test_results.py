"""Agreement of the two taggers and shares of the causes."""

import numpy as np
import pytest

from core.tables import as_csv
from evaluators.errors.results import results_of
from evaluators.errors.tables import tables_of
from evaluators.errors.tag import settle
from tests.evaluators.errors.work import every_cause, make_mistakes, researcher, sample_of, tag_all

pytestmark = pytest.mark.django_db

ONE, OTHER = (0, 0, 1, 1, 2, 0, 0, 4), (0, 0, 1, 2, 2, 0, 3, 4)


def tagged(first, second):
    dataset, run = make_mistakes(len(first))
    analysis = sample_of(run, len(first))
    tag_all(analysis, researcher("rhea", dataset), *first)
    tag_all(analysis, researcher("rob", dataset), *second)
    return analysis


def results(analysis):
    return results_of(analysis, every_cause(analysis))


def test_agreement_is_what_others_compute():
    import krippendorff
    from sklearn.metrics import cohen_kappa_score

    found = {each.name: each.value for each in results(tagged(ONE, OTHER)).agreement}
    assert found["Percent agreement"] == pytest.approx(6 / 8)
    assert found["Cohen's κ"] == pytest.approx(cohen_kappa_score(ONE, OTHER))
    alpha = krippendorff.alpha(np.array([ONE, OTHER]), level_of_measurement="nominal")
    assert found["Krippendorff's α"] == pytest.approx(alpha)


def test_agreement_has_intervals():
    """Each mistake is of a prompt of its own; with eight of them α of many causes still rests on too few."""
    for each in results(tagged(ONE * 3, OTHER * 3)).agreement:
        assert each.interval.low < each.value < each.interval.high


def test_one_cause_throughout_leaves_nothing_beyond_chance():
    found = {each.name: each for each in results(tagged((0, 0, 0), (0, 0, 0))).agreement}
    assert found["Percent agreement"].value == 1
    assert found["Cohen's κ"].value is None and "one and the same" in found["Cohen's κ"].why


def test_shares_are_of_what_both_see_alike_until_the_rest_is_settled():
    analysis = tagged(ONE, OTHER)
    found = results(analysis)
    assert found.unsettled == 2
    assert [(row.every.count, row.every.n) for row in found.shares] == [(3, 6), (1, 6), (1, 6), (0, 6), (1, 6)]
    for each in found.differing:
        settle(each.mistake, every_cause(analysis)[3], "So.", each.mistake.sample.created_by)
    assert [row.every.share for row in results(analysis).shares] == pytest.approx([3 / 8, 1 / 8, 1 / 8, 2 / 8, 1 / 8])


def test_missed_errors_and_false_alarms_add_up():
    found = results(tagged(ONE, ONE))
    assert all(row.missed.count + row.alarms.count == row.every.count for row in found.shares)
    assert found.shares[0].missed.n == found.shares[0].alarms.n == 4


def test_what_is_not_settled_comes_first_among_the_differing():
    analysis = tagged(ONE, OTHER)
    first = results(analysis).differing[0]
    settle(first.mistake, every_cause(analysis)[0], "So.", analysis.created_by)
    assert [each.cause is None for each in results(analysis).differing] == [True, False]


def test_every_table_can_be_taken_away():
    analysis = tagged(ONE, OTHER)
    tables = tables_of(analysis, results(analysis))
    assert [table.name for table in tables] == ["causes", "agreement", "mistakes"]
    assert as_csv(tables[0]).splitlines()[1].startswith("No direct evidence,3,6,0.5,")
    assert len(tables[2].rows) == 8
