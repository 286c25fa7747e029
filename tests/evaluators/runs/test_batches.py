"""One method with several models, or several methods with one model, as one batch with one budget."""

import json
import re
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import Dataset, Role
from evaluators.models import Evaluator, Run, RunBatch, RunItem
from evaluators.runs.batches import create_batch, pairs_of, resume_batch, runs_of, stop_batch
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.budget import Room, RowBudget, Spending
from jobs.errors import StartError
from jobs.limits import Limits
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Endpoint, Price
from tests.api.conftest import client_of as api_client_of
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

BASELINES = ["always-supported", "random"]


@pytest.fixture
def rhea(lab: Dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    return client


def names(batch):
    return [run.evaluator.name for run in runs_of(batch)]


def usd(amount):
    return Spending(1, Decimal(amount))


# The runs of a batch


def test_one_method_runs_with_each_model_and_several_methods_with_one(lab, model):
    by_model = create_batch(lab, ["felm-segment"], ["m", "n", "m", " "], created_by=None)
    assert names(by_model.batch) == ["felm-segment · m", "felm-segment · n"]
    assert by_model.batch.name == "felm-segment · 2 models"
    by_method = create_batch(lab, ["felm-segment-cot", "felm-claim", "random"], ["m"])
    assert names(by_method.batch) == ["felm-claim · m", "felm-segment-cot · m", "random"]
    assert by_method.batch.name == "3 methods · m"
    assert {run.batch_id for run in by_method.begun} == {by_method.batch.pk}


@pytest.mark.parametrize(
    ("methods", "models", "sentence"),
    [
        (["felm-segment", "felm-claim"], ["m", "n"], "one method with several models"),
        (["felm-segment"], ["m"], "at least two"),
        (["random"], ["m", "n"], "at least two"),
        (["felm-segment", "random"], [], "felm-segment needs a model"),
        (["felm-segment", "nothing"], ["m"], "no method 'nothing'"),
        (["edit-no-context", "random"], ["m"], "edit-no-context is an editor"),
        (["felm-segment"], [f"m{number}" for number in range(51)], "at most 50 runs"),
    ],
)
def test_what_is_no_batch_is_said_to_be_none(db, methods, models, sentence):
    with pytest.raises(RunError, match=sentence):
        pairs_of(methods, models)


def test_of_a_batch_that_cannot_be_nothing_is_made(lab, model):
    with pytest.raises(StartError, match="no parameter 'passages'"):
        create_batch(lab, ["random", "felm-segment"], ["m"], parameters={"passages": "3"})
    with pytest.raises(StartError, match="What n costs is not known"):
        Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1, completion_usd=1)
        create_batch(lab, ["felm-segment"], ["m", "n"], limits=Limits(None, Decimal(1)))
    assert not Run.objects.exists()
    assert not RunBatch.objects.exists()
    assert not Evaluator.objects.exists()


def test_a_run_that_is_there_is_compared_with_the_others_and_pays_for_itself(lab):
    there = create_run(lab, "random").run
    new = create_batch(lab, BASELINES, [])
    assert [len(new.begun), list(new.known)] == [1, [there]]
    assert names(new.batch) == ["always-supported", "random"]
    there.refresh_from_db()
    assert there.batch is None


def test_an_evaluator_with_other_parameters_keeps_its_name(lab, model):
    create_run(lab, "felm-segment", model="m", parameters={"temperature": "0.5"})
    new = create_batch(lab, ["felm-segment"], ["m", "n"], name="second")
    assert names(new.batch) == ["felm-segment · m (second)", "felm-segment · n"]


# The search engine


@pytest.fixture
def engine(db):
    return Endpoint.objects.create(
        name="lab search", base_url="http://127.0.0.1:9/searxng", search_engine="searxng", shared=True
    )


def searched(batch):
    """By the method what its run searches; None of one that does not search."""
    return {run.evaluator.method: run.evaluator.parameters.get("search") for run in batch.runs.all()}


