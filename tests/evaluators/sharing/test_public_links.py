"""A comparison behind a public link: frozen, without people and texts, gone once it is revoked."""

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, Removal, Role, User
from audit.models import Action, AuditEntry
from core.caching import memory
from evaluators.comparison import ready
from evaluators.models import Evaluator, SharedComparison
from tests.annotate.blindness.secrets import WORD
from tests.annotate.blindness.secrets import make_world as make_secrets
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
ADDRESSES = ("shared", "shared-json", "shared-csv", "shared-units")


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    memory.clear()


@pytest.fixture
def dataset() -> Dataset:
    """Ten prompts with an error and a correct unit; Ada finds all errors, Ben four: F1 of 1, and 8 / (8 + 6)."""
    dataset = make_dataset()
    for number in range(10):
        first, second = make_response(dataset, [f"Wrong {number}.", "Right."], domain="science").segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    pairs = [response.segments.all() for response in dataset.responses.all()]
    right = {second: "S" for _, second in pairs}
    add_run(dataset, right | {first: "N" for first, _ in pairs}, "ada-judge", "imported")
    ben = right | {first: "N" if place < 4 else "S" for place, (first, _) in enumerate(pairs)}
    run = add_run(dataset, ben, "ben-judge", "imported")
    run.predictions.update(rationale="I looked it up.")
    return dataset


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def dora(dataset: Dataset) -> Client:
    return client_of(make_person("dora", dataset, Role.ADJUDICATOR))


def share(client: Client, dataset: Dataset, query: str = "", **fields: str) -> str:
    """The key of the new link."""
    answer = client.post(reverse("shares", args=[dataset.pk]) + query, {"title": "As sent", **fields})
    assert answer.status_code == 302, answer.text
    return SharedComparison.objects.latest("pk").key


def read(name: str, key: str):
    """As somebody who has never been here."""
    return Client().get(reverse(name), {"key": key})


def document(key: str) -> dict:
    return json.loads(read("shared-json", key).text)


def test_whoever_has_the_link_sees_the_figures_without_a_session(dataset, dora):
    key = share(dora, dataset)
    answer = read("shared", key)
    text = squeezed(answer.text)

    assert answer.status_code == 200
    assert "As sent" in text
    assert "ada-judge is better than ben-judge: difference 0.429" in text
    assert "20, 10 prompts with an error" in text
    assert not answer.cookies
    assert len(key) >= 43


def test_the_document_says_by_what_the_figures_were_made(dataset, dora):
    version = freeze_gold(dataset, "v1")
    found = document(share(dora, dataset, "?gold=v1&pairs=all"))

    assert found["gold"] == {"version": "v1", "revision": version.revision}
    assert (found["n"], found["error_prompts"], found["figure"], found["level"]) == (20, 10, "f1", "segment")
    assert (found["seed"], found["resamples"], found["permutations"]) == (20170, 2000, 5000)
    assert found["test"] == "Permutation test of whole prompts; tested together: every pair of evaluators, step-down."
    assert set(found["manifest"]) == {"ada-judge", "ben-judge"}
    assert found["manifest"]["ada-judge"]["method"] == "imported"
    by_name = {line["evaluator"]: line for line in found["evaluators"]}
    assert (by_name["ada-judge"]["value"], by_name["ada-judge"]["ranks"]) == (1, "1")
    assert by_name["ben-judge"]["value"] == pytest.approx(8 / 14)
    assert found["units"] is None


def test_of_a_panel_its_models_are_named_and_no_endpoint(dataset, dora):
    parameters = {"endpoint": "lab", "other_models": "b, lab::llama3:8b", "tie": "none"}
    Evaluator.objects.filter(name="ada-judge").update(method="panel", model="a", parameters=parameters)
    text = read("shared-json", share(dora, dataset)).text
    assert json.loads(text)["manifest"]["ada-judge"]["parameters"] == {"other_models": "b, llama3:8b", "tie": "none"}
    assert "lab::" not in text


def test_only_what_was_chosen_is_shared(dataset, dora):
    found = document(share(dora, dataset, "?evaluator=ben-judge&figure=balanced_accuracy"))

    assert found["figure_title"] == "Balanced accuracy"
    assert [line["evaluator"] for line in found["evaluators"] if not line["baseline"]] == ["ben-judge"]
    assert set(found["manifest"]) == {"ben-judge"}


def test_later_changes_do_not_move_it(dataset, dora):
    key = share(dora, dataset)
    before = [read(name, key).content for name in ADDRESSES[:3]]
    first = dataset.responses.first().segments.first()
    first.gold.all().delete()
    add_gold(first, "supported")
    add_run(dataset, {first: "N"}, "late-judge", "imported")
    dataset.runs.filter(evaluator__name="ada-judge").delete()
    memory.clear()

    assert [read(name, key).content for name in ADDRESSES[:3]] == before


def test_the_table_comes_as_csv_markdown_and_latex(dataset, dora):
    key = share(dora, dataset)

    lines = read("shared-csv", key).content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Rank,Evaluator,F1,")
    assert lines[1].startswith("1,ada-judge,1.0,")
    for form, mark in (("markdown", "| ada\\-judge |"), ("latex", r"\toprule")):
        text = Client().get(reverse("shared"), {"key": key, "table": "evaluators", "as": form}).text
        assert mark.replace("\\-", "-") in text
    assert Client().get(reverse("shared"), {"key": key, "table": "people"}).status_code == 404


