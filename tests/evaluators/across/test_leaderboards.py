"""The leaderboard over several datasets: who is averaged, who is ranked, and whose datasets they are."""

import csv
import io
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import Dataset, Role
from core.caching import memory
from evaluators.across import board
from evaluators.across.board import compare_datasets
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    memory.clear()


def make_lab(name: str, prompts: int) -> Dataset:
    """An error and a correct unit in each prompt."""
    dataset = make_dataset(name)
    for _ in range(prompts):
        first, second = make_response(dataset).segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    return dataset


def judge(dataset: Dataset, name: str, found: int, left: int = 0) -> None:
    """A run that finds so many of the errors, calls no correct unit one, and has nothing on the last `left` prompts."""
    responses = list(dataset.responses.order_by("position"))
    said = {}
    for place, response in enumerate(responses[: len(responses) - left]):
        first, second = response.segments.all()
        said |= {first: "N" if place < found else "S", second: "S"}
    add_run(dataset, said, name, "imported")


@pytest.fixture
def labs() -> tuple[Dataset, Dataset]:
    """Ada has an F1 of 1 and of 2/3, Ben of 2/3 and 1/5: 2 · 2 / (2 · 2 + 16) in the larger one; Cleo ran over one
    alone, and Dan left a tenth of the other out."""
    small, large = make_lab("small", 10), make_lab("large", 18)
    judge(small, "ada", 10)
    judge(large, "ada", 9)
    judge(small, "ben", 5)
    judge(large, "ben", 2)
    judge(small, "cleo", 10)
    judge(small, "dan", 10, left=1)
    judge(large, "dan", 18)
    return small, large


def entries(*datasets: Dataset) -> dict[str, dict]:
    return {entry["evaluator"]: entry for entry in compare_datasets(datasets, "f1")["evaluators"]}