SEARCHING = {"safe": "lab search", "factool": "lab search", "felm-segment": None, "random": None}


def test_the_search_engine_is_that_of_the_methods_that_search(lab, model, engine):
    new = create_batch(lab, list(SEARCHING), ["m"], parameters={"samples": "3"}, search="lab search")
    assert searched(new.batch) == SEARCHING
    assert {run.evaluator.parameters.get("samples") for run in new.begun} == {3, None}


def test_a_batch_that_searches_names_its_engine_and_no_other_does(lab, model, engine):
    with pytest.raises(RunError, match=r"safe needs a search engine: .* lab can use lab search"):
        create_batch(lab, ["safe", "random"], ["m"])
    with pytest.raises(RunError, match="None of the methods searches the web"):
        create_batch(lab, BASELINES, [], search="lab search")
    assert not RunBatch.objects.exists()


def test_the_form_begins_with_the_first_engine_and_gives_it_to_who_searches(lab, rhea, model, engine):
    page = squeezed(rhea.get(reverse("batch-new", args=[lab.pk])).text)
    assert '<option value="lab search" selected>lab search</option>' in page
    sent = {"models": "m", "methods": list(SEARCHING), "parameter-search": "lab search"}
    assert "4 runs" in rhea.get(reverse("batch-estimate", args=[lab.pk]), sent).text
    rhea.post(reverse("batch-new", args=[lab.pk]), sent)
    assert searched(RunBatch.objects.get()) == SEARCHING
    rhea.post(reverse("batch-new", args=[lab.pk]), sent | {"methods": ["always-supported", "lexical"]})
    assert searched(RunBatch.objects.latest("pk")) == {"always-supported": None, "lexical": None}


def test_the_form_says_where_the_engine_is_missing_or_unknown(lab, rhea, model, engine):
    sent = {"models": "m", "methods": ["safe", "random"], "parameter-search": ""}
    assert "safe needs a search engine" in rhea.post(reverse("batch-new", args=[lab.pk]), sent).text
    sent["parameter-search"] = "another"
    assert "Choose a search engine of this dataset." in rhea.post(reverse("batch-new", args=[lab.pk]), sent).text
    assert not RunBatch.objects.exists()


def test_the_command_takes_a_search_engine(lab, model, engine, capsys):
    many = {"methods": list(SEARCHING), "models": ["m"], "search": "lab search"}
    call_command("evaluate_many", "lab", **many, estimate=True)
    assert "4 runs" in capsys.readouterr().out
    call_command("evaluate_many", "lab", **many)
    assert searched(RunBatch.objects.get()) == SEARCHING


def test_the_api_takes_a_search_engine(lab, model, engine):
    otto = api_client_of(make_person("otto", lab, Role.RESEARCHER))
    sent = {"methods": list(SEARCHING), "models": ["m"], "search": "lab search"}
    assert otto.post(f"datasets/{lab.pk}/batches/", sent).status_code == 201
    assert searched(RunBatch.objects.get()) == SEARCHING
    refused = otto.post(f"datasets/{lab.pk}/batches/", sent | {"search": "another"})
    assert (refused.status_code, "another" in refused.json()["detail"]) == (422, True)


# The budget


def test_a_call_has_to_fit_under_the_budget_of_the_batch(lab, model):
    new = create_batch(lab, ["felm-segment"], ["m", "n"], limits=Limits(tokens=None, cost_usd=None))
    RunBatch.objects.update(max_cost_usd=Decimal(10))
    one, two = (RowBudget(run, f"owner {run.pk}", RunItem, run.shared_budgets()) for run in new.begun)
    assert one.hold([usd(6), usd(11)]) == [Room.HELD, Room.SPENT]
    one.settle([(usd(6), usd(6))])
    assert two.hold([usd(5)]) == [Room.SPENT]
    assert two.reached.startswith("The budget of the batch felm-segment · 2 models is spent")
    assert two.hold([usd(4)]) == [Room.HELD]
    new.batch.refresh_from_db()
    assert new.batch.spent_usd == 6


