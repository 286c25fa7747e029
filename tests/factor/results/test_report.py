"""Four examples in three documents; every figure worked by hand."""

import json
from datetime import date
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Dataset
from factor.models import Benchmark, Exclusion
from knowledge.models import KnowledgeSource
from stats.factor import DIFFERING, MEAN, SUM
from tests.factor.results.scored import ALL_RIGHT, MIXED, make_model, measure, report, score
from tests.factories import make_person

pytestmark = pytest.mark.django_db


def test_ties_and_missing_scores_are_counted_and_never_right(dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small"), benchmark, MIXED)
    (found,) = report(benchmark)["scorings"]
    by_mean = found["rules"][MEAN]
    assert (by_mean["right"], by_mean["ties"], by_mean["missing"], by_mean["n"]) == (1, 1, 1, 4)
    assert by_mean["accuracy"] == 1 / 4
    assert (found["n"], found["scored"], found["missing"], found["coverage"]) == (4, 3, 1, 3 / 4)


def test_the_three_rules_stand_side_by_side(dataset: Dataset, benchmark: Benchmark) -> None:
    # The third example: of the same mean, the false completion of seven words has the lower sum than that of five.
    score(make_model(dataset, "small"), benchmark, MIXED)
    rules = report(benchmark)["scorings"][0]["rules"]
    assert {rule: rules[rule]["right"] for rule in rules} == {MEAN: 1, SUM: 2, DIFFERING: 1}
    assert {rule: rules[rule]["ties"] for rule in rules} == {MEAN: 1, SUM: 0, DIFFERING: 1}


def test_differing_tokens_leave_out_what_both_share(dataset: Dataset, benchmark: Benchmark) -> None:
    scoring = score(make_model(dataset, "small"), benchmark, ALL_RIGHT)
    # By its mean the true completion is likelier; in the year alone the first false one is.
    true = scoring.scores.get(completion__text="He was born in 1914.")
    true.tokens[-1][2], true.total = -3.0, -7.0
    true.save()
    rules = report(benchmark)["scorings"][0]["rules"]
    assert (rules[MEAN]["right"], rules[DIFFERING]["right"]) == (4, 3)


def test_an_unfinished_scoring_counts_what_it_has_come_to(dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small"), benchmark, [*MIXED[:2], None, None], state="scoring")
    (found,) = report(benchmark)["scorings"]
    assert (found["asked"], found["n"], found["coverage"]) == (4, 2, 2 / 4)
    assert found["rules"][MEAN]["accuracy"] == 1 / 2


def test_an_example_whose_scoring_failed_is_missing(dataset: Dataset, benchmark: Benchmark) -> None:
    scoring = score(make_model(dataset, "small"), benchmark, [*ALL_RIGHT[:3], None])
    scoring.items.filter(state="waiting").update(state="failed", error="no answer")
    (found,) = report(benchmark)["scorings"]
    assert (found["n"], found["missing"], found["rules"][MEAN]["accuracy"]) == (4, 1, 3 / 4)


def test_error_types_are_told_by_pairs(dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small"), benchmark, MIXED)
    (found,) = report(benchmark)["scorings"]
    types = {each["name"]: (each["right"], each["n"]) for each in found["types"]}
    # Predicate: right in the second example, a tie in the third, missing in the fourth.
    assert types == {"entity": (1, 2), "predicate": (1, 3), "circumstance": (1, 1), "coreference": (1, 1)}
    assert (found["pair_accuracy"]["right"], found["pair_accuracy"]["n"]) == (4, 7)


def test_examples_are_parted_by_edit_distance(dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small"), benchmark, MIXED)
    found = report(benchmark)
    strata = {each["name"]: (each["right"], each["n"]) for each in found["scorings"][0]["strata"]}
    # Mean distances 1.5, 1, 2.5 and 1.
    assert strata == {"1 word or less": (0, 2), "more than 1, up to 2": (1, 1), "more than 2, up to 4": (0, 1)}
    assert found["edit_distance"]["mean"] == (1.5 + 1 + 2.5 + 1) / 4


def test_documents_are_held_against_the_training_cut_off(dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "dated", cutoff=date(2021, 12, 31)), benchmark, MIXED)
    score(make_model(dataset, "undated"), benchmark, MIXED)
    dated, undated = report(benchmark)["scorings"]
    assert {each["name"]: (each["right"], each["n"]) for each in dated["dated"]} == {
        "before": (1, 2),
        "after": (0, 1),
        "unknown": (0, 1),
    }
    assert dated["after_less_before"]["difference"] == 0 - 1 / 2
    assert [(each["name"], each["n"]) for each in undated["dated"]] == [("unknown", 4)]
    assert undated["after_less_before"] == {"difference": None, "interval": None}


def test_the_document_is_the_cluster(dataset: Dataset, benchmark: Benchmark) -> None:
    found = report(benchmark)
    assert (found["examples"], found["documents"]) == (4, 3)
    # 1 / 3 of three completions by lot, 1 / 2 of two.
    assert found["chance"] == pytest.approx((3 / 3 + 1 / 2) / 4)


def test_two_models_are_compared_on_what_both_were_asked(dataset: Dataset, benchmark: Benchmark) -> None:
    one = score(make_model(dataset, "large"), benchmark, [*ALL_RIGHT[:3], None], state="scoring")
    other = score(make_model(dataset, "small"), benchmark, MIXED)
    (pair,) = report(benchmark)["pairs"]
    assert (pair["one"], pair["other"], pair["n"]) == (one.pk, other.pk, 3)
    assert (pair["only_one"], pair["only_other"], pair["difference"]) == (2, 0, pytest.approx(2 / 3))
    # One document has two of the examples, which McNemar's test would take for independent.
    assert (pair["mcnemar"], pair["better"]) == (None, None)


def test_retrieval_is_held_against_the_same_model_alone(dataset: Dataset, benchmark: Benchmark) -> None:
    source = KnowledgeSource.objects.create(name="atlas")
    model = make_model(dataset, "small")
    alone = score(model, benchmark, MIXED)
    score(model, benchmark, MIXED, with_prefix=False)
    grounded = score(model, benchmark, ALL_RIGHT, source=source)
    score(make_model(dataset, "other"), benchmark, MIXED, source=source)
    (pair,) = report(benchmark)["retrieval"]
    assert (pair["one"], pair["other"], pair["difference"]) == (grounded.pk, alone.pk, 3 / 4)


def test_models_that_perplexity_ranks_the_other_way_are_listed(dataset: Dataset, benchmark: Benchmark) -> None:
    source = KnowledgeSource.objects.create(name="atlas")
    fluent, knowing = make_model(dataset, "fluent"), make_model(dataset, "knowing")
    measure(fluent, source, {"Atiu": -4.0})
    measure(knowing, source, {"Atiu": -8.0})
    one, other = score(fluent, benchmark, MIXED), score(knowing, benchmark, ALL_RIGHT)
    found = report(benchmark)["perplexity"]
    assert [each["perplexity"] for each in found["models"]] == [pytest.approx(2.718282), pytest.approx(7.389056)]
    (pair,) = found["disagreements"]
    assert (pair["lower"], pair["higher"], pair["difference"], pair["sure"]) == (one.pk, other.pk, -3 / 4, False)
    # Of four documents no interval holds.
    assert pair["simultaneous_interval"] is None


def test_excluded_examples_are_left_out(dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small"), benchmark, MIXED)
    Exclusion.objects.create(
        example=benchmark.examples.get(position=1), reason="both are true", excluded_by=make_person("dora", dataset)
    )
    found = report(benchmark)
    assert (found["examples"], found["excluded"]) == (3, 1)
    assert found["scorings"][0]["rules"][MEAN]["accuracy"] == 1 / 3


def test_scorings_that_are_alike_are_told_apart(dataset: Dataset, benchmark: Benchmark) -> None:
    model = make_model(dataset, "small")
    score(model, benchmark, MIXED)
    score(model, benchmark, MIXED)
    score(model, benchmark, MIXED, with_prefix=False, context_length=512)
    names = {each["name"] for each in report(benchmark)["scorings"]}
    assert names == {"small", "small, second time", "small, no prefix, 512 tokens of context"}


def test_the_number_of_queries_does_not_grow(dataset: Dataset, benchmark: Benchmark) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as caught:
            report(benchmark)
        return len(caught)

    score(make_model(dataset, "small"), benchmark, MIXED)
    before = queries()
    score(make_model(dataset, "large"), benchmark, ALL_RIGHT)
    assert queries() == before


def test_the_command_prints_one_strict_document(dataset: Dataset, benchmark: Benchmark, capsys: Any) -> None:
    scoring = score(make_model(dataset, "small"), benchmark, MIXED)
    score(make_model(dataset, "large"), benchmark, ALL_RIGHT)
    call_command("factor_report", "lab", "islands", "--json")
    found = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert [each["name"] for each in found["scorings"]] == ["large", "small"]
    call_command("factor_report", "lab", "islands", "--scoring", str(scoring.pk))
    assert "small" in capsys.readouterr().out


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.mark.parametrize("wrong", [["lab", "nothing"], ["lab", "islands", "--scoring", "999"], ["lab", "islands"]])
def test_the_command_says_what_is_not_there(benchmark: Benchmark, wrong: list[str]) -> None:
    with pytest.raises(CommandError, match=r"no benchmark|no scoring|nothing"):
        call_command("factor_report", *wrong)
