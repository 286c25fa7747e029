"""Dora settles cases by the API, freezes gold and lets a release be made; Rhea reads."""

import io
import json
import zipfile
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Adjudication, Dataset, Disagreement, GoldLabel, Release, Role, Segment, ViewReceipt
from annotate.release.release_job import ReleaseJob
from audit.models import AuditEntry
from jobs.tasks import work
from jobs.work import work_on
from tests.annotate.adjudication.work import judge, make_task
from tests.api.conftest import ApiClient, client_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def lab(tasks: int = 1) -> tuple[Dataset, ApiClient, ApiClient]:
    """Ada and Ben agree on the first segment of each task and differ on the second; the clients of Dora and Rhea."""
    dataset = make_dataset()
    for _ in range(tasks):
        response = make_response(dataset)
        first, second = response.segments.all()
        task = make_task(response)
        judge(task, "ada", {first: "supported", second: "not_supported/reasoning/It is even."})
        judge(task, "ben", {first: "supported", second: "supported"})
    dora, rhea = make_person("dora", dataset, Role.ADJUDICATOR), make_person("rhea", dataset, Role.RESEARCHER)
    return dataset, client_of(dora), client_of(rhea)


def settled(dataset: Dataset, dora: ApiClient, segment: int, **more: Any) -> Any:
    sent = {"choice": "third", "value": "supported", "why": "It is.", "seen": None, **more}
    return dora.post(f"datasets/{dataset.pk}/cases/{segment}/", sent)


def test_cases_are_listed_page_by_page() -> None:
    dataset, dora, _ = lab(3)
    disputed = list(Segment.objects.filter(position=1).order_by("pk").values_list("pk", flat=True))
    first = dora.get(f"datasets/{dataset.pk}/cases/?page_size=2").json()
    assert (first["total"], first["unanimous"], first["slices"]) == (3, 3, {"math": 3})
    second = dora.get(first["next"].removeprefix("http://testserver")).json()
    assert [case["segment_id"] for page in (first, second) for case in page["results"]] == disputed
    assert second["next"] is None
    assert sorted(vote["value"] for vote in first["results"][0]["votes"]) == ["not_supported", "supported"]
    assert ViewReceipt.objects.filter(what="labels").count() == 3


def test_a_side_of_a_case_becomes_gold() -> None:
    dataset, dora, rhea = lab()
    (open_case,) = dora.get(f"datasets/{dataset.pk}/cases/").json()["results"]
    address = f"datasets/{dataset.pk}/cases/{open_case['segment_id']}/"
    case = dora.get(address).json()
    (error,) = [side for side in case["sides"] if side["value"] == "not_supported"]
    assert (case["text"], case["decision"], case["gold"]) == ("Two is odd.", None, None)
    assert (error["reason"], error["cards"][0]["url"]) == ("It is even.", "https://ada.example")
    assert not {"annotator", "assignment"} & set(error)
    answer = dora.post(address, {"choice": str(error["label"]), "why": "Two is even.", "seen": None})
    assert (answer.status_code, answer["Location"], answer.json()["gold"]) == (
        201,
        f"/api/v1/{address}",
        "not_supported",
    )
    assert dora.get(f"datasets/{dataset.pk}/cases/").json()["results"] == []
    (gold,) = rhea.get(f"datasets/{dataset.pk}/gold/").json()["results"]
    assert (gold["index"], gold["segment"], gold["value"], gold["error_type"]) == ("0", 1, "not_supported", "reasoning")
    assert (gold["decided_by"], gold["why"], gold["source"]) == ("dora", "Two is even.", "adjudicated")
    assert gold["references"] == ["https://ada.example"]


def test_a_third_judgement_cites_evidence() -> None:
    dataset, dora, _ = lab()
    segment = Segment.objects.get(position=1).pk
    card = {"url": "https://odd.example/", "quote": "Two is even.", "stance": "refutes", "document": None}
    answer = settled(dataset, dora, segment, value="not_supported", error_type="reasoning", cards=[card])
    assert answer.status_code == 201, answer.json()
    link = GoldLabel.objects.get().references.get()
    assert (link.url, link.quote, link.stance) == ("https://odd.example/", "Two is even.", "refutes")


def test_a_decision_made_meanwhile_is_not_overruled_unawares() -> None:
    dataset, dora, _ = lab()
    segment = Segment.objects.get(position=1).pk
    decision = settled(dataset, dora, segment).json()["decision"]
    assert settled(dataset, dora, segment, value="irrelevant").status_code == 409
    assert settled(dataset, dora, segment, value="irrelevant", seen=decision["id"]).json()["gold"] == "irrelevant"


