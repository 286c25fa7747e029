"""Predictions sent in, and read whole."""

import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from annotate.models import Dataset, Role
from evaluators.models import Evaluator, Prediction, Run
from tests.api.conftest import ROOT, ApiClient, client_of
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

JSON_LINES, CSV, PARQUET = "application/x-ndjson", "text/csv", "application/vnd.apache.parquet"
ROWS = [
    {"index": "0", "segment": 0, "value": "supported", "score": 0.9},
    {"index": "0", "segment": 1, "value": "not_supported", "score": None},
]


@pytest.fixture
def lab() -> Dataset:
    dataset = make_dataset()
    make_response(dataset)
    return dataset


@pytest.fixture
def rhea(lab: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER))


def lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def push(
    api: ApiClient, lab: Dataset, body: bytes, form: str = JSON_LINES, query: str = "evaluator=theirs", key: str = ""
) -> HttpResponse:
    headers = {"Authorization": f"Bearer {api.token}", **({"Idempotency-Key": key} if key else {})}
    address = f"{ROOT}datasets/{lab.pk}/predictions/?{query}"
    return api.client.generic("POST", address, body, content_type=form, headers=headers)


def as_csv() -> bytes:
    return b"index,segment,value,score\n0,0,supported,0.9\n0,1,not_supported,\n"


def as_parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), sink)
    return sink.getvalue()


@pytest.mark.parametrize(("make", "form"), [(lambda: lines(ROWS), JSON_LINES), (as_csv, CSV), (as_parquet, PARQUET)])
def test_a_body_becomes_a_run(lab: Dataset, rhea: ApiClient, make: Callable[[], bytes], form: str) -> None:
    answer = push(rhea, lab, make(), form)
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/runs/{run.pk}/")
    assert answer.json() == {
        "evaluator": "theirs",
        "run": run.pk,
        "created": 2,
        "unchanged": 0,
        "left_out": 0,
        "rows_left_out": [],
    }
    assert (run.state, run.evaluator.name) == ("finished", "theirs")
    stored = run.predictions.order_by("segment__position").values_list("value", "score")
    assert list(stored) == [("supported", 0.9), ("not_supported", None)]


def test_a_form_with_a_file_becomes_a_run(lab: Dataset, rhea: ApiClient) -> None:
    form = {"evaluator": "theirs", "file": SimpleUploadedFile("p.jsonl", lines(ROWS))}
    headers = {"Authorization": f"Bearer {rhea.token}"}
    answer = rhea.client.post(f"{ROOT}datasets/{lab.pk}/predictions/", form, headers=headers)
    assert (answer.status_code, answer.json()["created"]) == (201, 2)


def test_the_same_rows_again_add_nothing(lab: Dataset, rhea: ApiClient) -> None:
    push(rhea, lab, lines(ROWS[:1]))
    again = push(rhea, lab, lines(ROWS)).json()
    assert (again["created"], again["unchanged"], Prediction.objects.count()) == (1, 1, 2)


def test_one_row_that_does_not_align_stores_nothing_and_is_named(lab: Dataset, rhea: ApiClient) -> None:
    answer = push(rhea, lab, lines([*ROWS, {"index": "7", "segment": 0, "value": "supported"}]))
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert answer.json()["detail"] == "body.jsonl, line 3: segment 0 of response '7' is not in lab"
    assert not Evaluator.objects.exists()


def test_rows_that_align_are_stored_on_demand(lab: Dataset, rhea: ApiClient) -> None:
    rows = [{"index": "7", "segment": 0, "value": "supported"}, {"text": "Two is odd.", "value": "irrelevant"}]
    answer = push(rhea, lab, lines(rows), query="evaluator=theirs&partial=true")
    assert (answer.status_code, answer.json()["created"], answer.json()["left_out"]) == (201, 1, 1)
    assert answer.json()["rows_left_out"] == [{"line": 1, "detail": "segment 0 of response '7' is not in lab"}]
    assert Prediction.objects.get().segment.position == 1


def test_the_evaluator_is_required(lab: Dataset, rhea: ApiClient) -> None:
    answer = push(rhea, lab, lines(ROWS), query="")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/evaluator")


def test_an_evaluator_that_runs_here_takes_none(lab: Dataset, rhea: ApiClient) -> None:
    Evaluator.objects.create(name="theirs", method="lexical")
    answer = push(rhea, lab, lines(ROWS))
    assert (answer.status_code, Prediction.objects.count()) == (422, 0)
    assert "exists with another method" in answer.json()["detail"]


def test_a_body_under_a_key_is_taken_once(lab: Dataset, rhea: ApiClient) -> None:
    first, again = (push(rhea, lab, lines(ROWS), key="k") for _ in range(2))
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (201, 201, "true")
    assert again.json()["created"] == 2
    assert push(rhea, lab, lines(ROWS[:1]), key="k").status_code == 422


