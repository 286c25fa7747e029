"""One that has barely begun does not stand for a complete one."""

from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from factor.models import Benchmark
from factor.results.page_state import read_state
from factor.results.representative import standing
from factor.results.scoring_rows import rows_of
from knowledge.models import KnowledgeSource
from tests.factor.results.scored import ALL_RIGHT, MIXED, make_model, report, score

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("one", "other", "stands"),
    [
        (("finished", 3, 1), ("stopped", 4, 2), 1),
        (("stopped", 2, 1), ("scoring", 1, 2), 1),
        (("stopped", 2, 1), ("scoring", 3, 2), 2),
        (("finished", 4, 1), ("finished", 4, 2), 2),
    ],
)
def test_a_finished_one_stands_then_the_fullest_then_the_latest(one: Any, other: Any, stands: int) -> None:
    entries = [dict(zip(("state", "n", "scoring"), each, strict=True)) for each in (other, one)]
    assert standing(entries, lambda each: "m")["m"]["scoring"] == stands


@pytest.fixture
def begun_anew(dataset: Dataset, benchmark: Benchmark) -> dict[str, int]:
    """Complete scorings alone, without a prefix and with retrieval; the first two were begun once more and stopped
    after the first example, which is right."""
    model, first = make_model(dataset, "small"), [MIXED[0], None, None, None]
    source = KnowledgeSource.objects.create(name="atlas")
    made = {
        "alone": score(model, benchmark, MIXED),
        "bare": score(model, benchmark, MIXED, with_prefix=False),
        "grounded": score(model, benchmark, ALL_RIGHT, source=source),
        "alone anew": score(model, benchmark, first, state="stopped"),
        "bare anew": score(model, benchmark, first, state="stopped", with_prefix=False),
    }
    return {name: each.pk for name, each in made.items()}


def test_retrieval_is_held_against_the_complete_scoring(benchmark: Benchmark, begun_anew: dict[str, int]) -> None:
    (pair,) = report(benchmark)["retrieval"]
    assert (pair["one"], pair["other"], pair["n"]) == (begun_anew["grounded"], begun_anew["alone"], 4)
    # All four against the one of MIXED.
    assert pair["difference"] == 3 / 4


def test_a_scoring_is_held_against_those_that_began_alike(dataset: Dataset, benchmark: Benchmark) -> None:
    model, source = make_model(dataset, "small"), KnowledgeSource.objects.create(name="atlas")
    started = score(model, benchmark, MIXED, start_token=True)
    plain = score(model, benchmark, MIXED)
    score(model, benchmark, MIXED, with_prefix=False)
    grounded = score(model, benchmark, ALL_RIGHT, source=source, start_token=True)
    (pair,) = report(benchmark)["retrieval"]
    assert (pair["one"], pair["other"]) == (grounded.pk, started.pk)
    rows = rows_of(report(benchmark), read_state(QueryDict(), [], []))
    baselines = {row.entry["scoring"]: row.no_prefix for row in rows}
    assert baselines[plain.pk]["mean"] == 1 / 4
    assert baselines[started.pk] == {}


def test_what_the_completions_give_away_is_of_the_complete_scoring(
    benchmark: Benchmark, begun_anew: dict[str, int]
) -> None:
    rows = rows_of(report(benchmark), read_state(QueryDict(), [], []))
    baselines = {row.entry["scoring"]: row.no_prefix for row in rows}
    assert baselines[begun_anew["alone"]]["mean"] == 1 / 4
    assert baselines[begun_anew["bare"]] == {}


@pytest.mark.usefixtures("begun_anew")
def test_the_rule_of_the_chart_is_of_the_complete_scoring(rhea: Client, benchmark: Benchmark) -> None:
    page = rhea.get(reverse("benchmark-results", args=[benchmark.pk])).content.decode()
    assert "best without prefix 25 %" in page
