"""Every address of the API, asked for by everybody with a token of all scopes: the rights of the pages."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.urls import URLPattern, reverse
from rest_framework.views import APIView

from annotate.models import Dataset, Role, User
from api.urls import API
from tests.api.conftest import ApiClient, client_of
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

# As in tests/annotate/test_access.py: Ada has the work in question, Oscar belongs to another dataset.
PEOPLE = ("nobody", "oscar", "ada", "ben", "dora", "rhea", "root")
NOBODY = 401

ALL = (NOBODY, 200, 200, 200, 200, 200, 200)
MEMBERS = (NOBODY, 404, 200, 200, 200, 200, 200)
# Evaluation is for adjudicators and researchers; an object of it is as if not there for others.
READERS_INVALID = (NOBODY, 404, 403, 403, 422, 422, 422)
READERS_ONLY_INVALID = (NOBODY, 404, 404, 404, 422, 422, 422)
READERS = (NOBODY, 404, 403, 403, 200, 200, 200)
READERS_ONLY = (NOBODY, 404, 404, 404, 200, 200, 200)
ADJUDICATORS = (NOBODY, 404, 403, 403, 200, 403, 200)
# Who may write sends an empty object.
WRITERS = (NOBODY, 404, 403, 403, 422, 403, 422)
WRITERS_ONLY = (NOBODY, 404, 404, 404, 422, 404, 422)
# The run of the world is worked on here, and what is sent is empty.
WORKERS = (NOBODY, 404, 404, 404, 422, 422, 422)
ANNOTATORS = (NOBODY, 404, 200, 200, 403, 403, 403)
OWN = (NOBODY, 404, 200, 404, 404, 404, 404)
READERS = (NOBODY, 404, 403, 403, 200, 200, 200)
ADJUDICATORS = (NOBODY, 404, 403, 403, 200, 403, 200)
# What adjudicators send is an empty object, and lacks something.
DECIDE = (NOBODY, 404, 403, 403, 422, 403, 422)
EVERYBODY = (200, 200, 200, 200, 200, 200, 200)

# (name, method): (what it is about, status for each of PEOPLE); what is written is an empty object.
EXPECTED: dict[tuple[str, str], tuple[tuple[str, ...], tuple[int, ...]]] = {
    ("openapi", "GET"): ((), EVERYBODY),
    ("datasets", "GET"): ((), ALL),
    # Researchers may create a sandbox.
    ("datasets", "POST"): ((), (NOBODY, 403, 403, 403, 403, 422, 422)),
    ("dataset", "GET"): (("dataset",), MEMBERS),
    ("dataset", "PATCH"): (("dataset",), (NOBODY, 404, 403, 403, 428, 403, 428)),
    ("methods", "GET"): ((), ALL),
    ("endpoints", "GET"): (("dataset",), READERS),
    ("search-engines", "GET"): (("dataset",), READERS),
    ("evaluators", "GET"): (("dataset",), READERS),
    ("runs", "GET"): (("dataset",), READERS),
    ("runs", "POST"): (("dataset",), READERS_INVALID),
    ("run-estimate", "POST"): (("dataset",), READERS_INVALID),
    ("run", "GET"): (("run",), READERS_ONLY),
    ("editors", "GET"): ((), ALL),
    ("editing-runs", "GET"): (("dataset",), READERS),
    ("editing-runs", "POST"): (("dataset",), READERS_INVALID),
    ("editing-report", "GET"): (("dataset",), READERS),
    ("run-edits", "GET"): (("editing run",), READERS_ONLY),
    ("edited-responses", "GET"): (("editing run",), READERS_ONLY),
    ("edit-samples", "GET"): (("editing run",), READERS_ONLY),
    # The run of the world changed one sentence, and 30 are drawn unless a number is sent.
    ("edit-samples", "POST"): (("editing run",), READERS_ONLY_INVALID),
    ("edit-sample", "GET"): (("edit sample",), READERS_ONLY),
    # An empty change changes nothing; a run at work is not deleted.
    ("run", "PATCH"): (("run",), READERS_ONLY),
    ("run", "DELETE"): (("run",), READERS_ONLY_INVALID),
    # Without the other run.
    ("run-diff", "GET"): (("run",), READERS_ONLY_INVALID),
    ("run-manifest", "GET"): (("run",), READERS_ONLY),
    ("run-stop", "POST"): (("run",), READERS_ONLY),
    ("run-resume", "POST"): (("run",), (NOBODY, 404, 404, 404, 202, 202, 202)),
    ("batches", "GET"): (("dataset",), READERS),
    ("batches", "POST"): (("dataset",), READERS_INVALID),
    ("batch", "GET"): (("batch",), READERS_ONLY),
    ("batch-stop", "POST"): (("batch",), READERS_ONLY),
    ("batch-resume", "POST"): (("batch",), READERS_ONLY),
    ("run-predictions", "GET"): (("run",), READERS_ONLY),
    ("run-claims", "GET"): (("run",), READERS_ONLY),
    # A JSON body is no file of predictions.
    ("predictions", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 415, 415)),
    ("eval-logs", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 415, 415)),
    ("report", "GET"): (("dataset",), READERS),
    ("comparison", "GET"): (("dataset",), READERS),
    ("shares", "GET"): (("dataset",), READERS),
    ("shares", "POST"): (("dataset",), READERS_INVALID),
    ("share", "GET"): (("share",), READERS_ONLY),
    ("share-revoke", "POST"): (("share",), READERS_ONLY),
    # No dataset is named.
    ("leaderboards", "GET"): ((), (NOBODY, 422, 422, 422, 422, 422, 422)),
    ("export", "GET"): (("dataset",), READERS),
    # No run has finished yet.
    ("results", "GET"): (("dataset",), READERS_INVALID),
    ("results-units", "GET"): (("dataset",), READERS_INVALID),
    ("results-imports", "GET"): (("dataset",), READERS),
    # 415: what is sent is no form.
    ("results-imports", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 415, 415)),
    ("results-import", "GET"): (("results import",), READERS_ONLY),
    # The dataset has no facts.
    ("subjects", "GET"): (("dataset",), READERS_INVALID),
    ("jobs", "GET"): ((), ALL),
    ("job", "GET"): (("kind of job", "run"), READERS_ONLY),
    ("benchmarks", "GET"): (("dataset",), READERS),
    ("benchmarks", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 403, 415)),
    ("benchmark-file", "GET"): (("benchmark",), READERS_ONLY),
    ("benchmark", "GET"): (("benchmark",), READERS_ONLY),
    ("benchmark-examples", "GET"): (("benchmark",), READERS_ONLY),
    # Nothing is scored on it yet.
    ("benchmark-results", "GET"): (("benchmark",), READERS_ONLY_INVALID),
    ("scorings", "GET"): (("benchmark",), READERS_ONLY),
    ("scorings", "POST"): (("benchmark",), READERS_ONLY_INVALID),
    ("scored-models", "GET"): (("dataset",), READERS),
    ("scored-models", "POST"): (("dataset",), READERS_INVALID),
    ("scoring", "GET"): (("scoring",), READERS_ONLY),
    ("scores", "GET"): (("scoring",), READERS_ONLY),
    ("scoring-stop", "POST"): (("scoring",), READERS_ONLY),
    # It is not stopped.
    ("scoring-resume", "POST"): (("scoring",), READERS_ONLY),
    # 415: what is sent is no form.
    ("imports", "GET"): ((), ALL),
    ("imports", "POST"): ((), (NOBODY, 403, 403, 403, 415, 403, 415)),
    ("dataset-imports", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 403, 415)),
    ("import", "GET"): (("upload",), (NOBODY, 404, 404, 404, 200, 404, 404)),
    ("import", "DELETE"): (("upload",), (NOBODY, 404, 404, 404, 204, 404, 404)),
    ("responses", "GET"): (("dataset",), READERS),
    ("response", "GET"): (("response",), READERS_ONLY),
    ("prompts", "GET"): (("dataset",), READERS),
    ("reference-lists", "GET"): (("dataset",), READERS),
    ("reference-lists", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 403, 415)),
    ("prompts", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 403, 415)),
    ("dataset", "DELETE"): (("dataset",), WRITERS),
    ("guidelines", "GET"): (("dataset",), MEMBERS),
    ("guidelines", "POST"): (("dataset",), WRITERS),
    ("settings", "GET"): (("dataset",), ADJUDICATORS),
    ("settings", "PATCH"): (("dataset",), (NOBODY, 404, 403, 403, 428, 403, 428)),
    ("suggestions", "GET"): (("dataset",), ADJUDICATORS),
    # Only who administers the site changes them.
    ("suggestions", "PATCH"): (("dataset",), (NOBODY, 404, 403, 403, 403, 403, 428)),
    ("dataset-archive", "POST"): (("dataset",), ADJUDICATORS),
    ("dataset-restore", "POST"): (("dataset",), ADJUDICATORS),
    ("statistics", "GET"): (("dataset",), READERS),
    ("deletion", "GET"): (("deletion",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("members", "GET"): (("dataset",), ADJUDICATORS),
    ("members", "POST"): (("dataset",), WRITERS),
    # Ben's own membership: he may leave.
    ("member", "GET"): (("member",), (NOBODY, 404, 404, 200, 200, 404, 200)),
    ("member", "PATCH"): (("member",), WRITERS_ONLY),
    ("member", "DELETE"): (("member",), (NOBODY, 404, 404, 204, 204, 404, 204)),
    ("invitations", "GET"): (("dataset",), ADJUDICATORS),
    ("invitations", "POST"): (("dataset",), WRITERS),
    ("invitations-many", "POST"): (("dataset",), WRITERS),
    ("invitation", "GET"): (("invitation",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("invitation", "DELETE"): (("invitation",), (NOBODY, 404, 404, 404, 204, 404, 204)),
    ("knowledge", "GET"): (("dataset",), READERS),
    ("knowledge", "PUT"): (("dataset",), (NOBODY, 404, 403, 403, 428, 403, 428)),
    ("knowledge-sources", "GET"): (("dataset",), READERS),
    # Without a query.
    ("passages", "GET"): (("dataset",), (NOBODY, 404, 403, 403, 422, 422, 422)),
    ("document-uploads", "GET"): (("dataset",), ADJUDICATORS),
    ("document-uploads", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 415, 403, 415)),
    ("document-upload", "GET"): (("document upload",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("document", "GET"): (("dataset", "document"), MEMBERS),
    ("links", "GET"): (("dataset",), READERS),
    ("links", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 202, 202, 202)),
    ("import-confirm", "POST"): (("upload",), (NOBODY, 404, 404, 404, 202, 404, 404)),
    ("outside-runs", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 422, 422, 422)),
    ("run-leases", "POST"): (("run",), WORKERS),
    ("run-lease-renewal", "POST"): (("run",), WORKERS),
    ("run-judgements", "POST"): (("run",), WORKERS),
    ("assignments", "GET"): (("dataset",), ANNOTATORS),
    ("assignment-next", "POST"): (("dataset",), ANNOTATORS),
    ("assignment", "GET"): (("assignment",), OWN),
    ("assignment-draft", "PUT"): (("assignment",), (NOBODY, 404, 428, 404, 404, 404, 404)),
    ("assignment-submit", "POST"): (("assignment",), (NOBODY, 404, 428, 404, 404, 404, 404)),
    ("assignment-skip", "POST"): (("assignment",), (NOBODY, 404, 422, 404, 404, 404, 404)),
    ("assignment-take-up", "POST"): (("assignment",), OWN),
    ("assignment-take-back", "POST"): (("assignment",), (NOBODY, 404, 409, 404, 404, 404, 404)),
    ("assignment-keep", "POST"): (("assignment",), (NOBODY, 404, 409, 404, 404, 404, 404)),
    ("labels", "GET"): (("dataset",), READERS),
    ("agreement", "GET"): (("dataset",), READERS),
    ("gold", "GET"): (("dataset",), READERS),
    ("cases", "GET"): (("dataset",), ADJUDICATORS),
    ("case-segment", "GET"): (("dataset", "segment"), ADJUDICATORS),
    ("case-segment", "POST"): (("dataset", "segment"), DECIDE),
    ("case-fact", "GET"): (("dataset", "segment", "fact"), ADJUDICATORS),
    ("case-fact", "POST"): (("dataset", "segment", "fact"), DECIDE),
    ("unanimous", "GET"): (("dataset",), ADJUDICATORS),
    ("unanimous", "POST"): (("dataset",), DECIDE),
    ("gold-versions", "GET"): (("dataset",), READERS),
    ("gold-versions", "POST"): (("dataset",), DECIDE),
    ("gold-version", "GET"): (("version",), (NOBODY, 404, 404, 404, 200, 200, 200)),
    ("releases", "GET"): (("dataset",), READERS),
    ("releases", "POST"): (("dataset",), DECIDE),
    ("release", "GET"): (("release",), (NOBODY, 404, 404, 404, 200, 200, 200)),
    ("release-file", "GET"): (("release",), (NOBODY, 404, 404, 404, 200, 200, 200)),
    ("tasks", "GET"): (("dataset",), ADJUDICATORS),
    ("tasks-assign", "POST"): (("dataset",), DECIDE),
    ("tasks-assign-by-hand", "POST"): (("dataset",), DECIDE),
    ("tasks-unassign", "POST"): (("dataset",), DECIDE),
    ("tasks-reassign", "POST"): (("dataset",), DECIDE),
    ("tasks-need", "POST"): (("dataset",), DECIDE),
    ("tasks-kind", "POST"): (("dataset",), DECIDE),
    ("task-move-undo", "POST"): (("task move",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("send-back", "POST"): (("assignment row",), (NOBODY, 404, 404, 404, 422, 404, 422)),
    ("send-back-end", "POST"): (("assignment row",), (NOBODY, 404, 404, 404, 409, 404, 409)),
    ("webhooks", "GET"): (("dataset",), (NOBODY, 404, 403, 403, 200, 403, 200)),
    ("webhooks", "POST"): (("dataset",), (NOBODY, 404, 403, 403, 422, 403, 422)),
    ("webhook", "GET"): (("webhook",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("webhook", "PATCH"): (("webhook",), (NOBODY, 404, 404, 404, 428, 404, 428)),
    ("webhook", "DELETE"): (("webhook",), (NOBODY, 404, 404, 404, 204, 404, 204)),
    ("webhook-secret", "POST"): (("webhook",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("deliveries", "GET"): (("webhook",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("delivery", "GET"): (("delivery",), (NOBODY, 404, 404, 404, 200, 404, 200)),
    ("delivery-repeat", "POST"): (("delivery",), (NOBODY, 404, 404, 404, 202, 404, 202)),
}


def served() -> Iterator[tuple[str, str]]:
    """The name of each address of the API, with each of its methods."""
    for pattern in API:
        view = getattr(pattern.callback, "cls", None)
        for method in view.http_method_names if view else ["get"]:
            if method != "head" and (view is None or hasattr(view, method)):
                yield pattern.name or "", method.upper()


@pytest.fixture(scope="module")
def world(module_db: None) -> World:
    return make_world()


def test_every_address_and_method_is_in_the_table() -> None:
    assert set(served()) == set(EXPECTED)


@pytest.mark.parametrize(("name", "method"), EXPECTED)
def test_who_gets_what(world: World, name: str, method: str) -> None:
    about, expected = EXPECTED[name, method]
    address = reverse(f"api:{name}", args=[world[kind] for kind in about])
    found = {}
    for person in PEOPLE:
        with transaction.atomic():
            client = ApiClient("") if person == "nobody" else client_of(User.objects.get(username=person))
            found[person] = client.request(method, address, None if method == "GET" else {}).status_code
            transaction.set_rollback(True)
    assert found == dict(zip(PEOPLE, expected, strict=True))


@pytest.mark.parametrize("person", ["dora", "rhea", "ada", "root"])
def test_a_token_of_another_dataset_reaches_nothing(world: World, person: str) -> None:
    """Its person is an adjudicator there."""
    other, user = Dataset.objects.get(name="other"), User.objects.get(username=person)
    found = {}
    with transaction.atomic():
        other.memberships.create(user=user, role=Role.ADJUDICATOR)
        client = client_of(user, dataset=other)
        for (name, method), (about, _) in EXPECTED.items():
            if about:
                address = reverse(f"api:{name}", args=[world[kind] for kind in about])
                found[name, method] = client.request(method, address, None if method == "GET" else {}).status_code
        listed = [each["id"] for each in client.get("datasets/").json()["results"]]
        jobs = client.get("jobs/").json()["results"]
        transaction.set_rollback(True)
    assert {key: status for key, status in found.items() if status != 404} == {}
    assert (listed, jobs) == ([other.pk], [])


def test_every_post_can_be_repeated_under_a_key() -> None:
    posts = [view for view in views() if hasattr(view, "post")]
    assert posts
    assert [view for view in posts if not hasattr(view.post, "__wrapped__")] == []


def views() -> Iterator[type[APIView]]:
    for each in API:
        assert isinstance(each, URLPattern)
        if view := getattr(each.callback, "cls", None):
            yield view