@pytest.mark.parametrize("wrong", [{"why": " "}, {"choice": "7"}, {"value": "odd"}, {"choice": "third", "value": None}])
def test_a_decision_that_breaks_a_rule_is_not_made(wrong: dict[str, Any]) -> None:
    dataset, dora, _ = lab()
    assert settled(dataset, dora, Segment.objects.get(position=1).pk, **wrong).status_code == 422
    assert not Adjudication.objects.exists()


def test_a_decision_under_a_key_is_made_once() -> None:
    dataset, dora, _ = lab()
    address = f"datasets/{dataset.pk}/cases/{Segment.objects.get(position=1).pk}/"
    sent = {"choice": "third", "value": "supported", "why": "It is.", "seen": None}
    first, again = (dora.post(address, sent, idempotency_key="k") for _ in range(2))
    assert (first.status_code, again.status_code, Adjudication.objects.count()) == (201, 201, 1)


def test_a_fact_and_a_whole_sentence_are_settled() -> None:
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset)
    fact, other = add_facts(response, [["One is odd."], ["Two is odd."]])
    task = make_task(response)
    judge(task, make_person("ada", dataset), {fact: "supported", response.segments.all()[1]: "irrelevant"})
    judge(task, make_person("ben", dataset), {fact: "not_supported", other: "supported"})
    dora = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    cases = dora.get(f"datasets/{dataset.pk}/cases/").json()["results"]
    assert [(case["fact_id"], case["split"]) for case in cases] == [(fact.pk, False), (None, True)]
    of_fact = f"datasets/{dataset.pk}/cases/{fact.segment_id}/{fact.pk}/"
    assert (
        dora.post(of_fact, {"choice": "third", "value": "supported", "why": "It is.", "seen": None}).status_code == 201
    )
    sentence = f"datasets/{dataset.pk}/cases/{other.segment_id}/"
    sides = dora.get(sentence).json()["sides"]
    assert [side["facts"] for side in sides if side["label"] is None] == [[{"fact_id": other.pk, "value": "supported"}]]
    answer = dora.post(sentence, {"choice": "irrelevant", "why": "It is beside the point.", "seen": None})
    assert answer.json()["gold"] == "irrelevant"


def test_a_case_of_another_dataset_is_not_there() -> None:
    dataset, dora, _ = lab()
    foreign = make_response(make_dataset("other")).segments.all()[0]
    assert dora.get(f"datasets/{dataset.pk}/cases/{foreign.pk}/").status_code == 404
    assert settled(dataset, dora, foreign.pk).status_code == 404


def test_what_all_agree_on_is_accepted_in_bulk() -> None:
    dataset, dora, _ = lab(2)
    address = f"datasets/{dataset.pk}/cases/unanimous/"
    assert dora.get(address).json() == {"number": 2, "units": 2, "corrections": 0}
    assert dora.post(address, {"why": "All agree.", "expected": 3}).status_code == 422
    answer = dora.post(address, {"why": "All agree.", "expected": 2})
    assert (answer.status_code, answer.json()) == (201, {"accepted": 2})
    assert GoldLabel.objects.filter(source="unanimous").count() == 2


def test_gold_of_a_version_stays_as_it_was() -> None:
    dataset, dora, rhea = lab()
    segment = Segment.objects.get(position=1)
    decision = settled(dataset, dora, segment.pk).json()["decision"]
    assert dora.post(f"datasets/{dataset.pk}/gold-versions/", {"version": "v1"}).status_code == 201
    settled(dataset, dora, segment.pk, value="irrelevant", seen=decision["id"])

    def values(query: str) -> list[str]:
        return [row["value"] for row in rhea.get(f"datasets/{dataset.pk}/gold/{query}").json()["results"]]

    assert (values("?version=v1"), values("")) == (["supported"], ["irrelevant"])
    assert rhea.get(f"datasets/{dataset.pk}/gold/?version=v2").status_code == 422


def test_gold_is_narrowed_to_a_cause_of_disagreement() -> None:
    dataset, dora, rhea = lab(3)
    dora.post(f"datasets/{dataset.pk}/cases/unanimous/", {"why": "All agree.", "expected": 3})
    causes = (Disagreement.READING, Disagreement.SLIP, Disagreement.READING)
    disputed = Segment.objects.filter(position=1).order_by("pk")
    for segment, cause in zip(disputed, causes, strict=True):
        assert settled(dataset, dora, segment.pk, category=cause).status_code == 201

    def found(query: str) -> list[str]:
        address = f"datasets/{dataset.pk}/gold/?{query}"
        rows = rhea.get(address).json()["results"]
        lines = b"".join(rhea.get(f"{address}&format=jsonl")).decode().splitlines()
        assert [json.loads(line) for line in lines] == rows
        return [row["index"] for row in rows]

    assert found(f"category={Disagreement.READING}") == ["0", "2"]
    assert found(f"category={Disagreement.SLIP}") == ["1"]
    assert found(f"category={Disagreement.SOURCE}") == []
    assert len(found("")) == 6
    refused = rhea.get(f"datasets/{dataset.pk}/gold/?category=weather")
    assert (refused.status_code, Disagreement.READING in refused.json()["detail"]) == (422, True)


