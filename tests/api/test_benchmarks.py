"""Benchmarks and scorings by the API."""

import json
from io import BytesIO, StringIO

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Dataset, Role
from factor.models import Benchmark, CompletionScore, ScoredModel, Scoring, ScoringItem
from factor.validation.exclude import exclude
from llm.models import Endpoint
from tests.api.conftest import ApiClient, client_of
from tests.factor.csv_format.files import BEES, HEADER
from tests.factor.scoring.work import make_benchmark, served
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    return make_dataset()


@pytest.fixture
def benchmark(lab: Dataset) -> Benchmark:
    return make_benchmark(lab, [("Bees fly.", ("Ants walk.", "Ants swim.")), ("Flies fly.", ("Bugs crawl.", "Bugs."))])


@pytest.fixture
def rhea(lab: Dataset, benchmark: Benchmark) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER))


def test_benchmarks_are_listed_with_their_sizes(lab: Dataset, rhea: ApiClient, benchmark: Benchmark) -> None:
    (found,) = rhea.get(f"datasets/{lab.pk}/benchmarks/").json()["results"]
    assert {name: found[name] for name in ("id", "name", "examples", "false_completions", "scorings", "source")} == {
        "id": benchmark.pk,
        "name": "insects",
        "examples": 2,
        "false_completions": 2,
        "scorings": 0,
        "source": None,
    }
    assert rhea.get(f"benchmarks/{benchmark.pk}/").json() == found


def test_a_file_becomes_a_benchmark_and_comes_back(lab: Dataset, rhea: ApiClient) -> None:
    dora = client_of(make_person("dora", lab, Role.ADJUDICATOR))
    file, address = f"{HEADER}\n{BEES}\n".encode(), f"datasets/{lab.pk}/benchmarks/"
    sent = dora.upload(address, file, "bees.csv", name="bees")
    made = lab.benchmarks.get(name="bees")
    assert (sent.status_code, sent["Location"]) == (201, f"/api/v1/benchmarks/{made.pk}/")
    counts = {"created": 1, "unchanged": 0, "unlike": 0, "linked": 0}
    assert sent.json() == {"id": made.pk, "name": "bees", **counts}
    assert made.created_by.username == "dora"
    assert b"".join(rhea.get(f"benchmarks/{made.pk}/file/")) == file
    again = dora.upload(address, file, "bees.csv", name="bees")
    assert (again.json()["id"], again.json()["unchanged"]) == (made.pk, 1)
    other = dora.upload(address, file.replace(b"ees", b"ugs"), "bees.csv", name="bees")
    assert (other.status_code, "which already exists" in other.json()["detail"]) == (422, True)
    assert rhea.upload(address, file, "bees.csv", name="more").status_code == 403
    assert dora.upload(address, b"x", "bees.csv", name="more").status_code == 422
    assert lab.benchmarks.filter(name="more").count() == 0


def test_examples_come_in_pages_and_are_narrowed(rhea: ApiClient, benchmark: Benchmark) -> None:
    first = benchmark.examples.get(position=0)
    exclude(first, make_person("dora"), "It is true after all.")
    page = rhea.get(f"benchmarks/{benchmark.pk}/examples/?page_size=1").json()
    (found,) = page["results"]
    assert (found["prefix"], found["excluded"]) == ("Bees fly.", True)
    assert [each["text"] for each in found["completions"]] == ["Ants walk.", "Ants swim."]
    (other,) = rhea.get(page["next"].removeprefix("http://testserver")).json()["results"]
    assert (other["position"], other["excluded"]) == (1, False)
    narrowed = rhea.get(f"benchmarks/{benchmark.pk}/examples/?words=crawl&fields=position").json()
    assert narrowed["results"] == [{"position": 1}]


def test_the_queries_of_examples_do_not_grow(rhea: ApiClient, benchmark: Benchmark) -> None:
    rhea.get("methods/")
    counts = []
    for size in (1, 2):
        with CaptureQueriesContext(connection) as queries:
            rhea.get(f"benchmarks/{benchmark.pk}/examples/?page_size={size}")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_scoring_is_started_stopped_and_resumed(lab: Dataset, rhea: ApiClient, benchmark: Benchmark) -> None:
    served(lab)
    address = f"benchmarks/{benchmark.pk}/scorings/"
    answer = rhea.post(address, {"model": "mimi", "context_length": 64, "limit": 1, "max_tokens_total": 900})
    scoring = Scoring.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/scorings/{scoring.pk}/")
    assert (scoring.context_length, scoring.max_tokens, scoring.created_by.username) == (64, 900, "rhea")
    found = rhea.get(answer["Location"]).json()
    assert (found["model"], found["state"], found["examples"], found["scored"]) == ("mimi", "scoring", 1, 0)
    assert rhea.post(f"scorings/{scoring.pk}/stop/").json()["state"] == "stopped"
    resumed = rhea.post(f"scorings/{scoring.pk}/resume/", {"max_tokens_total": 1000})
    assert (resumed.status_code, resumed.json()["state"], resumed.json()["max_tokens_total"]) == (202, "scoring", 1000)
    (listed,) = rhea.get(address).json()["results"]
    assert (listed["id"], listed["examples"], listed["settled"]) == (scoring.pk, 1, 0)


