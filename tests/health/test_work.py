"""The page of background work: what is shown of every kind, and trying again."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import Release, Upload, User
from evaluators.models import Run
from health.work import FAILED, FINISHED, RUNNING, STATES, WAITING, listed, work_of_site
from jobs.kinds import KINDS
from jobs.models import Job, JobItem
from tests.factories import make_person
from tests.jobs.kinds import EXAMPLES, make_release
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

CAUSE = "The disk is <full>."


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", password="root"))
    return client


def fail(row: Job | JobItem) -> None:
    if isinstance(row, Job):
        row.stop_with(ValueError(CAUSE))
    else:
        type(row)._default_manager.filter(pk=row.pk).update(state=JobItem.State.FAILED, error=CAUSE)


def states_of(kind: str) -> list[tuple[str, bool]]:
    return [(each.state, each.can_retry) for each in listed(list(work_of_site([kind], [])))]


@pytest.mark.parametrize("name", sorted(KINDS))
def test_of_every_kind_what_failed_is_listed_with_its_cause_and_tried_again(name: str, root: Client, model) -> None:
    row = EXAMPLES[name].make(1)
    assert {state for state, _ in states_of(name)} == {WAITING}
    fail(row)
    retried = name not in ("upload", "document_upload", "results_upload", "request_batch")
    assert (FAILED, retried) in states_of(name)
    page = root.get(reverse("work-of-site"), {"kind": name}).content.decode()
    assert "The disk is &lt;full&gt;." in page
    address = reverse("work-retry", args=[name, row.pk])
    assert (address in page) == retried
    here = f"{reverse('work-of-site')}?kind={name}&state=failed"
    answer = root.post(address, {"next": here}, follow=True)
    assert answer.redirect_chain == [(here, 302)]
    told = "is tried again." if retried else "cannot be tried again"
    assert told in answer.content.decode()
    assert {state for state, _ in states_of(name)} == {WAITING if retried else FAILED}


def test_states_are_told_apart(root: Client) -> None:
    waiting, running, finished, failed = (make_release(1) for _ in range(4))
    Release.objects.filter(pk=running.pk).update(
        state="leased", lease_owner="one", lease_until="2100-01-01T00:00:00+00:00"
    )
    Release.objects.filter(pk=finished.pk).update(state="done")
    fail(failed)
    rows = {WAITING: waiting, RUNNING: running, FINISHED: finished, FAILED: failed}
    for state, row in rows.items():
        assert [each["row_pk"] for each in work_of_site([], [state])] == [row.pk]
    assert set(rows) == set(STATES)
    # Without a word on it, what failed is shown.
    page = squeezed(root.get(reverse("work-of-site")).content.decode())
    assert f"Release {failed.pk}" in page
    assert f"Release {waiting.pk}<" not in page


def test_the_items_of_a_job_are_counted(model) -> None:
    run = EXAMPLES["run"].make(2)
    assert isinstance(run, Run)
    run.items.filter(pk=run.items.first().pk).update(state="failed")
    [each] = listed(list(work_of_site(["run"], [])))
    assert each.items and [each.items[name] for name in ("total", "done", "failed")] == [2, 0, 1]


def test_the_queries_do_not_grow_with_the_rows(root: Client) -> None:
    root.get(reverse("work-of-site"))  # what a process asks once
    counts = []
    for rows in (1, 5):
        for _ in range(rows):
            make_release(1)
        with CaptureQueriesContext(connection) as asked:
            root.get(reverse("work-of-site"), {"state": ""})
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_what_has_not_failed_is_left_alone(root: Client) -> None:
    release = make_release(1)
    answer = root.post(reverse("work-retry", args=["release", release.pk]), follow=True)
    assert "cannot be tried again" in answer.content.decode()
    assert root.post(reverse("work-retry", args=["nothing", 1])).status_code == 404
    assert Upload.objects.count() == 0


@pytest.mark.parametrize("back", ["https://elsewhere.example/server/work/", "//elsewhere.example", "/admin/"])
def test_the_way_back_leads_nowhere_else(root: Client, back: str) -> None:
    release = make_release(1)
    fail(release)
    answer = root.post(reverse("work-retry", args=["release", release.pk]), {"next": back})
    assert answer["Location"] == reverse("work-of-site")


def test_only_superusers_see_it(client: Client) -> None:
    client.force_login(make_person("ada"))
    release = make_release(1)
    fail(release)
    assert client.get(reverse("work-of-site")).status_code == 403
    assert client.post(reverse("work-retry", args=["release", release.pk])).status_code == 403
    release.refresh_from_db()
    assert release.state == JobItem.State.FAILED