@pytest.mark.django_db(transaction=True)
def test_the_runs_keep_to_one_budget_and_go_on_when_it_is_raised(lab, model):
    for name in ("m", "n"):
        Price.objects.create(endpoint=default_endpoint(), model=name, prompt_usd=1000, completion_usd=1000)
    parameters = {"in_flight": "1", "max_tokens": "50"}
    new = create_batch(lab, ["felm-segment"], ["m", "n"], parameters=parameters, limits=Limits(None, Decimal("0.6")))
    for run in new.begun:
        work_on(RunJob(), run.pk)
        run.refresh_from_db()
    new.batch.refresh_from_db()
    assert 0 < new.batch.spent_usd <= Decimal("0.6")
    assert new.batch.spent_usd == sum(run.spent_usd for run in new.begun)
    assert new.begun[1].state == Run.State.OUT_OF_BUDGET
    assert "budget of the batch" in new.begun[1].error

    RunBatch.objects.update(max_cost_usd=new.batch.spent_usd)
    new.batch.refresh_from_db()
    with pytest.raises(StartError, match="The batch has spent"):
        resume_batch(new.batch)
    resumed = resume_batch(new.batch, Limits(None, Decimal(100)))
    assert resumed
    for run in resumed:
        work_on(RunJob(), run.pk)
    assert set(new.batch.runs.values_list("state", flat=True)) == {"finished"}


def test_stopping_a_batch_stops_its_own_runs_alone(lab):
    there = create_run(lab, "random").run
    new = create_batch(lab, BASELINES, [])
    assert stop_batch(new.batch) == 1
    assert set(new.batch.runs.values_list("state", flat=True)) == {"cancelled"}
    there.refresh_from_db()
    assert there.is_active
    assert stop_batch(new.batch) == 0


# Pages


def test_a_batch_is_started_followed_and_stopped_by_the_pages(lab, rhea, model):
    form = rhea.get(reverse("batch-new", args=[lab.pk])).text
    assert model.base_url in form
    sent = {
        "parameter-endpoint": "",
        "models": "m\nn\n",
        "methods": ["felm-segment"],
        "name": "two",
        "max_tokens_total": 9000,
    }
    answer = rhea.post(reverse("batch-new", args=[lab.pk]), sent)
    batch = RunBatch.objects.get()
    assert answer.url == reverse("batch", args=[batch.pk])
    assert (batch.name, batch.max_tokens, batch.created_by.username) == ("two", 9000, "rhea")

    page = squeezed(rhea.get(answer.url).text)
    assert "Runs finished</dt><dd>0 of 2" in page
    assert re.findall(r'<th scope="row"><a [^>]*>([^<]+)</a>', page) == ["felm-segment · m", "felm-segment · n"]
    assert 'hx-trigger="every 2s"' in page
    part = rhea.get(answer.url, headers={"HX-Request": "true"})
    assert "<html" not in part.text

    assert "2 runs cancelled" in rhea.post(reverse("batch-stop", args=[batch.pk]), follow=True).text
    assert rhea.get(answer.url, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "2 runs queued again" in rhea.post(reverse("batch-resume", args=[batch.pk]), {}, follow=True).text
    assert batch.runs.active().count() == 2


def test_a_form_that_is_no_batch_says_why(lab, rhea, model):
    sent = {"parameter-endpoint": "", "models": "m", "methods": ["felm-segment"]}
    answer = rhea.post(reverse("batch-new", args=[lab.pk]), sent)
    assert answer.status_code == 422
    assert "Choose at least two methods or two models" in answer.text
    assert not RunBatch.objects.exists()


def test_ticked_models_are_read_like_typed_ones(lab, rhea, model):
    rhea.post(reverse("batch-new", args=[lab.pk]), {"models": ["m", "n"], "methods": ["felm-segment"]})
    assert names(RunBatch.objects.get()) == ["felm-segment · m", "felm-segment · n"]


def test_the_estimate_is_of_each_run_and_of_all(lab, rhea, model):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1, completion_usd=1)
    query = "?methods=felm-segment&methods=felm-segment-cot&models=m"
    page = squeezed(rhea.get(reverse("batch-estimate", args=[lab.pk]) + query).text)
    assert "2 runs, about 6 calls" in page
    assert page.count("likely $") == 3
    assert model.stats()["total"] == 0


