"""A benchmark that was scored, and of which no example counts any more."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from factor.models import Benchmark, Exclusion
from knowledge.models import KnowledgeSource
from tests.factor.results.scored import ALL_RIGHT, MIXED, make_model, measure, results, score
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["without a corpus", "with a corpus"])
def emptied(request: pytest.FixtureRequest, dataset: Dataset, benchmark: Benchmark) -> Benchmark:
    atlas = KnowledgeSource.objects.create(name="atlas")
    for name, rows in (("small", MIXED), ("large", ALL_RIGHT)):
        model = make_model(dataset, name)
        score(model, benchmark, rows)
        if request.param == "with a corpus":
            measure(model, atlas, {"Atiu": -4.0})
    dora = make_person("dora", dataset)
    for example in benchmark.examples.all():
        Exclusion.objects.create(example=example, reason="both are true", excluded_by=dora)
    return benchmark


def test_the_page_says_why_and_where_examples_are_counted_again(rhea: Client, emptied: Benchmark) -> None:
    page = results(rhea, emptied)
    assert "No examples" in page
    assert "4 are excluded" in page
    assert reverse("validations", args=[emptied.pk]) in page
    assert '<span class="quiet" title="undefined: nothing to divide by">–</span>' in page


def test_there_is_a_table_without_rows_and_no_chart(rhea: Client, emptied: Benchmark) -> None:
    assert len(results(rhea, emptied, "?table=scorings&as=csv").splitlines()) == 1
    assert rhea.get(reverse("benchmark-results-chart", args=[emptied.pk, "accuracy", "svg"])).status_code == 404


def test_the_report_has_no_figures(emptied: Benchmark, capsys: Any) -> None:
    call_command("factor_report", "lab", "islands", "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["examples"], found["excluded"], found["chance"]) == (0, 4, None)
    assert (found["scorings"], found["pairs"], found["retrieval"]) == ([], [], [])
    assert not found["perplexity"] or found["perplexity"]["models"] == []
    call_command("factor_report", "lab", "islands")
    assert "– by lot" in capsys.readouterr().out
