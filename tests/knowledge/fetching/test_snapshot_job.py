"""From a link that is asked for to a page that is frozen or dead; and what is lost on the way."""

import hashlib
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone
from pytest_django import Settings

from jobs.enqueue import enqueue_waiting, sweep
from jobs.leases import Lease, lease_items
from jobs.policy import settle_failure
from jobs.work import work_on
from knowledge.fetching import freeze as freezing
from knowledge.fetching.errors import FetchError
from knowledge.fetching.request import fetch_again, snapshots_of
from knowledge.fetching.snapshot_job import SnapshotJob
from knowledge.models import Snapshot
from tests.knowledge.fetching.server import Answer, WebServer
from tests.waiting import LONGEST

pytestmark = pytest.mark.django_db
State = Snapshot.State
URL = "https://example.org/ada"
KIND = SnapshotJob()
PAST = "2001-01-01T00:00Z"


@pytest.fixture
def open_web(web: WebServer, settings: Settings) -> WebServer:
    """The server, let in by the settings."""
    settings.SNAPSHOT_ALLOW = web.limits.allowed
    settings.SNAPSHOT_SECONDS = LONGEST
    return web


def ask(url: str = URL) -> Snapshot:
    return snapshots_of([url])[url]


def freeze(pk: int) -> None:
    """Work on the snapshot, as if the pause before its next attempt were over."""
    Snapshot.objects.update(not_before=None)
    work_on(KIND, pk)


def take(pk: int, owner: str = "worker") -> Lease[Snapshot]:
    [lease] = lease_items(KIND.waiting(pk), owner, 1, KIND.max_attempts)
    return lease


def lose_workers() -> None:
    """As if whoever leased something had died long ago; it is taken back."""
    Snapshot.objects.leased().update(lease_until=PAST)
    sweep(KIND)


def keep(lease: Lease[Snapshot], text: str) -> bool:
    return lease.finish(text=text, text_hash="0" * 64)


def put_down(lease: Lease[Snapshot], message: str) -> None:
    settle_failure(KIND, lease, FetchError(message))


def test_a_page_is_fetched_and_frozen(open_web: WebServer) -> None:
    page = open_web.serve("/new", "<title>Ada</title><meta name=date content=2019-03-04><p>She wrote it.</p>")
    snapshot = ask(open_web.redirect("/old", "/new"))
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.attempts, snapshot.error, snapshot.lease_until) == (State.DONE, 1, "", None)
    assert (snapshot.final_url, snapshot.media_type) == (page, "text/html")
    assert (snapshot.title, snapshot.published, snapshot.text) == ("Ada", "2019-03-04", "She wrote it.")
    assert snapshot.text_hash == hashlib.sha256(b"She wrote it.").hexdigest()
    assert snapshot.settled_at is not None


def test_a_dead_page_says_why(open_web: WebServer) -> None:
    snapshot = ask(open_web.url("/nothing"))
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.error) == (State.FAILED, "The server answered 404 Not Found.")


def test_without_being_let_in_this_machine_is_not_reached(web: WebServer) -> None:
    web.serve("/", "Ada")
    snapshot = ask(web.url())
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.state == State.FAILED
    assert "not an address of the open internet" in snapshot.error
    assert web.asked == []


def test_a_server_that_is_busy_is_tried_again(open_web: WebServer) -> None:
    open_web.pages["/"] = Answer(status=503)
    snapshot = ask(open_web.url())
    freeze(snapshot.pk)
    open_web.serve("/", "Ada")
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.attempts, snapshot.error) == (State.DONE, 2, "")


def test_the_pauses_grow_and_then_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise FetchError("Busy.", retry=True)

    monkeypatch.setattr(freezing, "fetch", fail)
    snapshot = ask()
    pauses = []
    for _ in range(KIND.max_attempts):
        begun = timezone.now()
        freeze(snapshot.pk)
        snapshot.refresh_from_db()
        if snapshot.not_before is not None:
            pauses.append(round((snapshot.not_before - begun).total_seconds(), -1))
    assert pauses == [30, 120, 480]
    assert (snapshot.state, snapshot.attempts, snapshot.error) == (State.FAILED, 4, "Busy.")