def test_the_average_counts_every_dataset_alike(labs):
    found = entries(*labs)

    assert found["ada"]["average"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["ben"]["average"] == pytest.approx((2 / 3 + 1 / 5) / 2)
    assert found["always-not-supported"]["average"] == pytest.approx(2 / 3)
    low, high = found["ada"]["interval"]
    assert low < found["ada"]["average"] < high


def test_who_is_missing_in_a_dataset_is_not_averaged_over_the_others(labs):
    found = entries(*labs)

    for name, lacking, datasets in (("cleo", "large", 1), ("dan", "small", 1)):
        entry = found[name]
        assert (entry["average"], entry["rank"], entry["rank_set"]) == (None, None, None)
        assert (entry["unranked"], entry["datasets"]) == (f"no ranked figure in {lacking}", datasets)
    # By name: large, then small.
    assert found["cleo"]["figures"][0] is None
    assert found["cleo"]["figures"][1]["value"] == 1
    assert found["dan"]["figures"][1]["unranked"] == "judged 90 % of the units; 95 % are asked for"


def test_the_ranked_stand_first_and_share_ranks_where_nothing_tells_them_apart(labs):
    small, large = labs
    judge(small, "eve", 10)
    judge(large, "eve", 8)
    found = entries(*labs)

    assert list(found)[:3] == ["ada", "eve", "ben"]
    assert [found[name]["rank_set"] for name in ("ada", "eve", "ben")] == [[1, 2], [1, 2], [3, 3]]
    assert list(found)[3:5] == ["cleo", "dan"]


def test_facts_and_segments_stand_beside_each_other(labs):
    lives = make_dataset("lives", "factscore")
    for number in range(8):
        response = make_response(lives, ["A life."], prompt=f"Life {number}", subject="model")
        (fact,) = add_facts(response, [["A fact."]])
        add_gold(fact, "not_supported")
        add_run_of_fact(lives, fact, "ada", number)
    document = compare_datasets([*labs, lives], "f1")

    assert [each["level"] for each in document["datasets"]] == ["segment", "fact", "segment"]
    assert next(each for each in document["evaluators"] if each["evaluator"] == "ada")["datasets"] == 3


def add_run_of_fact(dataset, fact, name, number):
    """All facts in one run."""
    if not number:
        add_run(dataset, {fact: "N"}, name, "imported")
    else:
        dataset.runs.get().predictions.create(segment=fact.segment, fact=fact, value="not_supported")


@pytest.fixture
def rhea(labs) -> Client:
    """Researcher of both."""
    client = Client()
    person = make_person("rhea", labs[0], Role.RESEARCHER)
    make_person("rhea", labs[1], Role.RESEARCHER)
    client.force_login(person)
    return client


def test_the_page_shows_averages_and_who_is_missing(labs, rhea):
    text = squeezed(rhea.get(reverse("leaderboards")).text)

    assert "0.833" in text
    assert "no ranked figure in large" in text
    assert "no run" in text
    assert "1 of 2" in text
    rows = list(
        csv.DictReader(
            io.StringIO(rhea.get(reverse("leaderboards") + "?table=datasets&as=csv").content.decode("utf-8-sig"))
        )
    )
    (ada,) = [row for row in rows if row["Evaluator"] == "ada"]
    assert (float(ada["Average F1"]), float(ada["small"]), ada["Rank"]) == (pytest.approx(5 / 6), 1, "1")


def test_only_datasets_that_one_may_read_are_there(labs, rhea):
    hidden = make_lab("secret-lab", 8)
    judge(hidden, "ada", 8)
    labelled = make_lab("labelled", 8)
    judge(labelled, "ada", 8)
    make_person("rhea", labelled, Role.ANNOTATOR)

    for query in ("", f"?dataset={hidden.pk}&dataset={labelled.pk}", f"?dataset={labs[0].pk}&dataset={hidden.pk}"):
        answer = rhea.get(reverse("leaderboards") + query)
        assert answer.status_code == 200
        assert b"secret-lab" not in answer.content
        assert b"labelled" not in answer.content


def test_somebody_without_datasets_is_told_what_is_needed(client):
    client.force_login(make_person("zoe"))
    assert "No dataset to compare" in client.get(reverse("leaderboards")).text


def test_more_than_a_page_can_wait_for_is_for_the_command(labs, rhea, monkeypatch):
    monkeypatch.setattr(board, "AT_ONCE", 10)
    text = rhea.get(reverse("leaderboards")).text

    assert "use the command compare_datasets" in text
    assert "<table" not in text


def test_more_evaluators_take_no_more_queries(labs, rhea):
    def queries() -> int:
        memory.clear()
        with CaptureQueriesContext(connection) as asked:
            assert rhea.get(reverse("leaderboards")).status_code == 200
        return len(asked)

    queries()
    few = queries()
    for dataset in labs:
        # Each run is read by one query.
        judge(dataset, "eve", 3)
        judge(dataset, "finn", 4)
    assert queries() <= few + 2 * len(labs)
    with CaptureQueriesContext(connection) as kept:
        rhea.get(reverse("leaderboards"))
    assert len(kept) < few


def test_the_command_prints_the_same_document(labs):
    out = StringIO()
    call_command("compare_datasets", "small", "large", "--json", stdout=out)
    assert json.loads(out.getvalue()) == json.loads(json.dumps(compare_datasets(labs, "f1")))

    out = StringIO()
    call_command("compare_datasets", "small", "large", stdout=out)
    first = out.getvalue().splitlines()[0]
    assert first.startswith("ada")
    assert "0.833" in first
    with pytest.raises(CommandError):
        call_command("compare_datasets", "nowhere")


def test_names_of_figures_link_to_their_definitions(labs, rhea):
    page = rhea.get(reverse("leaderboards")).text
    # The heads of the datasets are their names, with their sizes.
    for each in labs:
        page = page.replace(f'<th scope="col" class="num">{each.name}<small', f'<th scope="col">{each.name}<small')
    check_figure_names(page, "Ranks", "Average F1", "Datasets")
