"""Combinations on the page: figures worked by hand, prices from stored answers, all state in the link."""

import csv
import io
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from core.caching import memory
from evaluators.models import Prediction, Run
from llm.models import Call, Endpoint
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
GOLD = "NSNS"
VALUES = {"S": "supported", "N": "not_supported"}


@pytest.fixture(autouse=True)
def empty_cache():
    memory.clear()


@pytest.fixture
def dataset() -> Dataset:
    """Two responses of two segments in two domains; the first segment of each is wrong."""
    dataset = make_dataset()
    for domain in ("math", "wk"):
        response = make_response(dataset, domain=domain)
        for segment, letter in zip(response.segments.all(), "NS", strict=True):
            add_gold(segment, VALUES[letter])
    return dataset


@pytest.fixture
def rhea(dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def segments(dataset: Dataset) -> list:
    return [segment for response in dataset.responses.order_by("position") for segment in response.segments.all()]


def say(dataset: Dataset, name: str, letters: str, method: str = "felm-segment", scores=()) -> Run:
    """A run that says so of the four segments; a blank says nothing."""
    pairs = zip(segments(dataset), letters.ljust(len(segments(dataset))), strict=True)
    run = add_run(dataset, {segment: letter for segment, letter in pairs if letter != " "}, name, method)
    for segment, score in zip(segments(dataset), scores, strict=False):
        run.predictions.filter(segment=segment).update(score=score)
    return run


def pay(run: Run, *costs: float | None) -> None:
    """An answer a response, from which the predictions of its segments were read."""
    endpoint, _ = Endpoint.objects.get_or_create(name="e", defaults={"base_url": "http://127.0.0.1:1"})
    for place, cost in enumerate(costs):
        call = Call.objects.create(
            endpoint=endpoint,
            request_hash=f"{run.pk}-{place}",
            model="m",
            request={},
            prompt_tokens=90,
            completion_tokens=10,
            cost_usd=cost,
            seconds=1,
        )
        for prediction in Prediction.objects.filter(run=run, segment__response__position=place):
            prediction.calls.add(call)


def taken(client: Client, dataset: Dataset, query: str = "") -> dict[tuple[str, str], dict[str, str]]:
    """The rows of the page's table as CSV, by combination and rule."""
    answer = client.get(reverse("combinations", args=[dataset.pk]) + f"?table=combinations&as=csv{query}")
    assert answer.status_code == 200
    rows = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    return {(row["combination"], row["rule"]): row for row in rows}


def read(client: Client, dataset: Dataset, query: str = "") -> str:
    answer = client.get(reverse("combinations", args=[dataset.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


BOTH_SUPPORT, BOTH_ALARM = "supported if both say so", "error if both say so"


def test_ensembles_of_two_are_worked_out_from_what_both_said(dataset, rhea):
    say(dataset, "a", "NNSS")
    say(dataset, "b", "NSNN")
    rows = taken(rhea, dataset)
    # Gold NSNS. One alarm is enough: NNNN, 2 found, 2 false alarms: F1 = 4/6. Both have to alarm: NSSS, F1 = 2/3.
    assert float(rows["a + b", BOTH_SUPPORT]["f1"]) == pytest.approx(4 / 6)
    assert float(rows["a + b", BOTH_ALARM]["f1"]) == pytest.approx(2 / 3)
    assert float(rows["b", "by itself"]["f1"]) == pytest.approx(4 / 5)


def test_what_the_rule_cannot_settle_stays_unparsed_or_missing(dataset, rhea):
    say(dataset, "a", "?SN ")
    say(dataset, "b", "NSSS")
    row = taken(rhea, dataset)["a + b", BOTH_ALARM]
    # ?N cannot be settled, SS and NS are correct, and a missing one is settled by S.
    assert (row["predicted"], row["unparsed"], row["missing"]) == ("3", "1", "0")
    # Unparsed set to its opposite and to gold: no error found, or one of two.
    assert (float(row["f1_worst"]), float(row["f1_best"])) == (0, pytest.approx(2 / 3))


def test_three_make_a_majority(dataset, rhea):
    for name, letters in (("a", "NNSS"), ("b", "NSNS"), ("c", "SNNS")):
        say(dataset, name, letters)
    # NNNS: both errors and one false alarm.
    assert float(taken(rhea, dataset)["a + b + c", "majority"]["f1"]) == pytest.approx(4 / 5)


def test_a_cascade_pays_the_second_for_the_answers_of_the_units_that_it_is_asked_about(dataset, rhea):
    cheap = say(dataset, "cheap", "NSSS", scores=(0.1, 0.9, 0.45, 0.9))
    pay(cheap, 0.001, 0.001)
    pay(say(dataset, "dear", "SSNS"), 0.1, 0.3)
    row = taken(rhea, dataset, "&chosen=1&rule=cascade&ask=unsure&sure=0.8")["cheap → dear", "cascade"]
    # Unsure of the third segment alone: the dear one's second answer is paid, its first is not.
    assert float(row["price"]) == pytest.approx(1000 * (0.002 + 0.3) / 4)
    assert float(row["asked"]) == 0.25
    assert float(row["f1"]) == 1


def test_a_cascade_may_ask_about_alarms(dataset, rhea):
    pay(say(dataset, "cheap", "NNSS"), 0.001, 0.001)
    pay(say(dataset, "dear", "NSSN"), 0.1, 0.3)
    row = taken(rhea, dataset, "&chosen=1&rule=cascade&ask=error")["cheap → dear", "cascade"]
    # Asked about the first two: NS of the dear one, SS of the cheap one.
    assert (float(row["f1"]), float(row["asked"])) == (pytest.approx(2 / 3), 0.5)
    assert float(row["price"]) == pytest.approx(1000 * (0.002 + 0.1) / 4)


def test_an_answer_that_two_evaluators_were_read_from_is_paid_once(dataset, rhea):
    one, other = say(dataset, "a", "NNSS"), say(dataset, "b", "NSNN")
    pay(one, 0.1, 0.1)
    for prediction in other.predictions.all():
        prediction.calls.set(one.predictions.get(segment=prediction.segment).calls.all())
    assert float(taken(rhea, dataset)["a + b", BOTH_ALARM]["price"]) == pytest.approx(50)


def test_what_ran_elsewhere_has_no_price_until_somebody_types_it(dataset, rhea):
    run = say(dataset, "outside", "NNSS", method="imported")
    assert taken(rhea, dataset)["outside", "by itself"]["price"] == ""
    assert f'name="price-{run.pk}"' in read(rhea, dataset)
    row = taken(rhea, dataset, f"&price-{run.pk}=12.5")["outside", "by itself"]
    assert float(row["price"]) == 12.5


def test_a_run_whose_answers_have_no_price_takes_a_typed_one_and_has_tokens(dataset, rhea):
    run = say(dataset, "a", "NNSS")
    pay(run, None, 0.1)
    assert taken(rhea, dataset)["a", "by itself"]["price"] == ""
    assert float(taken(rhea, dataset, f"&price-{run.pk}=7")["a", "by itself"]["price"]) == 7
    assert float(taken(rhea, dataset, "&currency=tokens")["a", "by itself"]["price"]) == 1000 * 200 / 4


def test_the_best_under_a_price_comes_with_a_warning_and_a_held_out_figure(dataset, rhea):
    pay(say(dataset, "cheap", "NNSS"), 0.001, 0.001)
    pay(say(dataset, "dear", "NSNS"), 0.5, 0.5)
    text = read(rhea, dataset, "?limit=1")
    assert "Best under $1.00 for 1,000 segments" in text
    assert "<strong>cheap</strong> (by itself)" in text
    assert "looks too good" in text
    # Each fold leaves the other prompt to choose by. cheap and dear are alone affordable: cheap is what is chosen, and
    # finds 1 of 2 errors with one false alarm.
    assert "Held out it has F1 0.500" in text


def test_where_nothing_is_so_cheap_the_page_says_so(dataset, rhea):
    pay(say(dataset, "dear", "NSNS"), 0.5, 0.5)
    assert "No combination is known to cost less" in read(rhea, dataset, "?limit=1")


def test_a_slice_counts_and_pays_its_own_units(dataset, rhea):
    pay(say(dataset, "a", "NNSS"), 0.1, 0.4)
    row = taken(rhea, dataset, "&part=domain:math")["a", "by itself"]
    assert (row["n"], float(row["price"])) == ("2", pytest.approx(1000 * 0.1 / 2))


def test_at_the_level_of_responses_combined_segments_are_rolled_up(dataset, rhea):
    say(dataset, "a", "NSSS")
    say(dataset, "b", "SNSN")
    row = taken(rhea, dataset, "&level=response")["a + b", BOTH_ALARM]
    # No segment has two alarms, so no response is called an error, though each evaluator calls the first one so.
    assert (row["n"], float(row["f1"])) == ("2", 0)


def test_only_the_chosen_evaluators_are_combined(dataset, rhea):
    for name in "abc":
        say(dataset, name, "NNSS")
    names = {name for name, rule in taken(rhea, dataset, "&evaluator=a&evaluator=c") if rule != "trivial baseline"}
    assert names == {"a", "c", "a + c", "a → c", "c → a"}


def test_trivial_baselines_stand_beside_and_are_not_combined(dataset, rhea):
    say(dataset, "a", "NNSS")
    rows = taken(rhea, dataset)
    assert float(rows["always-not-supported", "trivial baseline"]["f1"]) == pytest.approx(2 / 3)
    assert not any("always" in name and "a" in name.split(" + ") for name, _ in rows)


def test_rows_are_sorted_and_filtered_by_the_link(dataset, rhea):
    pay(say(dataset, "cheap", "SSNS"), 0.001, 0.001)
    pay(say(dataset, "dear", "NSNS"), 0.5, 0.5)
    text = read(rhea, dataset, "?only=alone&sort=price")
    names = re.findall(r'<tr> <th scope="row">([^<]+)<', text)
    assert names == ["cheap", "dear"]
    assert "cheap + dear" not in re.findall(r'<th scope="row">([^<]+)<', text)


def test_the_best_is_named_whatever_rows_are_shown(dataset, rhea):
    say(dataset, "a", "NNSS")
    say(dataset, "b", "NSNS")
    assert "<strong>b</strong> (by itself)" in read(rhea, dataset, "?only=cascade")


def test_the_chart_says_in_words_what_it_shows_and_comes_as_data(dataset, rhea):
    pay(say(dataset, "cheap", "SSNS"), 0.001, 0.001)
    pay(say(dataset, "dear", "NSNS"), 0.5, 0.5)
    assert "stand on the front" in read(rhea, dataset)
    address = reverse("combinations-chart", args=[dataset.pk, "price-f1", "json"])
    spec = json.loads(rhea.get(address).content)
    assert spec["$schema"].endswith(".json")
    assert rhea.get(reverse("combinations-chart", args=[dataset.pk, "other", "json"])).status_code == 404


def test_what_cannot_be_read_is_left_at_its_default(dataset, rhea):
    say(dataset, "a", "NNSS")
    text = read(rhea, dataset, "?limit=cheap&sure=7&sort=best&level=moon&part=x:y&price-x=1&price-9=-2&page=0")
    assert "Best at any price" in text


def test_without_runs_the_page_says_what_to_do(dataset, rhea):
    assert "No finished runs yet" in read(rhea, dataset)


def test_without_gold_the_page_says_how_gold_comes(rhea, dataset):
    other = make_dataset("unlabelled")
    make_response(other)
    client = Client()
    client.force_login(make_person("rho", other, "researcher"))
    assert "No gold yet" in read(client, other)


def test_names_are_escaped(dataset, rhea):
    say(dataset, "<script>alert('x')</script>", "NNSS")
    assert "<script>alert" not in read(rhea, dataset)


def long_dataset() -> Dataset:
    """Fifty responses with an error and a correct segment each."""
    dataset = make_dataset("long")
    for _ in range(50):
        for segment, letter in zip(make_response(dataset).segments.all(), "NS", strict=True):
            add_gold(segment, VALUES[letter])
    return dataset


def test_what_a_rule_leaves_open_counts_as_wrong_in_its_headline():
    """Ben finds 40 errors of 50. Ada finds all but gave no answer to two correct segments and two errors."""
    dataset = long_dataset()
    say(dataset, "ada", "NSNS" * 24 + "????")
    say(dataset, "ben", "NS" * 40 + "SS" * 10)
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    row = taken(client, dataset)["ada", "by itself"]

    assert (float(row["f1"]), row["unranked"]) == (1, "")
    # 48 errors found, two missed, two false alarms: 96 / (96 + 4).
    assert float(row["f1_pessimistic"]) == pytest.approx(0.96)
    assert float(row["f1_pessimistic_low"]) < 0.96 < float(row["f1_pessimistic_high"])
    text = read(client, dataset, "?chosen=1")
    assert "<strong>ada</strong> (by itself): F1 0.960" in text
    assert "with undecided segments as wrong (1.000 on the 96 % that it decides)" in text


def test_silence_wins_no_combination():
    """Ada is right about the one segment that she judged."""
    dataset = long_dataset()
    say(dataset, "ada", "N")
    say(dataset, "ben", "NS" * 40 + "SS" * 10)
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))

    row = taken(client, dataset)["ada", "by itself"]
    assert (float(row["f1"]), row["unranked"]) == (1, "judged 1 % of the units; 95 % are asked for")
    assert "<strong>ben</strong> (by itself): F1 0.889" in read(client, dataset, "?chosen=1")


def test_names_of_figures_link_to_their_definitions(dataset, rhea):
    say(dataset, "a", "NNSS")
    say(dataset, "b", "NSNN")
    check_figure_names(read(rhea, dataset), "F1", "Coverage", "Second used")
