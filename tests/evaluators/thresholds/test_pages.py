"""The page of thresholds, its charts and its tables."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset
from core.caching import memory
from evaluators.comparison.study import study_of
from evaluators.models import Prediction
from evaluators.thresholds.charts import CHARTS
from evaluators.thresholds.read import Scope, read_scores, with_scores
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache():
    memory.clear()


@pytest.fixture
def dataset() -> Dataset:
    """Twelve prompts of two domains; the first segment of each response is wrong, the second is not."""
    dataset = make_dataset()
    for number in range(12):
        response = make_response(dataset, domain="math" if number % 2 else "wk")
        for segment, value in zip(response.segments.all(), ("not_supported", "supported"), strict=True):
            add_gold(segment, value)
    return dataset


def judge(dataset, name, said, scores):
    """An evaluator that says and scores alike of the first and of the second segment of every response."""
    segments = [segment for response in dataset.responses.all() for segment in response.segments.all()]
    run = add_run(dataset, {segment: said[place % 2] for place, segment in enumerate(segments)}, name=name)
    for place, segment in enumerate(segments):
        Prediction.objects.filter(run=run, segment=segment).update(score=scores[place % 2])
    return run


@pytest.fixture
def rhea(dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def address(dataset, query="", name="thresholds", *more):
    return reverse(name, args=[dataset.pk, *more]) + query


def read(client, where):
    answer = client.get(where)
    assert answer.status_code == 200
    return answer.content.decode("utf-8-sig")


def rows_of(client, dataset, table, query=""):
    text = read(client, address(dataset, f"?table={table}&as=csv{query}"))
    return {row["evaluator"]: row for row in csv.DictReader(io.StringIO(text))}


def test_without_scores_it_says_where_they_come_from(dataset, rhea):
    judge(dataset, "judge", "NS", (None, None))
    text = read(rhea, address(dataset))
    assert "No scores yet" in text
    assert reverse("import-predictions", args=[dataset.pk]) in text


def test_without_gold_it_says_so():
    dataset = make_dataset(name="bare")
    client = Client()
    client.force_login(make_person("cleo", dataset, "researcher"))
    assert "No gold yet" in read(client, address(dataset))


def test_the_threshold_in_use_is_measured_beside_the_one_chosen(dataset, rhea):
    # Everything below 0.3 would be right; it calls everything supported.
    judge(dataset, "timid", "SS", (0.2, 0.9))
    row = rows_of(rhea, dataset, "thresholds")["timid"]
    assert (float(row["used_f1"]), float(row["held_out_f1"]), float(row["gain"])) == (0, 1, 1)
    assert (float(row["best_threshold"]), float(row["optimism"])) == (0.2, 0)
    assert row["used_threshold"] == ""


def test_trivial_baselines_stand_below_on_the_same_units(dataset, rhea):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    rows = rows_of(rhea, dataset, "thresholds")
    # Half of the units are errors: 2/(2 + 1) for calling all of them so.
    assert float(rows["always-not-supported"]["used_f1"]) == pytest.approx(2 / 3)
    assert float(rows["always-supported"]["used_f1"]) == 0


def test_units_without_a_score_are_counted_and_left_out(dataset, rhea):
    run = judge(dataset, "judge", "NS", (0.2, 0.9))
    unscored, unparsed, missing = run.predictions.all()[:3]
    Prediction.objects.filter(pk=unscored.pk).update(score=None)
    Prediction.objects.filter(pk=unparsed.pk).update(score=None, value=None, unparsed=True)
    missing.delete()
    row = rows_of(rhea, dataset, "scores")["judge"]
    assert [row[name] for name in ("n", "scored", "unscored", "unparsed", "missing")] == ["24", "21", "1", "1", "1"]
    assert "24 units with gold, 21 of them scored" in squeezed(read(rhea, address(dataset)))


def test_a_response_scores_as_its_lowest_unit(dataset):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    study = study_of(dataset, None)
    scores = read_scores(study, with_scores(study.judges)["judge"][0], Scope("response"))
    assert scores.units.score.tolist() == [0.2] * 12
    assert scores.units.error.all()


def test_a_response_with_an_unscored_unit_has_no_score(dataset):
    run = judge(dataset, "judge", "NS", (0.2, 0.9))
    Prediction.objects.filter(pk=run.predictions.first().pk).update(score=None)
    study = study_of(dataset, None)
    scores = read_scores(study, with_scores(study.judges)["judge"][0], Scope("response"))
    assert (scores.n, len(scores.units.score), scores.unscored) == (12, 11, 1)


def test_a_slice_holds_its_units_only(dataset, rhea):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    assert rows_of(rhea, dataset, "scores", "&slice=domain:math")["judge"]["n"] == "12"


def test_what_the_link_asks_for_and_is_not_there_is_left_out(dataset, rhea):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    text = read(rhea, address(dataset, "?evaluator=nobody&level=none&slice=domain:none"))
    assert "24 units with gold" in text


def test_a_slice_of_correct_units_only_has_no_curve_and_says_so(dataset, rhea):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    response = make_response(dataset, domain="writing")
    for segment in response.segments.all():
        add_gold(segment, "supported")
    read(rhea, address(dataset, "?slice=domain:writing"))
    assert rows_of(rhea, dataset, "scores", "&slice=domain:writing")["judge"]["average_precision"] == ""


@pytest.mark.parametrize("name", CHARTS)
def test_each_chart_is_on_the_page_and_is_the_same_at_its_address(dataset, rhea, name):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    judge(dataset, "another", "NN", (0.1, 0.3))
    query = "?evaluator=judge&beside=another&level=segment"
    text = read(rhea, address(dataset, query))
    where = address(dataset, query, "thresholds-chart", name, "svg")
    assert f'src="{where.replace("&", "&amp;")}"' in text
    rows = csv.DictReader(io.StringIO(read(rhea, address(dataset, query, "thresholds-chart", name, "csv"))))
    of_one = name in ("f1-by-threshold", "reliability")
    assert {row["evaluator"] for row in rows} == ({"judge"} if of_one else {"judge", "another"})


def test_a_chart_answers_in_every_form(dataset, rhea):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    types = {
        form: rhea.get(address(dataset, "", "thresholds-chart", "roc", form)).headers["Content-Type"].split(";")[0]
        for form in ("svg", "json", "csv")
    }
    assert types == {"svg": "image/svg+xml", "json": "application/json", "csv": "text/csv"}
    kept = rhea.get(address(dataset, "?download=1", "thresholds-chart", "roc", "csv"))
    assert kept.headers["Content-Disposition"] == 'attachment; filename="roc.csv"'


@pytest.mark.parametrize(("name", "form"), [("none", "svg"), ("roc", "gif")])
def test_there_is_no_other_chart_and_no_other_form(dataset, rhea, name, form):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    assert rhea.get(address(dataset, "", "thresholds-chart", name, form)).status_code == 404


def test_a_frozen_gold_keeps_its_figures(dataset, rhea):
    later = make_response(dataset)
    judge(dataset, "judge", "NS", (0.2, 0.9))
    freeze_gold(dataset, "v1")
    for segment in later.segments.all():
        add_gold(segment, "supported")
    before, after = (rows_of(rhea, dataset, "scores", query)["judge"] for query in ("&gold=v1", ""))
    assert (before["n"], after["n"]) == ("24", "26")
    assert (float(before["errors"]), float(after["errors"])) == (0.5, pytest.approx(12 / 26))


def test_more_predictions_make_other_figures(dataset, rhea):
    run = judge(dataset, "judge", "NS", (0.2, 0.9))
    last = run.predictions.last()
    last.delete()
    assert rows_of(rhea, dataset, "scores")["judge"]["scored"] == "23"
    Prediction.objects.create(run=run, segment=last.segment, value="supported", score=0.9)
    run.last_prediction_at = "2026-01-01T00:00:00Z"
    run.save()
    assert rows_of(rhea, dataset, "scores")["judge"]["scored"] == "24"


def test_names_of_figures_link_to_their_definitions(dataset, rhea):
    judge(dataset, "judge", "NS", (0.2, 0.9))
    check_figure_names(read(rhea, address(dataset)), "Average precision", "Brier score", "Optimism")
    check_figure_names(read(rhea, address(dataset, name="promise")))
