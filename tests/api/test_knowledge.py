"""Knowledge sources and links of a dataset by the API."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.evidence.document_upload_job import DocumentUploadJob
from annotate.models import Dataset, Label, ReferenceLink, Role
from annotate.people.names import pseudonym
from jobs.work import work_on
from knowledge.models import Document, Snapshot
from tests.annotate.adjudication.work import judge, make_task
from tests.api.conftest import ApiClient, client_of
from tests.factories import make_dataset, make_person, make_response, own_source
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset("numbers")


@pytest.fixture
def api(dataset: Dataset) -> ApiClient:
    return client_of(make_person("dora", dataset, Role.ADJUDICATOR))


def test_a_shared_source_is_listed_and_chosen(api: ApiClient, dataset: Dataset) -> None:
    make_source("numbers of the world", One="One is odd. It is small.", Two="Two is even.")
    own_source(make_dataset("letters"), make_source("of somebody else", Three="Three is odd."))
    (source,) = api.get(f"datasets/{dataset.pk}/knowledge/sources/").json()["results"]
    assert (source["name"], source["shared"], source["used_by"]) == ("numbers of the world", True, 0)

    address = f"datasets/{dataset.pk}/knowledge/"
    read = api.get(address)
    assert read.json() == {"source": None, "documents": None, "passages": None, "datasets": None}
    assert api.put(address, {"source": "numbers of the world"}).status_code == 428
    chosen = api.put(address, {"source": "numbers of the world"}, if_match=read["ETag"])
    assert chosen.json() == {"source": "numbers of the world", "documents": 2, "passages": 3, "datasets": 1}
    assert api.get(address).json() == chosen.json()
    hidden = api.put(address, {"source": "of somebody else"}, if_match=chosen["ETag"])
    assert (hidden.status_code, hidden.json()["detail"]) == (422, "There is no such source.")
    assert api.put(address, {"source": None}, if_match=chosen["ETag"]).json()["source"] is None


def test_passages_are_searched(api: ApiClient, dataset: Dataset) -> None:
    source = make_source(One="One is odd. It is small.", Three="Three is odd.", Two="Two is even.")
    Dataset.objects.filter(pk=dataset.pk).update(knowledge_source=source)
    address = f"datasets/{dataset.pk}/knowledge/passages/"
    three = Document.objects.get(title="Three")
    expected = {"document": three.pk, "title": "Three", "url": "", "position": 0, "text": "Three is odd."}
    assert api.get(f"{address}?query=three&k=1").json() == {"results": [expected]}
    assert len(api.get(f"{address}?query=odd").json()["results"]) == 2
    wrong = api.get(f"{address}?k=100").json()
    assert [each["pointer"] for each in wrong["errors"]] == ["/query", "/k"]
    ada = client_of(make_person("ada", dataset))
    assert ada.get(f"{address}?query=odd").status_code == 403
    assert ada.get(f"datasets/{dataset.pk}/documents/{three.pk}/").json() == {
        "id": three.pk,
        "title": "Three",
        "url": "",
        "published": None,
        "text": "Three is odd.",
    }


def test_documents_are_sent_and_followed(api: ApiClient, dataset: Dataset) -> None:
    rows = json.dumps({"title": "One", "text": "One is odd."}).encode()
    sent = api.upload(f"datasets/{dataset.pk}/knowledge/uploads/", rows, "pages.jsonl", name="own numbers")
    assert (sent.status_code, sent.json()["state"]) == (202, "waiting")
    work_on(DocumentUploadJob(), sent.json()["id"])
    done = api.get(sent["Location"]).json()
    assert (done["state"], done["created"], done["error"]) == ("done", 1, "")
    assert api.get(f"datasets/{dataset.pk}/knowledge/uploads/").json()["results"] == [done]
    assert api.get(f"datasets/{dataset.pk}/knowledge/").json()["source"] == "own numbers"

    own_source(make_dataset("letters"), make_source("of somebody else", Three="Three is odd."))
    taken = api.upload(f"datasets/{dataset.pk}/knowledge/uploads/", rows, "pages.jsonl", name="of somebody else")
    assert (taken.status_code, "is taken" in taken.json()["detail"]) == (422, True)


def cite(dataset: Dataset, name: str, **of_link: object) -> ReferenceLink:
    response = make_response(dataset)
    judge(make_task(response), make_person(name), dict.fromkeys(response.segments.all(), "supported"))
    label = Label.objects.filter(segment__response=response).first()
    return ReferenceLink.objects.create(label=label, position=0, **of_link)


def test_links_name_the_annotator_to_adjudicators_only(api: ApiClient, dataset: Dataset) -> None:
    ada = make_person("ada", dataset)
    snapshot = Snapshot.objects.create(url="https://numbers.example/", title="Numbers")
    link = cite(dataset, "ada", url=snapshot.url, snapshot=snapshot, stance="supports", quote="One is odd.")
    assert link.label is not None
    expected = {
        "id": link.pk,
        "url": "https://numbers.example/",
        "title": "Numbers",
        "quote": "One is odd.",
        "quote_found": None,
        "stance": "supports",
        "condition": "waiting",
        "document": None,
        "snapshot": snapshot.pk,
        "response": link.label.segment.response_id,
        "segment": link.label.segment_id,
        "fact": None,
        "annotator": "ada",
    }
    address = f"datasets/{dataset.pk}/links/"
    assert api.get(address).json()["results"] == [expected]
    rhea = client_of(make_person("rhea", dataset, Role.RESEARCHER))
    assert rhea.get(address).json()["results"] == [{**expected, "annotator": pseudonym(dataset.pk, ada.pk)}]
    assert api.get(f"{address}?condition=dead").json()["results"] == []
    assert api.get(f"{address}?condition=lost").status_code == 422


def test_pages_that_nobody_asked_for_are_fetched(api: ApiClient, dataset: Dataset) -> None:
    make_person("ada", dataset)
    cite(dataset, "ada", url="https://numbers.example/")
    address = f"datasets/{dataset.pk}/links/"
    assert api.get(address).json()["results"][0]["condition"] == "unasked"
    asked = api.post(address)
    assert (asked.status_code, asked.json()) == (202, {"requested": 1})
    assert api.get(address).json()["results"][0]["condition"] == "waiting"


def test_the_number_of_queries_does_not_grow_with_the_links(api: ApiClient, dataset: Dataset) -> None:
    make_person("ada", dataset)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert api.get(f"datasets/{dataset.pk}/links/").status_code == 200
        return len(captured)

    cite(dataset, "ada", url="https://numbers.example/0")
    queries()
    few = queries()
    for number in range(1, 4):
        cite(dataset, "ada", url=f"https://numbers.example/{number}")
    assert queries() == few
