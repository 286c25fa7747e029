"""A scoring is called the same, whichever others stand beside it."""

import csv
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from factor.models import Benchmark, Scoring
from tests.factor.results.scored import ALL_RIGHT, MIXED, make_model, results, score

pytestmark = pytest.mark.django_db


@pytest.fixture
def twice(dataset: Dataset, benchmark: Benchmark) -> list[Scoring]:
    model = make_model(dataset, "small")
    return [score(model, benchmark, MIXED), score(model, benchmark, ALL_RIGHT)]


def name_alone(client: Client, benchmark: Benchmark, scoring: Scoring) -> str:
    """In the table of this scoring only."""
    (row,) = csv.DictReader(results(client, benchmark, f"?scoring={scoring.pk}&table=scorings&as=csv").splitlines())
    return row["Scoring"]


def test_the_one_that_is_chosen_keeps_its_name(rhea: Client, benchmark: Benchmark, twice: list[Scoring]) -> None:
    assert name_alone(rhea, benchmark, twice[1]) == "small, second time"
    assert "small, second time" in rhea.get(reverse("scoring-scores", args=[twice[1].pk])).content.decode()


def test_the_report_of_one_names_it_among_all(benchmark: Benchmark, twice: list[Scoring], capsys: Any) -> None:
    call_command("factor_report", "lab", "islands", "--scoring", str(twice[1].pk), "--json")
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["scorings"]] == ["small, second time"]


def test_a_kept_report_follows_the_names(rhea: Client, benchmark: Benchmark, twice: list[Scoring]) -> None:
    assert name_alone(rhea, benchmark, twice[1]) == "small, second time"
    twice[0].delete()
    assert name_alone(rhea, benchmark, twice[1]) == "small"
