"""Methods, endpoints, evaluators, runs and their predictions by the API."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Dataset, Role
from evaluators.methods import METHODS
from evaluators.models import Run, RunItem
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on, work_to_the_end
from llm.batch_api.request_batch_job import RequestBatchJob
from llm.models import Call, Endpoint, RequestBatch
from tests.api.conftest import ApiClient, client_of
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    """Two responses of two segments."""
    dataset = make_dataset()
    make_response(dataset)
    make_response(dataset)
    return dataset


@pytest.fixture
def rhea(lab: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER))


def finished(dataset: Dataset, method: str, **options: Any) -> Run:
    run = create_run(dataset, method, **options).run
    work_to_the_end(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def test_methods_are_listed_with_their_parameters(rhea: ApiClient) -> None:
    methods = {each["name"]: each for each in rhea.get("methods/").json()}
    assert set(methods) == set(METHODS)
    assert methods["random"]["parameters"]["seed"]["default"] == 20231
    assert methods["felm-segment"]["needs_model"]
    assert [name for name in ("felm-segment", "safe") if methods[name]["needs_search"]] == ["safe"]


def test_endpoints_are_listed_without_a_key(lab: Dataset, rhea: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_KEY_LAB", "sk-hidden")
    base_url = "https://models.example/v1"
    shared = Endpoint.objects.create(name="e", base_url=base_url, key_variable="TOUCHSTONE_KEY_LAB", shared=True)
    shared.prices.create(model="tiny", prompt_usd="0.5", completion_usd="1.5")
    Endpoint.objects.create(name="of others", base_url="https://others.example/v1")
    price = {"model": "tiny", "prompt_usd": 0.5, "cached_usd": None, "completion_usd": 1.5, "search_usd": None}
    answer = rhea.get(f"datasets/{lab.pk}/endpoints/")
    assert answer.json()["results"] == [
        {
            "id": shared.pk,
            "name": "e",
            "base_url": base_url,
            "provider": "",
            "has_key": True,
            "shared": True,
            "prices": [{**price, "as_of": None}],
        }
    ]
    assert b"sk-hidden" not in answer.content
    assert b"TOUCHSTONE_KEY_LAB" not in answer.content


def test_search_engines_are_listed_in_pages_without_a_key(
    lab: Dataset, rhea: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOUCHSTONE_KEY_SEARCH", "sk-hidden")
    engine = Endpoint.objects.create(
        name="lab search",
        base_url="https://search.example/search",
        key_variable="TOUCHSTONE_KEY_SEARCH",
        search_engine="serper",
        search_usd="0.001",
        requests_per_minute=60,
        shared=True,
    )
    Endpoint.objects.create(name="searx", base_url="https://searx.example/search", search_engine="searxng", shared=True)
    Endpoint.objects.create(name="of others", base_url="https://others.example/search", search_engine="serper")
    Endpoint.objects.create(name="models", base_url="https://models.example/v1", shared=True)

    first = rhea.get(f"datasets/{lab.pk}/search-engines/?page_size=1")
    second = rhea.get(first.json()["next"].removeprefix("http://testserver")).json()

    assert first.json()["results"] == [
        {
            "id": engine.pk,
            "name": "lab search",
            "protocol": "serper",
            "address": "https://search.example/search",
            "has_key": True,
            "shared": True,
            "search_usd": 0.001,
            "requests_per_minute": 60,
            "max_in_flight": engine.max_in_flight,
        }
    ]
    assert ([each["name"] for each in second["results"]], second["next"]) == (["searx"], None)
    assert second["results"][0]["search_usd"] is None
    assert b"sk-hidden" not in first.content
    assert b"TOUCHSTONE_KEY_SEARCH" not in first.content


def test_evaluators_of_other_datasets_are_not_listed(lab: Dataset, rhea: ApiClient) -> None:
    other = make_dataset("other")
    make_response(other)
    create_run(other, "always-supported")
    create_run(lab, "random", parameters={"seed": "3"}, name="draw")
    (evaluator,) = rhea.get(f"datasets/{lab.pk}/evaluators/").json()["results"]
    assert (evaluator["name"], evaluator["method"], evaluator["runs"]) == ("draw", "random", 1)
    assert evaluator["parameters"] == {"seed": 3}


def test_runs_are_narrowed_by_state_and_evaluator(lab: Dataset, rhea: ApiClient) -> None:
    finished(lab, "always-supported")
    waiting = create_run(lab, "random").run
    address = f"datasets/{lab.pk}/runs/"
    assert [each["evaluator"] for each in rhea.get(address).json()["results"]] == ["always-supported", "random"]
    (queued,) = rhea.get(address + "?state=queued").json()["results"]
    assert (queued["id"], queued["state"], queued["responses"], queued["done"]) == (waiting.pk, "queued", 2, 0)
    (by_name,) = rhea.get(address + "?evaluator=supp").json()["results"]
    assert (by_name["state"], by_name["done"]) == ("finished", 2)
    refused = rhea.get(address + "?state=asleep")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/state")


def test_the_queries_of_the_list_of_runs_do_not_grow(lab: Dataset, rhea: ApiClient) -> None:
    rhea.get("methods/")  # notes the use of the token, once a minute
    assert queries_of_runs(lab, rhea, 1) == queries_of_runs(lab, rhea, 5)


def queries_of_runs(lab: Dataset, rhea: ApiClient, more: int) -> int:
    for _ in range(more):
        create_run(lab, "random", force=True)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert rhea.get(f"datasets/{lab.pk}/runs/").status_code == 200
    return len(queries)


def test_a_run_is_queued_and_followed(lab: Dataset, rhea: ApiClient) -> None:
    answer = rhea.post(
        f"datasets/{lab.pk}/runs/", {"method": "random", "parameters": {"seed": 3}, "name": "draw", "limit": 1}
    )
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/runs/{run.pk}/")
    assert (answer.json()["state"], answer.json()["progress"]["responses"]) == ("queued", 1)
    assert (run.created_by.username, run.evaluator.name, run.evaluator.parameters) == ("rhea", "draw", {"seed": 3})
    work_to_the_end(RunJob(), run.pk)
    found = rhea.get(answer["Location"]).json()
    assert (found["state"], found["progress"]["predicted"]) == ("finished", 2)
    assert (found["spent"]["tokens"], found["spent"]["cost_usd"], found["failures"]) == (0, 0.0, [])
    assert rhea.get(found["manifest"]).json()["parameters"] == {"seed": 3}


def test_a_price_known_in_part_is_given_with_the_parts_that_are_not(lab: Dataset, rhea: ApiClient) -> None:
    rhea.post(f"datasets/{lab.pk}/runs/", {"method": "random", "limit": 1})
    run = Run.objects.get()
    endpoint = Endpoint.objects.create(name="here", base_url="http://here.example/v1")
    call = Call.objects.create(
        endpoint=endpoint, request_hash="a" * 64, request={}, seconds=1, known_usd="0.25", unpriced="cached prompts"
    )
    run.items.get().calls.add(call)

    spent = rhea.get(f"runs/{run.pk}/").json()["spent"]

    assert (spent["cost_usd"], spent["known_usd"], spent["unpriced"]) == (None, 0.25, ["cached prompts"])


def test_the_same_run_is_not_made_twice_unless_forced(lab: Dataset, rhea: ApiClient) -> None:
    address = f"datasets/{lab.pk}/runs/"
    first = rhea.post(address, {"method": "random"})
    again = rhea.post(address, {"method": "random"})
    assert (first.status_code, again.status_code, again["Location"]) == (201, 200, first["Location"])
    assert rhea.post(address, {"method": "random", "force": True}).status_code == 201


@pytest.mark.parametrize(
    ("sent", "cause"),
    [
        ({"method": "crystal ball"}, "There is no method 'crystal ball'"),
        ({"method": "random", "parameters": {"seed": "x"}}, "seed is 'x'"),
        ({"method": "random", "parameters": {"luck": 1}}, "has no parameter 'luck'"),
        ({"method": "felm-segment"}, "felm-segment needs a model."),
        ({"method": "felm-segment", "model": "m", "parameters": {"endpoint": "e"}}, "There is no endpoint named 'e'"),
        ({"method": "factscore-retrieve"}, "does not judge datasets of the felm scheme"),
    ],
)
def test_a_run_that_cannot_be_says_why(lab: Dataset, rhea: ApiClient, sent: dict[str, Any], cause: str) -> None:
    for address in (f"datasets/{lab.pk}/runs/", f"datasets/{lab.pk}/runs/estimate/"):
        answer = rhea.post(address, sent)
        assert (answer.status_code, cause in answer.json()["detail"]) == (422, True)
    assert not Run.objects.exists()


def test_an_estimate_stores_nothing(lab: Dataset, rhea: ApiClient) -> None:
    answer = rhea.post(f"datasets/{lab.pk}/runs/estimate/", {"method": "random", "limit": 1})
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "responses": 1,
            "sampled": 0,
            "known": 0,
            "calls": 0,
            "prompt_tokens": 0,
            "completion_tokens": 0,
            "cost_usd": 0.0,
            "likely_tokens": 0,
            "likely_usd": 0.0,
            "measured": 0,
            "searches": 0,
            "known_usd": 0.0,
            "unpriced": [],
        },
    )
    assert not Run.objects.exists()


def test_a_run_is_stopped_and_resumed(lab: Dataset, rhea: ApiClient) -> None:
    run = create_run(lab, "random").run
    stopped = rhea.post(f"runs/{run.pk}/stop/")
    assert (stopped.status_code, stopped.json()["state"]) == (200, "cancelled")
    resumed = rhea.post(f"runs/{run.pk}/resume/", {"max_tokens_total": 500})
    assert (resumed.status_code, resumed.json()["state"]) == (202, "queued")
    assert resumed.json()["spent"]["max_tokens_total"] == 500
    work_to_the_end(RunJob(), run.pk)
    assert rhea.post(f"runs/{run.pk}/resume/").status_code == 200


def test_a_budget_that_is_spent_is_not_resumed_under(lab: Dataset, rhea: ApiClient) -> None:
    run = create_run(lab, "random").run
    Run.objects.filter(pk=run.pk).update(state="out_of_budget", spent_tokens=90)
    answer = rhea.post(f"runs/{run.pk}/resume/", {"max_tokens_total": 50})
    assert answer.status_code == 422
    assert "spent 90 tokens" in answer.json()["detail"]


def test_failures_are_counted_by_their_reason(lab: Dataset, rhea: ApiClient) -> None:
    run = create_run(lab, "random").run
    RunItem.objects.filter(run=run).update(state="failed", error="No answer.")
    found = rhea.get(f"runs/{run.pk}/").json()
    assert (found["failures"], found["progress"]["failed"]) == ([{"reason": "No answer.", "responses": 2}], 2)


def test_a_token_without_the_scope_starts_no_run(lab: Dataset) -> None:
    reader = client_of(make_person("rhea", lab, Role.RESEARCHER), "read", "manage")
    answer = reader.post(f"datasets/{lab.pk}/runs/", {"method": "random"})
    assert (answer.status_code, Run.objects.count()) == (403, 0)


def test_a_runs_predictions_come_in_pages_and_are_narrowed(lab: Dataset, rhea: ApiClient) -> None:
    run = finished(lab, "always-not-supported")
    segment = lab.responses.get(index="1").segments.get(position=1)
    add_gold(segment, "supported")
    first = rhea.get(f"runs/{run.pk}/predictions/?page_size=3").json()
    second = rhea.get(first["next"].removeprefix("http://testserver")).json()
    rows = first["results"] + second["results"]
    assert [(row["index"], row["segment"], row["fact"]) for row in rows] == [
        ("0", 0, None),
        ("0", 1, None),
        ("1", 0, None),
        ("1", 1, None),
    ]
    assert {row["value"] for row in rows} == {"not_supported"}
    against = rhea.get(f"runs/{run.pk}/predictions/?show=disagreeing&fields=index,segment").json()["results"]
    assert against == [{"index": "1", "segment": 1}]


# What people do with a run


def test_a_run_is_renamed_tagged_noted_and_archived(lab, rhea):
    run = finished(lab, "random", name="coin")
    change = {"name": "toss", "tags": ["paper", "late"], "note": "Odd.", "archived": True}
    answer = rhea.patch(f"runs/{run.pk}/", change)
    assert answer.status_code == 200
    row = answer.json()
    assert (row["evaluator"], row["tags"], row["note"]) == ("toss", ["late", "paper"], "Odd.")
    assert row["archived_at"] is not None
    listed = rhea.get(f"datasets/{lab.pk}/runs/?archived=true&tag=late").json()["results"]
    assert [(each["evaluator"], each["tags"]) for each in listed] == [("toss", ["late", "paper"])]
    assert rhea.get(f"datasets/{lab.pk}/runs/?archived=false").json()["results"] == []
    assert rhea.patch(f"runs/{run.pk}/", {"archived": False}).json()["archived_at"] is None


def test_a_change_that_cannot_be_is_refused_whole(lab, rhea):
    run = finished(lab, "random", name="coin")
    finished(lab, "always-supported", name="yes")
    assert rhea.patch(f"runs/{run.pk}/", {"note": "Odd.", "name": "yes"}).status_code == 422
    assert rhea.patch(f"runs/{run.pk}/", {"note": "Odd.", "tags": ["x" * 41]}).status_code == 422
    run.refresh_from_db()
    assert (run.note, run.tags.count()) == ("", 0)


def test_a_run_is_deleted(lab, rhea):
    run = finished(lab, "random")
    assert rhea.delete(f"runs/{run.pk}/").status_code == 204
    assert not Run.objects.exists()
    assert rhea.get(f"runs/{run.pk}/").status_code == 404


def test_two_runs_are_laid_side_by_side(lab, rhea):
    """Gold: the first segment of each response is an error. One calls all supported, the other nothing."""
    for response in lab.responses.all():
        first, second = response.segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    yes, no = finished(lab, "always-supported"), finished(lab, "always-not-supported")
    no.predictions.update(rationale="No.")
    answer = rhea.get(f"runs/{yes.pk}/diff/?other={no.pk}&show=other&limit=1")
    assert answer.status_code == 200
    diff = answer.json()
    assert diff["counts"] == {"one": 2, "other": 2, "differ": 4, "wrong": 0, "right": 0}
    assert (diff["n"], diff["matching"], len(diff["units"])) == (4, 2, 1)
    (unit,) = diff["units"]
    assert [unit[name] for name in ("index", "gold", "one", "other")] == [
        "0",
        "not_supported",
        "supported",
        "not_supported",
    ]
    assert unit["parts"][0]["other"]["rationale"] == "No."
    assert {"name": "method", "one": "always-supported", "other": "always-not-supported"} in diff["differing"]
    assert rhea.get(f"runs/{yes.pk}/diff/?other=99999").status_code == 422
    assert rhea.get(f"runs/{yes.pk}/diff/?other=random&level=word").status_code == 422


def test_a_run_through_the_batch_api_says_what_it_waits_for(lab: Dataset, rhea: ApiClient, model: FakeOpenAI) -> None:
    model.control(batches="running")
    sent = {"method": "felm-segment", "model": "m", "batch_api": True}
    assert rhea.post(f"datasets/{lab.pk}/runs/estimate/", sent).json()["calls"] == 2
    run = rhea.post(f"datasets/{lab.pk}/runs/", sent).json()
    work_on(RunJob(), run["id"])
    assert rhea.get(f"runs/{run['id']}/").json()["notice"] == "1 request on the way to the Batch API."
    for batch in RequestBatch.objects.all():
        work_on(RequestBatchJob(), batch.pk)
    now = rhea.get(f"runs/{run['id']}/").json()
    assert (now["state"], now["notice"][-12:]) == ("running", "UTC, 0 done.")
