"""Submitted labels and agreement by the API: user names for Dora, pseudonyms for Rhea."""

import io
import json

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.models import Dataset, Label, Role, Task, ViewReceipt
from annotate.people.names import pseudonym
from tests.annotate.adjudication.work import judge, make_task
from tests.api.conftest import ApiClient, client_of
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def lab(tasks: int = 1) -> tuple[Dataset, ApiClient, ApiClient]:
    """Ada and Ben differ on the second segment of each task; the clients of Dora and Rhea."""
    dataset = make_dataset()
    for _ in range(tasks):
        response = make_response(dataset)
        first, second = response.segments.all()
        task = make_task(response)
        judge(task, "ada", {first: "supported", second: "not_supported/reasoning/It is even."})
        judge(task, "ben", {first: "supported", second: "supported"})
    dora, rhea = make_person("dora", dataset, Role.ADJUDICATOR), make_person("rhea", dataset, Role.RESEARCHER)
    return dataset, client_of(dora), client_of(rhea)


def test_adjudicators_read_labels_as_they_are_exported() -> None:
    dataset, dora, _ = lab()
    rows = dora.get(f"datasets/{dataset.pk}/labels/").json()["results"]
    own = Label.objects.get(value="not_supported")
    (row,) = [row for row in rows if row["value"] == "not_supported"]
    assert len(rows) == 4
    assert (row["index"], row["segment"], row["fact"], row["annotator"]) == ("0", 1, None, "ada")
    assert (row["segment_id"], row["fact_id"], row["id"]) == (own.segment_id, None, own.pk)
    assert (row["error_type"], row["reason"], row["references"]) == (
        "reasoning",
        "It is even.",
        ["https://ada.example"],
    )
    found = dora.get(f"datasets/{dataset.pk}/labels/?value=not_supported&fields=id").json()["results"]
    assert found == [{"id": own.pk}]
    assert dora.get(f"datasets/{dataset.pk}/labels/?response=0").json()["results"] == []
    assert dora.get(f"datasets/{dataset.pk}/labels/?value=odd").status_code == 422


def test_researchers_read_them_once_the_task_is_closed_under_pseudonyms() -> None:
    dataset, _, rhea = lab()
    assert rhea.get(f"datasets/{dataset.pk}/labels/").json()["results"] == []
    Task.objects.update(closed_at=timezone.now())
    names = {row["annotator"] for row in rhea.get(f"datasets/{dataset.pk}/labels/").json()["results"]}
    assert names == {pseudonym(dataset.pk, make_person(name).pk) for name in ("ada", "ben")}


def test_labels_on_controls_and_unfinished_work_are_not_listed() -> None:
    dataset, dora, _ = lab(3)
    first, second, _third = Task.objects.order_by("pk")
    Task.objects.filter(pk=first.pk).update(kind=Task.Kind.CONTROL)
    second.assignments.update(state="open", lease_until=timezone.now())
    assert len(dora.get(f"datasets/{dataset.pk}/labels/").json()["results"]) == 4


def test_who_reads_labels_has_seen_them() -> None:
    dataset, dora, _ = lab(3)
    dora.get(f"datasets/{dataset.pk}/labels/?page_size=4")
    assert ViewReceipt.objects.filter(what="labels", who__username="dora").count() == 1
    dora.get(f"datasets/{dataset.pk}/labels/?format=jsonl")
    assert ViewReceipt.objects.filter(what="labels", who__username="dora").count() == 3


def test_all_labels_come_as_json_lines_and_parquet() -> None:
    dataset, dora, _ = lab(2)
    pages = dora.get(f"datasets/{dataset.pk}/labels/").json()["results"]
    lines = b"".join(dora.get(f"datasets/{dataset.pk}/labels/?format=jsonl"))
    assert [json.loads(line) for line in lines.decode().splitlines()] == pages
    table = b"".join(dora.get(f"datasets/{dataset.pk}/labels/?format=parquet&fields=id,fact,value"))
    assert pq.read_table(io.BytesIO(table)).to_pylist() == [
        {name: row[name] for name in ("id", "fact", "value")} for row in pages
    ]


def test_labels_of_facts_name_the_fact() -> None:
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset)
    _, second, _ = add_facts(response, [["One is odd.", "One is a number."], ["Two is odd."]])
    judge(make_task(response), make_person("ada", dataset), {second: "supported"})
    dora = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    (row,) = dora.get(f"datasets/{dataset.pk}/labels/").json()["results"]
    assert (row["segment"], row["fact"], row["fact_id"]) == (0, 1, second.pk)


def test_a_longer_list_asks_no_more_queries() -> None:
    def queries(dataset: Dataset, api: ApiClient) -> int:
        api.get(f"datasets/{dataset.pk}/labels/")
        with CaptureQueriesContext(connection) as asked:
            api.get(f"datasets/{dataset.pk}/labels/")
        return len(asked)

    dataset, dora, _ = lab(1)
    few = queries(dataset, dora)
    for _ in range(5):
        response = make_response(dataset)
        judge(make_task(response), "ada", dict.fromkeys(response.segments.all(), "supported/x/y"))
    assert queries(dataset, dora) == few


def test_agreement_is_what_the_command_prints() -> None:
    dataset, dora, rhea = lab(3)
    printed = io.StringIO()
    call_command("agreement", dataset.name, "--json", stdout=printed)
    assert dora.get(f"datasets/{dataset.pk}/agreement/").json() == json.loads(printed.getvalue())
    (first, *_) = rhea.get(f"datasets/{dataset.pk}/agreement/").json()["pairs"]
    assert all(name.startswith("annotator ") for name in first["annotators"])