def test_a_revoked_link_is_answered_as_one_that_never_was(dataset, dora):
    key = share(dora, dataset, texts="on")
    assert [read(name, key).status_code for name in ADDRESSES] == [200] * 4
    link = SharedComparison.objects.get()
    answer = dora.post(reverse("share-revoke", args=[dataset.pk, link.pk]))
    assert answer.status_code == 302

    for name in ADDRESSES:
        revoked, unknown, none = read(name, key), read(name, "x" * 43), Client().get(reverse(name))
        assert (revoked.status_code, unknown.status_code, none.status_code) == (404, 404, 404)
        assert _plain(revoked.text) == _plain(unknown.text) == _plain(none.text)
    assert "revoked" in dora.get(reverse("shares", args=[dataset.pk])).text


def _plain(text: str) -> str:
    return re.sub(r'"X-CSRFToken": "\w*"', "", text)


def test_no_index_keeps_it_and_no_site_learns_the_address(dataset, dora):
    key = share(dora, dataset, texts="on")
    for name in ADDRESSES:
        answer = read(name, key)
        assert answer.headers["X-Robots-Tag"].startswith("noindex")
        assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert '<meta name="robots" content="noindex' in read("shared", key).text


def test_making_and_revoking_stand_in_the_audit_log_without_the_key(dataset, dora):
    key = share(dora, dataset)
    dora.post(reverse("share-revoke", args=[dataset.pk, SharedComparison.objects.get().pk]))
    dora.post(reverse("share-revoke", args=[dataset.pk, SharedComparison.objects.get().pk]))

    entries = AuditEntry.objects.filter(action__in=[Action.SHARED, Action.SHARE_REVOKED]).order_by("pk")
    assert [(each.action, each.person.username, each.object_name) for each in entries] == [
        ("shared", "dora", "As sent"),
        ("share-revoked", "dora", "As sent"),
    ]
    assert not any(key in f"{each.object_name}{each.detail}" for each in AuditEntry.objects.all())


def test_a_visit_costs_one_small_query(dataset, dora):
    key = share(dora, dataset, texts="on")
    for name in ADDRESSES:
        read(name, key)
        with CaptureQueriesContext(connection) as asked:
            assert read(name, key).status_code == 200
        assert len(asked) == 1, asked.captured_queries
        assert "figures" not in asked[0]["sql"]
    # Nor does a download of a stranger write into the audit log.
    assert not AuditEntry.objects.filter(person=None).exists()


def test_texts_are_shared_where_they_are_chosen(dataset, dora):
    key = share(dora, dataset, "?evaluator=ben-judge", texts="on")
    text = read("shared-units", key).text

    assert "Wrong 3." in text
    assert "I looked it up." in text
    units = document(key)["units"]
    assert (units["of"], len(units["units"])) == (20, 20)
    assert units["units"][0]["parts"][0]["gold"] == "not_supported"
    assert [answer["evaluator"] for answer in units["units"][0]["parts"][0]["answers"]] == ["ben-judge"]


def test_without_texts_there_is_none(dataset, dora):
    key = share(dora, dataset)

    assert read("shared-units", key).status_code == 404
    for name in ADDRESSES[:3]:
        text = read(name, key).text
        assert not any(word in text for word in ("Wrong 3.", "I looked it up.", "Which numbers are odd?"))


def test_a_researcher_shares_figures_and_no_texts(dataset):
    rhea = client_of(make_person("rhea", dataset, Role.RESEARCHER))
    assert "Share texts" not in rhea.get(reverse("shares", args=[dataset.pk])).text

    assert document(share(rhea, dataset, texts="on"))["units"] is None


@pytest.mark.parametrize("scheme", ["felm", "factscore"])
@pytest.mark.parametrize("texts", [False, True])
def test_no_person_and_no_reason_of_one_is_in_it(scheme, texts):
    """In a dataset of which every secret is a word of its own. Evaluators' answers are texts, and chosen with them."""
    secrets = make_secrets(scheme)
    Removal.objects.all().delete()
    Evaluator.objects.update(method="lexical")
    dora = client_of(User.objects.get(username="dora"))
    key = share(dora, secrets, **({"texts": "on"} if texts else {}))
    words = {word.decode() for name in ADDRESSES for word in WORD.findall(read(name, key).content)}

    assert {word.split("-")[1] for word in words} == {"evaluator", *(["rationale"] if texts else [])}


def test_figures_that_a_worker_computes_are_waited_for(dataset, dora, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    answer = dora.post(reverse("shares", args=[dataset.pk]), {"title": "Too early"})

    assert answer.status_code == 422
    assert "The figures are being computed" in answer.text
    assert not SharedComparison.objects.exists()


def test_an_archived_dataset_makes_no_link_and_still_takes_one_back(dataset, dora):
    key = share(dora, dataset)
    Dataset.objects.update(archived_at="2026-01-01T00:00Z")

    assert read("shared", key).status_code == 200
    assert dora.post(reverse("shares", args=[dataset.pk]), {"title": "Another"}).status_code == 403
    dora.post(reverse("share-revoke", args=[dataset.pk, SharedComparison.objects.get().pk]))
    assert read("shared", key).status_code == 404


def test_a_visitor_writes_nothing_into_the_page_of_the_next(dataset, dora):
    """The page is kept in memory: nothing of the first request may stand in it."""
    key = share(dora, dataset)
    Client().get(reverse("shared") + f"?key=odd-key&key={key}&more=odd-more", headers={"Host": "testserver"})

    assert "odd-" not in read("shared", key).text


def test_names_of_figures_link_to_their_definitions(dora, dataset):
    check_figure_names(read("shared", share(dora, dataset)).text, "Rank", "F1", "Coverage")
