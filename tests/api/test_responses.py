"""Responses and prompts by the API: pages, filters, fields, whole lists."""

import io
import json

import pyarrow.parquet as pq
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.corpus.passages import write_passages
from annotate.corpus.rows import PassageRow
from annotate.models import Dataset, Role
from audit.models import AuditEntry
from tests.api.conftest import ApiClient, client_of
from tests.factories import add_facts, add_passages, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset("bios", "factscore")


@pytest.fixture
def api(dataset: Dataset) -> ApiClient:
    return client_of(make_person("rhea", dataset, Role.RESEARCHER))


def test_a_response_comes_with_its_segments_and_facts(api: ApiClient, dataset: Dataset) -> None:
    response = make_response(dataset, ["One is odd.", "Two is odd."], prompt="Numbers", subject="tiny")
    fact, _ = add_facts(response, [["One is odd."], ["Two is odd."]])
    add_facts(response, [["Generated."], []], origin="generated")
    first, second = response.segments.all()
    expected = {
        "id": response.pk,
        "index": "tiny/Numbers",
        "position": 0,
        "domain": "math",
        "source": "",
        "topic": "Numbers",
        "frequency": "",
        "nationality": "",
        "subject": "tiny",
        "prompt": "Numbers",
        "response": "One is odd. Two is odd.",
        "abstained": False,
        "state": "new",
        "details": None,
    }
    found = api.get(f"datasets/{dataset.pk}/responses/").json()["results"][0]
    segments = found.pop("segments")
    assert found == expected
    assert segments[0] == {
        "id": first.pk,
        "position": 0,
        "text": "One is odd.",
        "start": 0,
        "end": 11,
        "relevant": True,
        "facts": [{"id": fact.pk, "position": 0, "text": "One is odd."}],
        "passages": [],
    }
    assert segments[1]["id"] == second.pk

    response.references.create(position=0, url="https://numbers.example/")
    response.other_samples.create(position=0, text="Three is odd.")
    one = api.get(f"responses/{response.pk}/").json()
    assert {name: one[name] for name in expected} == expected
    assert (one["dataset"], one["references"], one["samples"]) == (
        dataset.pk,
        [{"url": "https://numbers.example/", "content": None}],
        ["Three is odd."],
    )


def test_claims_come_with_their_passages_in_pages_whole_and_alone() -> None:
    claims = make_dataset("claims", "claims")
    api = client_of(make_person("otto", claims, Role.RESEARCHER))
    response = make_response(claims)
    first = response.segments.earliest("position")
    passages = [PassageRow("One is not even.", "Numbers", "https://numbers.example/"), PassageRow("Odd it is.")]
    write_passages(claims, [(first.pk, passages)])
    expected = [
        [
            {"title": "Numbers", "url": "https://numbers.example/", "text": "One is not even."},
            {"title": "", "url": "", "text": "Odd it is."},
        ],
        [],
    ]
    address = f"datasets/{claims.pk}/responses/"
    [row] = api.get(address).json()["results"]
    [line] = b"".join(api.get(f"{address}?format=jsonl")).splitlines()
    [whole] = pq.read_table(io.BytesIO(b"".join(api.get(f"{address}?format=parquet")))).to_pylist()
    for found in (row, json.loads(line), whole, api.get(f"responses/{response.pk}/").json()):
        assert [segment["passages"] for segment in found["segments"]] == expected


def test_the_number_of_queries_does_not_grow_with_the_claims() -> None:
    claims = make_dataset("claims", "claims")
    api = client_of(make_person("otto", claims, Role.RESEARCHER))

    def queries() -> int:
        add_passages(make_response(claims).segments.earliest("position"), "One is not even.", "Odd it is.")
        with CaptureQueriesContext(connection) as captured:
            assert api.get(f"datasets/{claims.pk}/responses/").status_code == 200
        return len(captured)

    queries()
    assert queries() == queries()