def test_a_body_may_be_as_large_as_an_upload(lab: Dataset, rhea: ApiClient) -> None:
    """And larger than a form."""
    row = ROWS[0] | {"rationale": "x" * 4_000_000}
    assert push(rhea, lab, lines([row, ROWS[1]]), key="k").status_code == 201


def test_a_larger_body_is_refused(lab: Dataset, rhea: ApiClient, settings: object) -> None:
    settings.UPLOAD_LIMIT_BYTES = 1  # type: ignore[attr-defined]
    answer = push(rhea, lab, lines(ROWS) + b" " * 1_100_000)
    assert (answer.status_code, Prediction.objects.count()) == (413, 0)


def test_a_run_is_read_whole_as_json_lines_and_parquet() -> None:
    bio = make_dataset("bio", scheme="factscore")
    response = make_response(bio, ["She wrote."], subject="m", prompt="Ada Lovelace")
    add_facts(response, [["She wrote.", "She lived."]])
    rhea = client_of(make_person("rhea", bio, Role.RESEARCHER))
    index = "m/Ada Lovelace"
    sent = [
        {"index": index, "segment": 0, "fact": 1, "value": "supported", "score": 0.25, "rationale": "Known."},
        {"index": index, "segment": 0, "fact": None, "value": None, "score": None, "rationale": ""},
    ]
    assert push(rhea, bio, lines(sent)).status_code == 201
    address = f"runs/{Run.objects.get().pk}/predictions/"
    expected = [
        {"id": stored.pk, **row, "fallback": ""}
        for stored, row in zip(Prediction.objects.order_by("pk"), sent, strict=True)
    ]
    as_lines = b"".join(rhea.get(address + "?format=jsonl").streaming_content).decode()
    assert [json.loads(line) for line in as_lines.splitlines()] == expected
    as_file = b"".join(rhea.get(address, accept=PARQUET).streaming_content)
    assert pq.read_table(io.BytesIO(as_file)).to_pylist() == expected
    assert rhea.get(address).json()["results"] == expected
    some = b"".join(rhea.get(address + "?format=jsonl&fields=index,value&show=unparsed").streaming_content)
    assert json.loads(some) == {"index": index, "value": None}


def eval_log(answer: list[str]) -> bytes:
    """Of the one sample "0" with two units."""
    units = [{"segment": place, "fact": None} for place in range(2)]
    sample = {"id": "0", "epoch": 1, "metadata": {"units": units}, "scores": {"judge": {"value": answer}}}
    usage = {"m": {"total_tokens": 70, "total_cost": 0.25}}
    return json.dumps({"eval": {"model": "m"}, "stats": {"model_usage": usage}, "samples": [sample]}).encode()


def test_an_eval_log_of_inspect_becomes_a_run_with_its_model_and_price(lab: Dataset, rhea: ApiClient) -> None:
    address = f"datasets/{lab.pk}/eval-logs/"
    meaning = {"value": ["C=supported", "I=not_supported"]}
    sent = rhea.upload(address, eval_log(["C", "I"]), "log.json", evaluator="theirs", **meaning)
    assert (sent.status_code, sent.json()["created"]) == (201, 2), sent.content
    run = Run.objects.select_related("evaluator").get()
    assert (sent["Location"], run.evaluator.model) == (f"/api/v1/runs/{run.pk}/", "m")
    assert (run.manifest["inspect"]["tokens"], run.manifest["inspect"]["cost_usd"]) == (70, 0.25)
    spent = rhea.get(sent["Location"]).json()["spent"]
    assert (spent["tokens"], spent["cost_usd"]) == (70, 0.25)
    assert list(run.predictions.order_by("pk").values_list("value", flat=True)) == ["supported", "not_supported"]
    again = rhea.upload(address, eval_log(["C", "I"]), "log.json", evaluator="theirs", **meaning)
    assert (again.json()["created"], again.json()["unchanged"]) == (0, 2)


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({}, "the score 'C' is none of"),
        ({"value": ["C"]}, "Write SCORE=VALUE"),
        ({"value": ["C=supported", "I=supported"], "scorer": "other"}, "has a score of 'other'"),
    ],
)
def test_an_eval_log_that_cannot_be_read_stores_nothing(
    lab: Dataset, rhea: ApiClient, fields: dict[str, Any], cause: str
) -> None:
    sent = rhea.upload(f"datasets/{lab.pk}/eval-logs/", eval_log(["C", "I"]), "log.json", evaluator="theirs", **fields)
    assert (sent.status_code, cause in json.dumps(sent.json())) == (422, True), sent.content
    assert Run.objects.count() == Evaluator.objects.count() == 0
