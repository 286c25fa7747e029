"""Threshold with a guarantee: the figures, the page, its chart and table, and the command."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from core.caching import memory
from evaluators.comparison.study import study_of
from evaluators.models import Prediction, Run
from evaluators.thresholds.promises import AMONG_PASSED, THRESHOLDS, Promise, promise_of
from evaluators.thresholds.read import Scope
from tests.evaluators.combinations.test_pages import pay
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

SEGMENTS = Scope("segment")


@pytest.fixture(autouse=True)
def empty_cache():
    memory.clear()


def make_lab(prompts: int = 60) -> Dataset:
    """The first segment of each response is wrong, the second is not. The judge gives them 0.2 and 0.9."""
    dataset = make_dataset()
    said = {}
    for _ in range(prompts):
        response = make_response(dataset)
        for segment, value in zip(response.segments.all(), ("not_supported", "supported"), strict=True):
            add_gold(segment, value)
            said[segment] = "S"
    run = add_run(dataset, said, "judge")
    Prediction.objects.filter(run=run, segment__position=0).update(score=0.2)
    Prediction.objects.filter(run=run, segment__position=1).update(score=0.9)
    add_run(dataset, {segment: "N" if segment.position == 0 else "S" for segment in said}, "sharp")
    add_run(dataset, said, "blind")
    return dataset


def outcome(dataset, **promise):
    return promise_of(study_of(dataset, None), Promise("judge", **promise), SEGMENTS)


def test_the_cheapest_threshold_passes_all_that_is_right_and_nothing_else():
    document = outcome(make_lab())
    chosen = document["qualified"]

    # Down to 0.2 all errors stay: half of the units are passed. Below, all are passed, and all errors among them.
    assert (chosen["threshold"], chosen["deferred"], chosen["rate"]) == (0.2, 0.5, 0)
    assert chosen["p"] <= 0.05
    assert chosen["bound"] <= 0.1
    stopped = [each for each in document["settings"] if each["tested"] and not each["qualified"]]
    assert [(each["threshold"], each["rate"], each["deferred"]) for each in stopped] == [(0.19, 1, 0)]
    assert [each["threshold"] for each in document["settings"]] == list(THRESHOLDS)
    assert (document["n"], document["prompts"], document["error_prompts"]) == (120, 60, 60)


def test_units_without_a_score_are_never_passed():
    dataset = make_lab()
    Prediction.objects.filter(run__evaluator__name="judge", segment__position=1).update(score=None)
    document = outcome(dataset)
    assert {each["deferred"] for each in document["settings"]} == {1.0, 0.5}
    assert document["qualified"]["deferred"] == 1


def test_what_is_not_passed_goes_to_the_next_evaluator():
    dataset = make_lab()
    chosen = outcome(dataset, then="sharp")["qualified"]
    assert (chosen["threshold"], chosen["asked"], chosen["deferred"]) == (0.2, 0.5, 0.5)
    # One that calls everything supported passes each error that it is asked about.
    document = outcome(dataset, then="blind")
    assert (document["qualified"], document["needed"], document["settings"][0]["rate"]) == (None, None, 1)


def test_the_share_of_errors_among_what_is_passed():
    document = outcome(make_lab(120), of=AMONG_PASSED, rate=0.2)
    assert document["qualified"]["deferred"] == 0.5
    assert document["qualified"]["rate"] == 0


def test_too_few_prompts_with_an_error_are_refused():
    document = outcome(make_lab(12))
    assert document["refused"] == "12 prompts with an error, and it takes at least 30 for this promise"
    assert (document["settings"], document["qualified"]) == ([], None)


def test_none_qualifies_and_it_says_what_it_would_take():
    """Of at most ten units a prompt has one error, so a bet gains little: (1 + 0.95 · 0.1 / 0.9 · 1 / 10)^n ≥ 20."""
    document = outcome(make_lab(31), most_units=10)
    assert (document["refused"], document["qualified"], document["needed"]) == (None, None, 286)
    assert [each["tested"] for each in document["settings"]] == [True] + [False] * (len(THRESHOLDS) - 1)


def test_where_nothing_can_be_passed_all_goes_to_people(rhea):
    dataset = Dataset.objects.get()
    Prediction.objects.filter(run__evaluator__name="judge").update(score=1.0)
    assert outcome(dataset)["qualified"]["deferred"] == 1
    assert "No accepted units: all units go to people." in read(rhea, address())


def test_the_price_is_that_of_the_calls_for_what_is_asked():
    """A call for each response, of two segments: a cent for the judge, four cents for the sharp one."""
    dataset = make_lab(30)
    for name, cost in (("judge", 0.01), ("sharp", 0.04)):
        pay(Run.objects.get(evaluator__name=name), *[cost] * 30)
    settings = {each["threshold"]: each for each in outcome(dataset, then="sharp")["settings"]}
    # 30 cents and 120 cents for 60 segments; at 0.1 none is asked of the sharp one.
    assert settings[0.2]["price_usd"] == pytest.approx(1000 * (0.3 + 1.2) / 60)
    assert settings[0.1]["price_usd"] == pytest.approx(1000 * 0.3 / 60)
    assert outcome(dataset)["settings"][0]["price_usd"] == pytest.approx(5)


@pytest.fixture
def rhea() -> Client:
    dataset = make_lab()
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def address(query="", name="promise", *more):
    return reverse(name, args=[Dataset.objects.get().pk, *more]) + query


def read(client, where):
    answer = client.get(where)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


@pytest.mark.parametrize("query", ["?rate=0.1", "?rate=99.9", "?probability=50", "?probability=99.9"])
def test_the_ends_can_be_stated(rhea, query):
    assert "is to be from" not in read(rhea, address(query))


def test_p_stands_beside_what_it_has_to_reach(rhea):
    """A threshold that stops the sequence may have a p that rounds to what qualifies."""
    text = read(rhea, address())
    assert "The sequence stopped at the threshold 0.19: p = 1.0000, above 0.05." in text
    assert "≤ 0.05" in text
    assert "p = 0.050" not in text


def test_the_upper_bound_is_written_to_a_tenth_of_a_per_cent(rhea):
    """In whole per cent a promise of 7.5 % stood beside an upper bound of 8 %."""
    bound = outcome(Dataset.objects.get(), rate=0.075)["qualified"]["bound"]
    assert bound <= 0.075
    assert f"with an upper bound of {100 * bound:.1f} %" in read(rhea, address("?rate=7.5"))


def test_the_way_back_keeps_evaluator_and_scope(rhea):
    text = read(rhea, address("?evaluator=judge&level=response&rate=20&then=sharp"))
    assert 'thresholds/?evaluator=judge&amp;level=response">← Thresholds' in text


def test_one_prompt_with_an_error_is_one():
    assert outcome(make_lab(1))["refused"] == "1 prompt with an error, and it takes at least 30 for this promise"


def test_the_page_says_what_can_be_promised(rhea):
    text = read(rhea, address("?rate=10&probability=95"))
    assert "Guarantee found" in text
    assert "score above <strong>0.2</strong>" in text
    assert "The sequence stopped at the threshold 0.19" in text
    assert "60 of them with an error" in text


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("?rate=0", "The rate is to be from 0.1 to 99.9 %, not “0”."),
        ("?rate=100", "The rate is to be from 0.1 to 99.9 %, not “100”."),
        ("?rate=much", "The rate is to be from 0.1 to 99.9 %, not “much”."),
        ("?rate=-4", "The rate is to be from 0.1 to 99.9 %, not “-4”."),
        ("?rate=nan", "The rate is to be from 0.1 to 99.9 %, not “nan”."),
        # So near to 0 that no number of prompts would do.
        ("?rate=1e-20", "The rate is to be from 0.1 to 99.9 %, not “1e-20”."),
        ("?probability=100", "The probability is to be from 50 to 99.9 %, not “100”."),
        # A promise that is kept less often than not: its upper bound is below the rate in these prompts.
        ("?probability=0.01", "The probability is to be from 50 to 99.9 %, not “0.01”."),
    ],
)
def test_a_share_that_is_none_is_refused_with_its_reason(rhea, query, why):
    text = read(rhea, address(query))
    assert "No guarantee possible" in text
    assert why in text
    assert rhea.get(address(query, "promise-chart", "promise", "svg")).status_code == 404


def test_names_that_are_not_there_are_left_out(rhea):
    text = read(rhea, address("?evaluator=nobody&then=nobody&of=none&level=none"))
    assert "Guarantee found" in text


def test_the_table_and_the_chart_have_every_threshold(rhea):
    rows = list(csv.DictReader(io.StringIO(rhea.get(address("?table=promise&as=csv")).content.decode("utf-8-sig"))))
    assert [float(row["threshold"]) for row in rows] == pytest.approx(THRESHOLDS)
    assert {row["qualified"] for row in rows} == {"true", "false"}
    drawn = list(csv.DictReader(io.StringIO(read_csv(rhea))))
    assert {row["figure"] for row in drawn} == {"in these prompts", "upper bound"}
    assert len(drawn) == 2 * len(THRESHOLDS)


def read_csv(client):
    return client.get(address("", "promise-chart", "promise", "csv")).content.decode("utf-8-sig")


def test_without_gold_and_without_scores_the_page_says_so():
    dataset = make_dataset("bare")
    client = Client()
    client.force_login(make_person("cleo", dataset, "researcher"))
    assert "No gold yet" in read(client, address())
    response = make_response(dataset)
    add_gold(response.segments.first(), "supported")
    assert "No scores yet" in read(client, address())
    assert client.get(address("", "promise-chart", "promise", "svg")).status_code == 404


def run(*arguments):
    out = io.StringIO()
    call_command("risk_control", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_the_document_or_a_sentence():
    make_lab()
    words = ("lab", "--evaluator", "judge", "--missed", "0.1", "--probability", "0.95")
    assert json.loads(run(*words, "--json"), parse_constant=pytest.fail)["qualified"]["threshold"] == 0.2
    assert run(*words).startswith("threshold 0.2: not passed 0.500, rate here 0.000")
    assert "No threshold found: the rate is too high" in run(*words, "--then", "blind")
    assert "No guarantee possible: 60 prompts" in run("lab", "--evaluator", "judge", "--missed", "0.01")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--evaluator", "nobody"), "no finished run of 'nobody' with scores"),
        (("--evaluator", "blind"), "no finished run of 'blind' with scores"),
        (("--evaluator", "judge", "--then", "nobody"), "no other finished run of 'nobody'"),
        (("--evaluator", "judge", "--missed", "1"), "The rate is to be from 0.001 to 0.999, not 1"),
        (("--evaluator", "judge", "--wrong-passed", "0"), "The rate is to be from 0.001 to 0.999, not 0"),
        (("--evaluator", "judge", "--wrong-passed", "1e-20"), "The rate is to be from 0.001 to 0.999, not 1e-20"),
        (("--evaluator", "judge", "--probability", "1.5"), "The probability is to be from 0.5 to 0.999, not 1.5"),
        (("--evaluator", "judge", "--most-units", "0"), "1 unit or more"),
        (("--evaluator", "judge", "--level", "fact"), "no level 'fact'"),
        (("--evaluator", "judge", "--gold-version", "v9"), "v9"),
    ],
)
def test_the_command_refuses_with_a_reason(words, why):
    make_lab(2)
    with pytest.raises(CommandError, match=why):
        run("lab", *words)