@pytest.mark.parametrize(
    ("sent", "cause"),
    [
        ({"model": "nobody"}, "no scored model 'nobody'"),
        ({"model": "mimi", "source": "nowhere"}, "no knowledge source 'nowhere'"),
        ({"model": "mimi", "context_length": 3}, "The context has 16"),
        ({"model": "mimi", "max_cost": 1}, "The price of mimi is unknown"),
    ],
)
def test_a_scoring_that_cannot_be_says_why(
    lab: Dataset, rhea: ApiClient, benchmark: Benchmark, sent: dict[str, object], cause: str
) -> None:
    served(lab)
    answer = rhea.post(f"benchmarks/{benchmark.pk}/scorings/", sent)
    assert (answer.status_code, cause in answer.json()["detail"]) == (422, True)
    assert not Scoring.objects.exists()


def test_results_are_the_document_of_the_command(lab: Dataset, rhea: ApiClient, benchmark: Benchmark) -> None:
    scoring = benchmark.scorings.create(model=served(lab), state="finished")
    for example in benchmark.examples.all():
        ScoringItem.objects.create(scoring=scoring, example=example, state="done")
        for completion in example.completions.all():
            CompletionScore.objects.create(
                scoring=scoring, completion=completion, tokens=[[0, 4, -1.0 - completion.place]], total=-1.0, count=1
            )
    output = StringIO()
    call_command("factor_report", "lab", "insects", "--rule", "sum", "--json", stdout=output)
    found = rhea.get(f"benchmarks/{benchmark.pk}/results/?rule=sum&scoring={scoring.pk}").json()
    assert found == json.loads(output.getvalue())
    assert found["scorings"][0]["scoring"] == scoring.pk
    answer = rhea.get(f"benchmarks/{benchmark.pk}/results/?scoring={scoring.pk + 1}")
    assert (answer.status_code, answer.json()["detail"]) == (422, f"'insects' has no scoring {scoring.pk + 1}")


def test_scores_are_read_in_pages_and_whole(lab: Dataset, rhea: ApiClient, benchmark: Benchmark) -> None:
    scoring = benchmark.scorings.create(model=served(lab), state="finished")
    first, second = benchmark.examples.get(position=0).completions.order_by("place")
    scored = scoring.scores.create(
        completion=first, tokens=[[0, 4, -1.5], [4, 11, -0.5]], total=-2.0, count=2, prefix_tokens=3
    )
    failed = scoring.scores.create(completion=second, error="The text is too long.")
    expected = [
        {
            "id": scored.pk,
            "example": 0,
            "place": 0,
            "text": "Ants walk.",
            "total": -2.0,
            "count": 2,
            "prefix_tokens": 3,
            "tokens": [{"start": 0, "end": 4, "logprob": -1.5}, {"start": 4, "end": 11, "logprob": -0.5}],
            "error": "",
        },
        {
            "id": failed.pk,
            "example": 0,
            "place": 1,
            "text": "Ants swim.",
            "total": None,
            "count": 0,
            "prefix_tokens": 0,
            "tokens": [],
            "error": "The text is too long.",
        },
    ]
    address = f"scorings/{scoring.pk}/scores/"
    assert rhea.get(address).json()["results"] == expected
    lines = b"".join(rhea.get(f"{address}?format=jsonl")).decode().splitlines()
    assert [json.loads(line) for line in lines] == expected
    table = b"".join(rhea.get(f"{address}?format=parquet&fields=text,tokens"))
    named = [{name: row[name] for name in ("text", "tokens")} for row in expected]
    assert pq.read_table(BytesIO(table)).to_pylist() == named


def test_a_language_model_is_added_and_listed(lab: Dataset, rhea: ApiClient) -> None:
    endpoint = Endpoint.objects.create(name="e", base_url="https://models.example/v1", shared=True)
    sent = {"name": "tiny", "parameters": 7, "reached_by": "endpoint", "endpoint": endpoint.pk, "reached_as": "tiny-1"}
    address = f"datasets/{lab.pk}/scored-models/"
    made = rhea.post(address, sent)
    assert (made.status_code, made.json() | sent) == (201, made.json())
    assert rhea.get(address).json()["results"] == [made.json()]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"name": "known"}, "/name"),
        ({"endpoint": None}, "/endpoint"),
        ({"reached_by": "elsewhere"}, "/reached_by"),
        ({"parameters": -1}, "/parameters"),
    ],
)
def test_a_language_model_at_fault_is_refused_by_its_field(
    lab: Dataset, rhea: ApiClient, change: dict[str, object], pointer: str
) -> None:
    ScoredModel.objects.create(dataset=lab, name="known", reached_by="transformers", reached_as="known")
    endpoint = Endpoint.objects.create(name="e", base_url="https://models.example/v1", shared=True)
    sent = {"name": "tiny", "reached_by": "endpoint", "endpoint": endpoint.pk, "reached_as": "tiny-1", **change}
    answer = rhea.post(f"datasets/{lab.pk}/scored-models/", sent)
    assert (answer.status_code, [each["pointer"] for each in answer.json()["errors"]]) == (422, [pointer])
    assert not ScoredModel.objects.filter(name="tiny").exists()


def test_an_endpoint_of_others_is_as_if_not_there(lab: Dataset, rhea: ApiClient) -> None:
    endpoint = Endpoint.objects.create(name="theirs", base_url="https://models.example/v1")
    sent = {"name": "tiny", "reached_by": "endpoint", "endpoint": endpoint.pk, "reached_as": "tiny-1"}
    assert rhea.post(f"datasets/{lab.pk}/scored-models/", sent).status_code == 422