def test_the_filters_of_the_page_narrow_the_list(api: ApiClient, dataset: Dataset) -> None:
    make_response(dataset, ["One is odd."], prompt="a", domain="math", subject="tiny")
    make_response(dataset, ["The moon is round."], prompt="b", domain="sky", subject="tiny")
    make_response(dataset, ["The sun is round."], prompt="c", domain="sky", subject="large")
    dataset.responses.filter(position=2).update(abstained=True)

    def found(query: str) -> list[int]:
        return [each["position"] for each in api.get(f"datasets/{dataset.pk}/responses/?{query}").json()["results"]]

    assert found("q=round") == [1, 2]
    assert found("domain=sky&subject=tiny") == [1]
    assert found("state=abstained") == [2]
    assert found("state=new") == [0, 1]
    assert api.get(f"datasets/{dataset.pk}/responses/?state=lost").status_code == 422


def test_pages_follow_one_another_and_hold_what_is_asked_for(api: ApiClient, dataset: Dataset) -> None:
    for _ in range(5):
        make_response(dataset)
    address, found = f"datasets/{dataset.pk}/responses/?page_size=2&fields=position,index", []
    while address:
        page = api.get(address.removeprefix("http://testserver")).json()
        found += page["results"]
        address = page["next"]
    assert found == [{"index": str(number), "position": number} for number in range(5)]
    assert api.get(f"datasets/{dataset.pk}/responses/?fields=colour").status_code == 422


def test_the_number_of_queries_does_not_grow_with_the_page(api: ApiClient, dataset: Dataset) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert api.get(f"datasets/{dataset.pk}/responses/").status_code == 200
        return len(captured)

    add_facts(make_response(dataset), [["One."], ["Two."]])
    queries()
    few = queries()
    for _ in range(5):
        add_facts(make_response(dataset), [["One."], ["Two."]])
    assert queries() == few


@pytest.mark.parametrize(
    ("form", "media_type"), [("jsonl", "application/x-ndjson"), ("parquet", "application/vnd.apache.parquet")]
)
def test_the_whole_list_is_read_at_once(api: ApiClient, dataset: Dataset, form: str, media_type: str) -> None:
    for _ in range(3):
        add_facts(make_response(dataset), [["One is odd."], []])
    pages = api.get(f"datasets/{dataset.pk}/responses/").json()["results"]

    def rows(address: str, **headers: str) -> list[object]:
        answer = api.get(f"datasets/{dataset.pk}/responses/{address}", **headers)
        assert (answer.status_code, answer["Content-Type"]) == (200, media_type)
        content = answer.getvalue()
        if form == "parquet":
            return pq.read_table(io.BytesIO(content)).to_pylist()  # type: ignore[no-any-return]
        return [json.loads(line) for line in content.splitlines()]

    assert rows(f"?format={form}") == pages
    assert rows("", accept=media_type) == pages
    assert rows(f"?format={form}&fields=id") == [{"id": each["id"]} for each in pages]
    assert api.get(f"datasets/{dataset.pk}/responses/?format={form}&fields=colour").status_code == 422
    entry = AuditEntry.objects.filter(action="downloaded").first()
    assert entry is not None
    assert entry.object_name == f"responses.{form}"


def test_prompts_are_added_by_a_file_and_listed(dataset: Dataset) -> None:
    api = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    rows = "".join(
        json.dumps({"prompt": text, "topic": text, "domain": "math"}) + "\n"
        for text in ("What is odd?", "What is even?")
    )
    sent = api.upload(f"datasets/{dataset.pk}/prompts/", rows.encode())
    assert (sent.status_code, sent.json()) == (201, {"created": 2, "unchanged": 0})
    found = api.get(sent["Location"]).json()["results"]
    assert [(each["position"], each["text"], each["origin"]) for each in found] == [
        (0, "What is odd?", "file"),
        (1, "What is even?", "file"),
    ]
    wrong = api.upload(f"datasets/{dataset.pk}/prompts/", b"{}\n")
    assert (wrong.status_code, "line 1" in wrong.json()["detail"]) == (422, True)