def test_one_of_two_workers_takes_it() -> None:
    snapshot = ask()
    take(snapshot.pk)
    assert lease_items(KIND.waiting(snapshot.pk), "other", 1, KIND.max_attempts) == []


def test_a_worker_that_was_given_up_writes_nothing() -> None:
    """Its lease ran out, another worker took over: what it brings late must not overwrite that."""
    snapshot = ask()
    slow = take(snapshot.pk, "slow")
    lose_workers()
    quick = take(snapshot.pk, "quick")
    assert not keep(slow, "late")
    assert keep(quick, "in time")
    put_down(slow, "Late.")
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.text, snapshot.error) == (State.DONE, "in time", "")


def test_a_page_whose_workers_are_lost_again_and_again_is_given_up() -> None:
    snapshot = ask()
    for _ in range(KIND.max_attempts):
        take(snapshot.pk)
        lose_workers()
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.attempts) == (State.FAILED, KIND.max_attempts)
    assert "lost" in snapshot.error


def test_what_waits_is_enqueued_once_in_the_time_of_a_lease() -> None:
    snapshot = ask()
    assert [enqueue_waiting(KIND), enqueue_waiting(KIND)] == [[snapshot.pk], []]
    Snapshot.objects.update(enqueued_at=PAST)
    assert sweep(KIND) == [snapshot.pk]


def test_a_page_that_is_tried_again_is_enqueued_when_its_pause_is_over() -> None:
    snapshot = ask()
    assert enqueue_waiting(KIND) == [snapshot.pk]
    take(snapshot.pk).retry("Busy.", timedelta(seconds=30))
    assert enqueue_waiting(KIND) == []
    moments = {"enqueued_at": timezone.now() - timedelta(seconds=31), "not_before": timezone.now()}
    Snapshot.objects.update(**moments)
    assert enqueue_waiting(KIND) == [snapshot.pk]


def test_a_long_list_of_links_does_not_fill_the_queue() -> None:
    snapshots_of(f"https://example.org/{number}" for number in range(KIND.window + 5))
    assert [len(enqueue_waiting(KIND)), len(enqueue_waiting(KIND))] == [KIND.window, 0]
    first = Snapshot.objects.order_by("pk").first()
    assert first is not None and take(first.pk)
    assert len(enqueue_waiting(KIND)) == 1


def test_one_address_is_one_fetch() -> None:
    asked = snapshots_of([URL, f"{URL}#part", "HTTPS://EXAMPLE.org/ada", "Smith 1999"])
    assert len({snapshot.pk for snapshot in asked.values()}) == Snapshot.objects.count() == 1
    assert "Smith 1999" not in asked
    assert ask() == asked[URL]


def test_the_database_keeps_it_so() -> None:
    ask()
    with pytest.raises(IntegrityError):
        Snapshot.objects.create(url=URL)


def test_a_frozen_page_serves_later_askers_and_stays_when_it_is_fetched_again(open_web: WebServer) -> None:
    url = open_web.serve("/", "as it was")
    old = ask(url)
    freeze(old.pk)
    assert ask(url) == old
    new = fetch_again(url)
    assert fetch_again(url) == new != old
    open_web.serve("/", "as it is")
    freeze(new.pk)
    assert list(Snapshot.objects.order_by("pk").values_list("text", flat=True)) == ["as it was", "as it is"]


def test_a_page_that_died_lately_is_not_tried_at_once_again() -> None:
    snapshot = ask()
    put_down(take(snapshot.pk), "Gone.")
    assert ask() == snapshot
    Snapshot.objects.update(settled_at=timezone.now() - timedelta(hours=2))
    assert ask() != snapshot


def test_a_frozen_page_counts_more_than_a_later_failure() -> None:
    frozen = ask()
    keep(take(frozen.pk), "Ada")
    put_down(take(fetch_again(URL).pk), "Gone.")
    assert ask() == frozen