def test_gold_comes_whole_as_json_lines_and_parquet() -> None:
    dataset, _, rhea = lab()
    for segment in Segment.objects.all():
        add_gold(segment, "supported")
    pages = rhea.get(f"datasets/{dataset.pk}/gold/").json()["results"]
    lines = b"".join(rhea.get(f"datasets/{dataset.pk}/gold/?format=jsonl")).decode().splitlines()
    assert [json.loads(line) for line in lines] == pages
    table = b"".join(rhea.get(f"datasets/{dataset.pk}/gold/?format=parquet"))
    assert pq.read_table(io.BytesIO(table)).to_pylist() == pages


def test_a_longer_list_asks_no_more_queries() -> None:
    def queries(dataset: Dataset, api: ApiClient) -> int:
        api.get(f"datasets/{dataset.pk}/gold/")
        with CaptureQueriesContext(connection) as asked:
            api.get(f"datasets/{dataset.pk}/gold/")
        return len(asked)

    dataset, dora, rhea = lab(6)
    dora.post(f"datasets/{dataset.pk}/cases/unanimous/", {"why": "All agree.", "expected": 6})
    many = queries(dataset, rhea)
    GoldLabel.objects.exclude(pk=GoldLabel.objects.latest("pk").pk).delete()
    assert queries(dataset, rhea) == many


def test_a_version_is_frozen_once_and_the_audit_log_names_the_token() -> None:
    dataset, dora, rhea = lab()
    address = f"datasets/{dataset.pk}/gold-versions/"
    nothing = dora.post(address, {"version": "v1"})
    assert (nothing.status_code, nothing.json()["detail"]) == (422, "Not frozen: lab has no gold yet.")
    add_gold(Segment.objects.earliest("pk"), "supported")
    made = dora.post(address, {"version": "v1"})
    version = made.json()
    assert (made["Location"], version["version"], version["labels"]) == (
        f"/api/v1/gold-versions/{version['id']}/",
        "v1",
        1,
    )
    assert dora.post(address, {"version": "v1"}).status_code == 422
    assert rhea.get(address).json()["results"] == [version]
    assert rhea.get(made["Location"]).json() == version
    entry = AuditEntry.objects.get(action="gold-frozen")
    assert (entry.person.username, entry.by_token) == ("dora", "test")


def test_a_release_is_made_followed_and_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    enqueued: list[int] = []  # nobody works in the background
    monkeypatch.setattr(work, "apply_async", lambda args, **_: enqueued.append(args[1]))
    dataset, dora, rhea = lab()
    for segment in Segment.objects.all():
        add_gold(segment, "supported")
    dora.post(f"datasets/{dataset.pk}/gold-versions/", {"version": "v1"})
    asked = dora.post(f"datasets/{dataset.pk}/releases/", {"version": "v1", "licence": "CC-BY-4.0"})
    assert (asked.status_code, asked.json()["version"]) == (202, "v1")
    work_on(ReleaseJob(), enqueued[0])
    release = rhea.get(asked["Location"]).json()
    assert (release["state"], release["written"]) == ("done", 1)
    file = io.BytesIO(b"".join(rhea.get(release["file"])))
    assert "README.md" in zipfile.ZipFile(file).namelist()
    again = dora.post(f"datasets/{dataset.pk}/releases/", {"version": "v1", "licence": "CC-BY-4.0"})
    assert again.json()["id"] == release["id"]
    assert [each["id"] for each in rhea.get(f"datasets/{dataset.pk}/releases/").json()["results"]] == [release["id"]]
    assert dora.post(f"datasets/{dataset.pk}/releases/", {"version": "v2"}).status_code == 422


def test_a_release_that_is_not_made_has_no_file() -> None:
    dataset, dora, _ = lab()
    version = dataset.gold_versions.create(name="v1", revision=0, hash="0" * 64, labels=0)
    release = version.releases.create()
    assert dora.get(f"releases/{release.pk}/").json()["file"] is None
    assert dora.get(f"releases/{release.pk}/file/").status_code == 404
    Release.objects.update(state="done", settled_at="2026-01-01T00:00Z", file="releases/gone.zip")
    assert dora.get(f"releases/{release.pk}/file/").status_code == 409