def test_the_page_asks_as_many_queries_for_many_runs_as_for_two(lab, rhea):
    def queries(batch):
        with CaptureQueriesContext(connection) as asked:
            rhea.get(reverse("batch", args=[batch.pk]))
        return len(asked)

    two = create_batch(lab, BASELINES, []).batch
    queries(two)
    few = queries(two)
    many = create_batch(lab, [*BASELINES, "always-not-supported", "lexical"], [], force=True).batch
    assert queries(many) == few


def test_batches_of_other_datasets_are_not_there(lab, rhea):
    other = make_dataset("other")
    make_response(other)
    batch = create_batch(other, BASELINES, []).batch
    assert rhea.get(reverse("batch", args=[batch.pk])).status_code == 404


# Commands and API


def test_the_commands_start_show_and_stop_a_batch(lab, capsys):
    call_command("evaluate_many", "lab", methods=BASELINES, wait=True, json=True)
    said = json.loads(capsys.readouterr().out)
    assert [each["state"] for each in said["runs"]] == ["finished", "finished"]
    call_command("evaluate_many", "lab", methods=BASELINES, force=True)
    stopped = RunBatch.objects.get(runs__state="queued", runs__evaluator__name="random")
    call_command("batch", str(stopped.pk), stop=True, json=True)
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [each["state"] for each in said["runs"]] == ["cancelled", "cancelled"]
    with pytest.raises(CommandError, match="goes with --resume"):
        call_command("batch", str(stopped.pk), max_cost=Decimal(1))
    with pytest.raises(CommandError, match="There is no batch 99"):
        call_command("batch", "99")
    with pytest.raises(CommandError, match="at least two"):
        call_command("evaluate_many", "lab", methods=["random"])


def test_the_command_estimates_without_making_anything(lab, model, capsys):
    call_command("evaluate_many", "lab", methods=["felm-segment"], models=["m", "n"], estimate=True)
    assert "2 runs, about 6 calls: at a price that is not known." in capsys.readouterr().out
    assert not RunBatch.objects.exists()


def test_the_api_starts_lists_stops_and_resumes_a_batch(lab, model):
    otto = api_client_of(make_person("otto", lab, Role.RESEARCHER))
    sent = {"methods": ["felm-segment"], "models": ["m", "n"], "max_tokens_total": 900, "parameters": {"samples": 1}}
    made = otto.post(f"datasets/{lab.pk}/batches/", sent)
    assert made.status_code == 201, made.content
    key = made.json()["batch"]["id"]
    assert [run["evaluator"] for run in made.json()["runs"]] == ["felm-segment · m", "felm-segment · n"]
    assert otto.get(f"datasets/{lab.pk}/batches/").json()["results"][0]["max_tokens_total"] == 900
    assert {run["state"] for run in otto.post(f"batches/{key}/stop/", {}).json()["runs"]} == {"cancelled"}
    resumed = otto.post(f"batches/{key}/resume/", {"max_tokens_total": 1000})
    assert (resumed.status_code, resumed.json()["batch"]["max_tokens_total"]) == (202, 1000)
    refused = otto.post(f"datasets/{lab.pk}/batches/", {"methods": ["felm-segment"], "models": ["m"]})
    assert (refused.status_code, "at least two" in refused.json()["detail"]) == (422, True)
