"""Stages on the page: what each costs, worked by hand, and what to run where a run is missing."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import AtomicFact, Dataset, FactSet
from core.caching import memory
from evaluators.comparison.study import study_of
from evaluators.methods import METHODS
from evaluators.methods.parameters import read_parameters
from evaluators.models import Evaluator, Prediction, Run
from evaluators.stages.measure import Measures
from tests.evaluators.comparison.rows import SHORT
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
VALUES = {"S": "supported", "N": "not_supported"}


@pytest.fixture(autouse=True)
def empty_cache():
    memory.clear()


@pytest.fixture
def lives() -> Dataset:
    """Two lives of one segment each with two facts each; the second fact of each is wrong: FActScore 1/2."""
    dataset = make_dataset("lives", scheme="factscore")
    for name in ("Ada", "Grace"):
        response = make_response(dataset, ["Ada was born. She flew."], f"Tell me of {name}.", "bio", "amber", name)
        for fact, letter in zip(add_facts(response, [["Ada was born.", "She flew."]]), "SN", strict=True):
            add_gold(fact, VALUES[letter])
    return dataset


@pytest.fixture
def rhea(lives) -> Client:
    client = Client()
    client.force_login(make_person("rhea", lives, "researcher"))
    return client


def facts_of(dataset: Dataset) -> list[AtomicFact]:
    return list(AtomicFact.objects.for_labelling().filter(segment__response__dataset=dataset).order_by("pk"))


def evaluator(name: str, method: str, **given: str) -> Evaluator:
    parameters = read_parameters(METHODS[method], given)
    return Evaluator.objects.create(name=name, method=method, model="amber", parameters=parameters)


def say(dataset: Dataset, name: str, letters: str, method: str = "factscore-retrieve", **given: str) -> Run:
    run = Run.objects.create(evaluator=evaluator(name, method, **given), dataset=dataset, state="finished")
    for fact, letter in zip(facts_of(dataset), letters, strict=True):
        value = SHORT[letter]
        Prediction.objects.create(run=run, segment=fact.segment, fact=fact, value=value, unparsed=value is None)
    return run


def generate(dataset: Dataset, name: str, supported: int, of: int) -> Run:
    """A run that used its own facts: of each response so many, of them so many supported."""
    run = Run.objects.create(
        evaluator=evaluator(name, "factscore-retrieve", facts="generated"), dataset=dataset, state="finished"
    )
    for place, response in enumerate(dataset.responses.order_by("position")):
        segment = response.segments.get()
        own = FactSet.objects.create(response=response, origin="generated", model="amber", prompt_hash=f"own {place}")
        for position in range(of):
            fact = AtomicFact.objects.create(fact_set=own, segment=segment, position=position, text=f"Fact {position}.")
            value = "supported" if position < supported else "not_supported"
            Prediction.objects.create(run=run, segment=segment, fact=fact, value=value)
        run.items.create(response=response, position=place, state="done")
    return run


def read(client: Client, dataset: Dataset, query: str = "") -> str:
    answer = client.get(reverse("stages", args=[dataset.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def taken(client: Client, dataset: Dataset, query: str = "") -> list[dict[str, str]]:
    answer = client.get(reverse("stages", args=[dataset.pk]) + f"?table=stages&as=csv{query}")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_gold_passages_give_back_what_retrieval_lost(lives, rhea):
    say(lives, "retrieved", "SSSN")
    say(lives, "gold passages", "SNSN", retrieval="gold")
    (row,) = taken(rhea, lives)
    assert (row["stage"], row["before"], row["after"]) == ("passages", "retrieved", "gold passages")
    # Of two errors one is found with retrieved passages: F1 2/3; both with gold ones: 1.
    assert float(row["f1_change"]) == pytest.approx(1 / 3)
    assert row["f1_units"] == "4"
    # The score is 3/4 by the one and 1/2 by the other, where gold has 1/2.
    assert float(row["error_rate_change"]) == pytest.approx(-1 / 4)
    # Resamples only raise a distance from 0, so it has no interval.
    assert (row["error_rate_low"], row["error_rate_high"]) == ("", "")


def test_facts_of_its_own_have_no_f1_and_an_error_rate(lives, rhea):
    generate(lives, "end to end", supported=4, of=5)
    say(lives, "given facts", "SSSN")
    (row,) = taken(rhea, lives)
    assert (row["stage"], row["f1_change"]) == ("facts", "")
    # 4/5 against gold's 1/2, then 3/4: the error rate falls from 0.3 to 0.25.
    assert float(row["error_rate_change"]) == pytest.approx(-0.05)
    assert "it used its own facts" in read(rhea, lives)


def test_only_what_both_judged_is_compared(lives, rhea):
    say(lives, "retrieved", "SSSN")
    say(lives, "gold passages", "S?SN", retrieval="gold")
    (row,) = taken(rhea, lives)
    # Without the second fact both find the one error that is left.
    assert (row["f1_units"], float(row["f1_change"])) == ("3", 0)


def test_runs_that_differ_at_two_stages_are_not_held_against_each_other(lives, rhea):
    say(lives, "one", "SSSN")
    say(lives, "other", "SNSN", retrieval="gold", samples="3")
    assert taken(rhea, lives) == []
    assert "No two finished runs differ at exactly one stage" in read(rhea, lives)


def test_what_is_missing_is_named_with_its_command_and_a_link(lives, rhea, model):
    generate(lives, "end to end", supported=4, of=5)
    text = read(rhea, lives)
    assert "evaluate lives factscore-retrieve --model amber --name" in text
    assert "--param retrieval=gold" in text
    link = re.search(r'href="(/datasets/\d+/runs/new/\?[^"]*retrieval=gold[^"]*)"', text)[1].replace("&amp;", "&")
    form = rhea.get(link).content.decode()
    assert re.search(r'<option value="gold" selected>', form)
    assert re.search(r'name="model"[^>]*value="amber"|value="amber"[^>]*name="model"', form)


def test_a_chain_goes_from_the_whole_pipeline_to_its_judge(lives, rhea):
    generate(lives, "end to end", supported=4, of=5)
    say(lives, "given facts", "SSSN")
    say(lives, "gold passages", "SNSS", retrieval="gold")
    text = read(rhea, lives)
    steps = re.findall(r'<th scope="row">([^<]+)<small class="quiet"><a href="/runs/\d+/">([^<]+)</a>', text)
    assert steps == [
        ("As it is", "end to end"),
        ("With labelled facts", "given facts"),
        ("With cited passages", "gold passages"),
    ]
    # What is left: one of two errors is still missed, F1 2/3.
    assert "Remaining error 0.333" in text


def test_another_judge_is_a_stage_too(lives, rhea):
    say(lives, "one", "SSSN")
    say(lives, "three samples", "SNSN", samples="3")
    (row,) = taken(rhea, lives, "&stage=judge")
    assert row["stage"] == "judge"
    assert taken(rhea, lives, "&stage=facts") == []
    assert "samples: 1 → 3" in read(rhea, lives)


def test_evaluators_of_unknown_stages_are_named_as_left_out(lives, rhea):
    say(lives, "one", "SSSN")
    elsewhere = Evaluator.objects.create(name="from elsewhere", method="imported")
    Run.objects.create(evaluator=elsewhere, dataset=lives, state="finished")
    assert "Not shown, unknown stages: from elsewhere" in read(rhea, lives)


def test_the_chart_comes_in_words_and_as_data(lives, rhea):
    say(lives, "retrieved", "SSSN")
    say(lives, "gold passages", "SNSN", retrieval="gold")
    assert "retrieved → gold passages +0.333" in read(rhea, lives)
    data = rhea.get(reverse("stages-chart", args=[lives.pk, "error-rate", "csv"])).content.decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(data))
    assert float(row["gain"]) == pytest.approx(0.25)


def test_segments_and_claims_are_stages_of_felm(rhea):
    dataset = make_dataset()
    for letter in "NS":
        add_gold(make_response(dataset, ["One."], index=letter).segments.get(), VALUES[letter])
    for name, method, letters in (("claims", "felm-claim", "SN"), ("segments", "felm-segment", "NN")):
        run = Run.objects.create(evaluator=evaluator(name, method), dataset=dataset, state="finished")
        for response, letter in zip(dataset.responses.order_by("position"), letters, strict=True):
            Prediction.objects.create(run=run, segment=response.segments.get(), value=VALUES[letter])
    client = Client()
    client.force_login(make_person("rho", dataset, "researcher"))
    (row,) = taken(client, dataset)
    assert (row["stage"], row["before"], row["after"]) == ("facts", "claims", "segments")
    assert float(row["f1_change"]) == pytest.approx(2 / 3)
    assert "Error rate" not in read(client, dataset).split("Definitions")[0]


def test_without_such_runs_the_page_says_what_to_do(lives, rhea):
    assert "No runs with known stages yet" in read(rhea, lives)


def test_names_are_escaped(lives, rhea):
    say(lives, "<script>alert('x')</script>", "SSSN")
    assert "<script>alert" not in read(rhea, lives)


def test_the_tick_of_calling_everything_an_error_is_over_the_runs_own_units(lives):
    """Gold has two errors of four facts: F1 2/3 over all. Without the last fact it has one of three: 2/4."""
    say(lives, "retrieved", "SNS?")
    study = study_of(lives, None)
    judges = [judge for judge in study.judges if judge.name == "retrieved"]

    assert Measures(study).quality(judges)["retrieved"].all_errors_f1 == pytest.approx(1 / 2)


def test_names_of_figures_link_to_their_definitions(lives, rhea):
    say(lives, "retrieved", "SSSN")
    say(lives, "gold passages", "SNSN", retrieval="gold")
    check_figure_names(read(rhea, lives))
