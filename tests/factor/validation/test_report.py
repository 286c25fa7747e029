"""Tables 2 and 3 worked by hand, with two raters."""

from collections import Counter

import pytest

from annotate.people.names import user_names
from factor.validation.read import read_completions
from factor.validation.report import build_report
from factor.validation.settle import disputed, settle
from tests.factor.validation.work import FACTUAL, draw, make_benchmark, rate_all, verdict
from tests.factories import make_dataset, make_person
from tests.stats.exact import exact

pytestmark = pytest.mark.django_db

LINK = verdict(True, True, True, "link")
CLUMSY = verdict(True, False, True, "entity")


def report_of(sample):
    return build_report(sample, read_completions(sample), user_names(sample.benchmark.dataset))


@pytest.fixture
def sample():
    """Four examples of three completions each. Both find (0, 1) factual and (1, 1) not fluent; they are divided on
    whether (2, 1) is factual, and call (3, 2), generated as predicate, a link error and a predicate error."""
    sample = draw(make_benchmark(make_dataset(), examples=4))
    rate_all(sample, make_person("ada"), {(0, 1): FACTUAL, (1, 1): CLUMSY, (2, 1): FACTUAL, (3, 2): LINK})
    rate_all(sample, make_person("ben"), {(0, 1): FACTUAL, (1, 1): CLUMSY})
    return sample


def row(rows, **wanted):
    return next(each for each in rows if wanted.items() <= each.items())


def test_shares_are_of_the_answers_that_stand(sample):
    found = row(report_of(sample)["properties"], property="non_factual")
    assert (found["value"], found["n"], found["open"]) == (10 / 11, 11, 1)
    assert found["by_rating"] == pytest.approx(10.5 / 12)
    assert found["unanimous"] == pytest.approx(10 / 12)
    fluent = row(report_of(sample)["properties"], property="fluent")
    assert (fluent["value"], fluent["n"], fluent["open"]) == (11 / 12, 12, 0)


def test_error_types_are_of_what_was_found_non_factual_and_typed(sample):
    shares = {each["error_type"]: (each["hits"], each["n"]) for each in report_of(sample)["error_types"]}
    # Of 12 one is factual, one open, one of open type. Generated as entity: 4, two of them found so.
    assert shares == {
        "entity": (2, 9),
        "predicate": (3, 9),
        "circumstance": (4, 9),
        "coreference": (0, 9),
        "link": (0, 9),
    }


def test_what_was_generated_stands_against_what_was_found(sample):
    cells = {(each["generated"], each["found"]): each["count"] for each in report_of(sample)["confusion"]}
    assert cells == {
        ("entity", "entity"): 2,
        ("entity", "factual"): 1,
        ("entity", "open"): 1,
        ("predicate", "predicate"): 3,
        ("predicate", "open"): 1,
        ("circumstance", "circumstance"): 4,
    }


def test_the_edit_distance_is_a_mean_over_examples(sample):
    # mayor/doctor 1, spoke/slept 1, an hour/three short days 3: 5/3 in each example.
    distance = report_of(sample)["edit_distance"]
    assert distance["mean"] == pytest.approx(5 / 3)
    assert distance["sd"] == pytest.approx(0)
    assert distance["interval"] is None


def test_agreement_is_that_of_an_independent_library(sample):
    from sklearn.metrics import cohen_kappa_score

    judged = read_completions(sample)
    said = [[each.non_factual for each in item.verdicts] for item in judged]
    found = row(report_of(sample)["agreement"], question="non_factual")
    assert found["raters"] == ["ada", "ben"]
    assert found["percent"] == pytest.approx(11 / 12)
    assert found["kappa"] == pytest.approx(cohen_kappa_score(*zip(*said, strict=True)))
    types = row(report_of(sample)["agreement"], question="error_type")
    # Both call 10 non-factual; of these they name the type of 9 alike.
    assert (types["n"], types["percent"]) == (10, pytest.approx(9 / 10))


def test_where_everybody_says_the_same_kappa_is_undefined_and_says_why(sample):
    found = row(report_of(sample)["agreement"], question="self_consistent")
    assert found["percent"] == 1
    assert found["kappa"] is None
    assert "same value" in found["undefined"]["kappa"]


def test_an_adjudicator_settles_what_the_raters_are_divided_on(sample):
    dora = make_person("dora")
    divided = {(each.position, each.place): each for each in disputed(read_completions(sample))}
    assert divided.keys() == {(2, 1), (3, 2)}
    settle(divided[2, 1], dora, verdict(True, True, True, "coreference"))
    settle(divided[3, 2], dora, LINK)
    report = report_of(sample)
    assert (report["open"], report["settled"]) == (0, 2)
    assert row(report["properties"], property="non_factual")["value"] == 11 / 12
    # Of (2, 1) Ben alone named a type; whoever settles that it contradicts says in what.
    counts = Counter({each["error_type"]: each["hits"] for each in report["error_types"]})
    assert counts == {"entity": 2, "predicate": 3, "circumstance": 4, "coreference": 1, "link": 1}


def test_intervals_resample_documents_not_completions():
    # Of twelve documents six have all 3 factual, the others none: the variance of 11 draws, not of 35.
    sample = draw(make_benchmark(make_dataset(), examples=12, documents=12))
    words = {(example, place): FACTUAL for example in range(0, 12, 2) for place in (1, 2, 3)}
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name), words)
    report = report_of(sample)
    found = row(report["properties"], property="non_factual")
    assert (report["documents"], found["value"]) == (12, 0.5)
    assert found["interval"] == pytest.approx(exact(0.5, 11, 12), abs=0.02)
    # A share of all is not certain: twelve of twelve.
    everything = row(report["properties"], property="self_consistent")
    assert (everything["value"], everything["interval"]) == (1, pytest.approx(exact(1, 12, 12)))


def test_four_documents_have_no_interval(sample):
    found = row(report_of(sample)["properties"], property="self_consistent")
    assert (found["value"], found["interval"]) == (1, None)
