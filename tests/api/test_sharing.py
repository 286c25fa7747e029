"""Public links of comparisons by the API: made, listed and revoked under the rights of the page."""

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import Dataset, Role
from audit.models import AuditEntry
from core.caching import memory
from evaluators.comparison import ready
from evaluators.models import Comparison, SharedComparison
from tests.api.conftest import ApiClient, client_of
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    memory.clear()


@pytest.fixture
def lab() -> Dataset:
    """Gold of two domains of two units each; Ada's judge finds both errors, Ben's one of them: F1 of 1 and 2/3."""
    dataset = make_dataset()
    said: dict[str, dict[object, str]] = {"ada": {}, "ben": {}}
    for domain in ("math", "science"):
        first, second = make_response(dataset, domain=domain, prompt=domain).segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
        said["ada"] |= {first: "N", second: "S"}
        said["ben"] |= {first: "N" if domain == "math" else "S", second: "S"}
    for name, values in said.items():
        add_run(dataset, values, name, "imported")
    return dataset


@pytest.fixture
def rhea(lab: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER))


@pytest.fixture
def dora(lab: Dataset) -> ApiClient:
    return client_of(make_person("dora", lab, Role.ADJUDICATOR))


def shown(link: str, name: str = "") -> int:
    """The status of the page, or of a file of it, to somebody without a session."""
    return Client().get(link.replace("/shared/", f"/shared/{name}")).status_code


def test_a_link_opens_the_chosen_comparison_without_a_session(lab: Dataset, rhea: ApiClient) -> None:
    sent = {"title": "As sent", "evaluator": ["ben"], "figure": "recall", "slice": ["math"], "family": "pairs"}
    made = rhea.post(f"datasets/{lab.pk}/shares/", sent)
    assert made.status_code == 201, made.content
    share = made.json()
    assert made["Location"] == f"/api/v1/shares/{share['id']}/"
    assert (share["title"], share["texts"], share["revoked_at"]) == ("As sent", False, None)
    found = Client().get(share["link"].replace("/shared/", "/shared/comparison.json")).json()
    assert (found["figure"], found["slices"], found["n"], found["units"]) == ("recall", ["math"], 2, None)
    assert [line["evaluator"] for line in found["evaluators"] if not line["baseline"]] == ["ben"]
    assert "every pair" in found["test"]
    assert AuditEntry.objects.get(action="shared").by_token


def test_the_list_shows_the_links_as_the_page_does(lab: Dataset, rhea: ApiClient) -> None:
    first, second = (rhea.post(f"datasets/{lab.pk}/shares/", {"title": title}).json() for title in ("One", "Two"))
    listed = rhea.get(f"datasets/{lab.pk}/shares/").json()["results"]
    assert listed == [second, first]
    page = Client()
    page.force_login(make_person("rita", lab, Role.RESEARCHER))
    text = page.get(f"/datasets/{lab.pk}/shares/").text
    assert [each["link"].replace("&", "&amp;") in text for each in listed] == [True, True]


def test_a_revoked_link_opens_nothing_and_is_shown_no_more(lab: Dataset, rhea: ApiClient) -> None:
    share = rhea.post(f"datasets/{lab.pk}/shares/", {"title": "As sent"}).json()
    assert shown(share["link"]) == 200
    revoked = rhea.post(f"shares/{share['id']}/revoke/").json()
    assert (revoked["link"], revoked["revoked_at"] is None) == (None, False)
    assert shown(share["link"]) == 404
    assert rhea.post(f"shares/{share['id']}/revoke/").json() == revoked
    assert rhea.get(f"shares/{share['id']}/").json() == revoked
    assert AuditEntry.objects.filter(action="share-revoked").count() == 1


def test_a_link_of_an_archived_dataset_is_revoked_and_none_is_made(lab: Dataset, rhea: ApiClient) -> None:
    share = rhea.post(f"datasets/{lab.pk}/shares/", {"title": "As sent"}).json()
    Dataset.objects.filter(pk=lab.pk).update(archived_at=timezone.now())
    assert rhea.post(f"datasets/{lab.pk}/shares/", {"title": "Late"}).status_code == 403
    assert rhea.post(f"shares/{share['id']}/revoke/").json()["link"] is None


def test_only_adjudicators_share_texts(lab: Dataset, rhea: ApiClient, dora: ApiClient) -> None:
    sent = {"title": "With texts", "texts": True}
    refused = rhea.post(f"datasets/{lab.pk}/shares/", sent)
    assert (refused.status_code, refused.json()["detail"]) == (403, "Only adjudicators share texts.")
    assert not SharedComparison.objects.exists()
    share = dora.post(f"datasets/{lab.pk}/shares/", sent).json()
    assert (share["texts"], shown(share["link"], "texts/")) == (True, 200)


@pytest.mark.parametrize(
    ("sent", "cause"),
    [
        ({}, "required"),
        ({"title": "t", "evaluator": ["nobody"]}, "the evaluator “nobody”"),
        ({"title": "t", "gold_version": "v9"}, "v9"),
        ({"title": "t", "slice": ["letters"]}, "'letters'"),
        ({"title": "t", "level": "fact"}, "'fact'"),
    ],
)
def test_a_comparison_that_cannot_be_is_named(lab: Dataset, rhea: ApiClient, sent: dict, cause: str) -> None:
    answer = rhea.post(f"datasets/{lab.pk}/shares/", sent)
    assert (answer.status_code, cause in answer.json()["detail"]) == (422, True), answer.content
    assert not SharedComparison.objects.exists()


def test_without_gold_there_is_nothing_to_share() -> None:
    dataset = make_dataset()
    answer = client_of(make_person("rhea", dataset, Role.RESEARCHER)).post(
        f"datasets/{dataset.pk}/shares/", {"title": "t"}
    )
    assert (answer.status_code, answer.json()["detail"]) == (422, "There is no gold to compare with.")


def test_figures_that_are_being_computed_cannot_be_shared_yet(
    lab: Dataset, rhea: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    answer = rhea.post(f"datasets/{lab.pk}/shares/", {"title": "t"}, idempotency_key="k")
    assert (answer.status_code, "being computed" in answer.json()["detail"]) == (409, True)
    assert Comparison.objects.count() == 1


def test_the_same_request_makes_one_link(lab: Dataset, rhea: ApiClient) -> None:
    one, again = (rhea.post(f"datasets/{lab.pk}/shares/", {"title": "t"}, idempotency_key="k").json() for _ in "ab")
    assert (one, SharedComparison.objects.count()) == (again, 1)


def test_a_token_that_only_reads_makes_no_link(lab: Dataset) -> None:
    reader = client_of(make_person("rita", lab, Role.RESEARCHER), "read", "evaluate")
    assert reader.post(f"datasets/{lab.pk}/shares/", {"title": "t"}).status_code == 403
