"""Of every kind of work: it is an item while no worker is running, and once it stopped or failed."""

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from annotate.attention.read import items_of
from annotate.models import Upload, User
from jobs.errors import JobError
from jobs.kinds import KINDS
from jobs.models import Job, JobItem, Worker
from tests.jobs.kinds import EXAMPLES

pytestmark = pytest.mark.django_db

# Pages of the web: one that is gone is a result (page of links), and the site fetches it for no dataset alone. Messages
# to webhooks: the page of webhooks lists what became of them. A file of one's own data: its page says how far it is.
# The daily deletion: the page Background work lists it. Requests in a batch: the run that waits for them says so.
NOBODYS = {"snapshot", "webhook", "own_data", "prune", "request_batch"}
# The page on which it was asked for says so: the annotator's, or that of the comparison.
ON_ITS_PAGE = {"requested_page", "comparison"}
WAITING = {
    "build": "1 benchmark waits: no worker is running.",
    "comparison": "1 comparison of evaluators waits: no worker is running.",
    "dataset_deletion": "Deletion of 2 responses, deletion 0 waits: no worker is running.",
    "document_upload": "1 upload of documents waits: no worker is running.",
    "generation": "1 collection of responses waits: no worker is running.",
    "open_ended": "1 study of open-ended text waits: no worker is running.",
    "perplexity": "1 measurement of perplexity waits: no worker is running.",
    "prompt_writing": "1 request for prompts waits: no worker is running.",
    "proposal": "1 request for facts waits: no worker is running.",
    "release": "1 release waits: no worker is running.",
    "results_upload": "1 import of results waits: no worker is running.",
    "requested_page": "1 page that an annotator cites waits: no worker is running.",
    "run": "1 run waits: no worker is running.",
    "scoring": "1 scoring of a language model waits: no worker is running.",
    "upload": "Import of rows.jsonl waits: no worker is running.",
}
ENDED = {
    "build": "1 benchmark is incomplete: its creation stopped.",
    "dataset_deletion": "Deletion of 2 responses, deletion 0 failed: It is away.",
    "document_upload": "1 upload of documents failed.",
    "generation": "1 collection of responses stopped before its end.",
    "open_ended": "1 study of open-ended text stopped before its end.",
    "perplexity": "1 measurement of perplexity stopped before its end.",
    "prompt_writing": "1 request for prompts failed.",
    "proposal": "2 responses have no facts: the model failed.",
    "release": "1 release failed.",
    "results_upload": "1 import of results failed.",
    "run": "The run of felm-segment · m failed: It is away.",
    "scoring": "1 scoring of a language model stopped before its end.",
    "upload": "Import of rows.jsonl failed: It is away.",
}


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root")


def make(name: str, root: User) -> Job | JobItem:
    """Two items of work that Root asked for, where that matters."""
    row = EXAMPLES[name].make(2)
    if isinstance(row, Job):
        type(row)._default_manager.filter(pk=row.pk).update(created_by=root)
    Upload.objects.update(uploaded_by=root)
    return row


def sentences(person: User) -> list[str]:
    return [item.sentence for item in items_of(person)]


def test_every_kind_is_named_here():
    assert set(WAITING) | NOBODYS == set(ENDED) | NOBODYS | ON_ITS_PAGE == set(KINDS)


@pytest.mark.parametrize("name", WAITING)
def test_work_without_a_worker_is_an_item(model, root, name):
    make(name, root)
    (item,) = items_of(root)
    assert item.sentence == WAITING[name]
    assert resolve(item.address.partition("?")[0])
    now = timezone.now()
    Worker.objects.create(name="w", queue=KINDS[name].queue, started_at=now, beat_at=now)
    assert items_of(root) == []


@pytest.mark.parametrize("name", ENDED)
def test_work_that_stopped_is_an_item(model, root, name):
    row = make(name, root)
    if isinstance(row, Job):
        row.stop_with(JobError("It is away."))
    else:
        of_kind = KINDS[name]().same_model()
        of_kind.put(JobItem.State.FAILED, error="It is away.", settled_at=timezone.now())
    (item,) = items_of(root)
    assert item.sentence == ENDED[name]
    assert resolve(item.address.partition("?")[0])


def test_work_of_a_worker_that_is_gone_waits(model, root):
    """Its lease has run out, and no other worker takes it back."""
    make("release", root)
    leased = {"state": "leased", "lease_owner": "w"}
    KINDS["release"]().same_model().update(**leased, lease_until="2999-01-01T00:00Z")
    assert sentences(root) == []
    KINDS["release"]().same_model().update(**leased, lease_until="2020-01-01T00:00Z")
    assert sentences(root) == [WAITING["release"]]


def test_a_researcher_sees_that_no_worker_is_running_and_an_annotator_does_not(model, root):
    row = make("run", root)
    for role in ("researcher", "annotator"):
        row.dataset.memberships.create(user=get_user_model().objects.create(username=role), role=role)
    assert sentences(User.objects.get(username="researcher")) == [WAITING["run"]]
    assert sentences(User.objects.get(username="annotator")) == []


@pytest.mark.parametrize("name", ["document_upload", "prompt_writing"])
def test_a_failure_is_no_item_once_the_same_is_done(model, root, name):
    make(name, root)
    KINDS[name]().same_model().put(JobItem.State.FAILED, error="It is away.", settled_at=timezone.now())
    (row,) = KINDS[name].items._default_manager.all()
    row.pk, row.state = None, JobItem.State.DONE
    row.save()
    assert sentences(root) == []


def test_queries_do_not_grow_with_the_work(model, root, django_assert_num_queries):
    make("run", root)
    with CaptureQueriesContext(connection) as few:
        items_of(root)
        queries = len(few)
    for name in ("run", "release", "build", "upload", "dataset_deletion"):
        make(name, root)
    with django_assert_num_queries(queries):
        items_of(root)
