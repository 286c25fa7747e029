"""The pages of a benchmark's results, as Rhea reads them."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import Dataset
from core.caching import memory
from factor.models import Benchmark
from factor.results.page_state import scorings_of
from tests.factor.results.scored import ALL_RIGHT, MIXED, keep, make_model, results, score
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def disagreements(client: Client, benchmark: Benchmark, query: str = "") -> str:
    return client.get(reverse("benchmark-disagreements", args=[benchmark.pk]) + query).content.decode()


def names_in_order(page: str, *names: str) -> list[str]:
    return sorted(names, key=lambda name: page.index(f">{name}</a>"))


def test_without_a_score_the_page_says_what_will_be_there(rhea: Client, dataset: Dataset, benchmark: Benchmark) -> None:
    assert "No scores yet" in results(rhea, benchmark)
    score(make_model(dataset, "small"), benchmark, [None] * 4, state="scoring")
    assert "1 scoring of this benchmark is in progress" in squeezed(results(rhea, benchmark))


def test_a_part_of_a_page_whose_scores_are_gone_is_loaded_whole(rhea: Client, benchmark: Benchmark) -> None:
    answer = rhea.get(reverse("benchmark-results", args=[benchmark.pk]), headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["HX-Refresh"]) == (200, "true")


def test_one_scoring_has_its_figures_and_no_pairs(rhea: Client, dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small"), benchmark, MIXED)
    page = results(rhea, benchmark)
    assert "25.0 %" in page
    assert "Every pair" not in page
    assert "Two scorings needed" in disagreements(rhea, benchmark)


def test_an_unfinished_scoring_is_said_to_be_so(rhea: Client, dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small"), benchmark, [*MIXED[:2], None, None], state="stopped")
    page = squeezed(results(rhea, benchmark))
    assert "is stopped: figures use the examples so far" in page
    assert "2 scored, 50 % of 4" in page


def test_the_table_is_sorted_as_the_link_says(rhea: Client, dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "abc", parameters=2_000), benchmark, MIXED)
    score(make_model(dataset, "xyz", parameters=1_000), benchmark, ALL_RIGHT)
    assert names_in_order(results(rhea, benchmark), "abc", "xyz") == ["xyz", "abc"]
    assert names_in_order(results(rhea, benchmark, "?sort=name"), "abc", "xyz") == ["abc", "xyz"]
    assert names_in_order(results(rhea, benchmark, "?sort=-parameters"), "abc", "xyz") == ["abc", "xyz"]


def test_the_tables_are_taken_away_unrounded(rhea: Client, dataset: Dataset, benchmark: Benchmark) -> None:
    score(make_model(dataset, "small", family="Tiny"), benchmark, MIXED)
    lines = results(rhea, benchmark, "?table=scorings&as=csv").splitlines()
    row = dict(zip(lines[0].split(","), lines[1].split(","), strict=True))
    assert (row["Scoring"], row["Family"], row["Missing"]) == ("small", "Tiny", "1")
    assert float(row["Mean log-probability of a token"]) == 0.25
    assert rhea.get(reverse("benchmark-results", args=[benchmark.pk]) + "?table=nothing").status_code == 404


def test_the_chart_of_sizes_has_a_row_for_each_plain_scoring_of_known_size(
    rhea: Client, dataset: Dataset, benchmark: Benchmark
) -> None:
    for name, size in (("small", 10**8), ("large", 10**9), ("unknown", None)):
        score(make_model(dataset, name, family="Tiny", parameters=size), benchmark, ALL_RIGHT)
    score(make_model(dataset, "small"), benchmark, MIXED, with_prefix=False)
    address = reverse("benchmark-results-chart", args=[benchmark.pk, "size", "csv"])
    rows = rhea.get(address).content.decode("utf-8-sig").splitlines()
    assert rows[0] == "name,family,accuracy,low,high,n,billions"
    named = [dict(zip(rows[0].split(","), row.split(","), strict=True)) for row in rows[1:]]
    assert [(row["name"], row["family"], float(row["accuracy"]), float(row["billions"])) for row in named] == [
        ("small", "Tiny", 1.0, 0.1),
        ("large", "Tiny", 1.0, 1.0),
    ]


@pytest.mark.parametrize("name", ["accuracy", "size"])
def test_every_chart_of_the_page_is_drawn(rhea: Client, dataset: Dataset, benchmark: Benchmark, name: str) -> None:
    for model, size in (("small", 10**8), ("large", 10**9)):
        score(make_model(dataset, model, parameters=size), benchmark, MIXED)
    assert f'id="chart-{name}"' in results(rhea, benchmark)
    drawn = rhea.get(reverse("benchmark-results-chart", args=[benchmark.pk, name, "svg"]))
    assert drawn.content.startswith(b"<svg")


def test_disagreements_show_who_is_right_and_where_the_completions_differ(
    rhea: Client, dataset: Dataset, benchmark: Benchmark
) -> None:
    one = score(make_model(dataset, "small"), benchmark, MIXED)
    other = score(make_model(dataset, "large"), benchmark, ALL_RIGHT)
    query = f"?one={one.pk}&other={other.pk}"
    page = disagreements(rhea, benchmark, query)
    assert re.findall(r"Example (\d)</a>", page) == ["2", "3", "4"]
    assert "<del>judge</del> <ins>cook</ins>" in page
    assert "No matching examples" in disagreements(rhea, benchmark, f"{query}&right=one")
    # In the second example the wrong one finds the entity error likeliest, in the third the predicate error.
    typed = disagreements(rhea, benchmark, f"{query}&right=other&type=entity")
    assert re.findall(r"Example (\d)</a>", typed) == ["2"]
    assert rhea.get(reverse("benchmark-disagreements", args=[benchmark.pk]) + "?one=999").status_code == 404


def test_the_scores_of_one_scoring_are_filtered_by_outcome(
    rhea: Client, dataset: Dataset, benchmark: Benchmark
) -> None:
    scoring = score(make_model(dataset, "small"), benchmark, MIXED)
    address = reverse("scoring-scores", args=[scoring.pk])
    page = squeezed(rhea.get(address).content.decode())
    assert "1 right, 1 wrong, 1 tie, 1 missing" in page
    assert re.findall(r"Example (\d)</a>", rhea.get(f"{address}?outcome=missing").content.decode()) == ["4"]
    surest = rhea.get(f"{address}?sort=lead").content.decode()
    assert re.findall(r"Example (\d)</a>", surest) == ["2", "3", "1", "4"]


def test_the_number_of_queries_does_not_grow_with_the_scorings(
    rhea: Client, dataset: Dataset, benchmark: Benchmark
) -> None:
    def queries() -> int:
        memory.clear()
        with CaptureQueriesContext(connection) as caught:
            results(rhea, benchmark)
        return len(caught)

    score(make_model(dataset, "small"), benchmark, MIXED)
    results(rhea, benchmark)  # the number in the navigation is counted once a minute
    before = queries()
    for name in ("large", "larger"):
        score(make_model(dataset, name), benchmark, ALL_RIGHT)
    assert queries() == before
    assert len(scorings_of(benchmark)) == 3


def test_a_new_score_moves_the_figures_that_were_kept(rhea: Client, dataset: Dataset, benchmark: Benchmark) -> None:
    scoring = score(make_model(dataset, "small"), benchmark, MIXED)
    assert "25.0 %" in results(rhea, benchmark)
    missing: Any = scoring.scores.get(total__isnull=True)
    missing.delete()
    keep(scoring, missing.completion, -2.0)
    assert "50.0 %" in results(rhea, benchmark)


def test_names_of_figures_link_to_their_definitions(rhea: Client, dataset: Dataset, benchmark: Benchmark) -> None:
    one = score(make_model(dataset, "small", parameters=10**8), benchmark, MIXED)
    other = score(make_model(dataset, "large", parameters=10**9), benchmark, ALL_RIGHT)
    check_figure_names(results(rhea, benchmark), "Rank", "Mean", "Pairs", "Ties")
    check_figure_names(disagreements(rhea, benchmark, f"?one={one.pk}&other={other.pk}"))
