"""From a link that is asked for to a page that is frozen or dead; and what is lost on the way."""

import hashlib
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone
from pytest_django import Settings

from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import Fetched
from knowledge.fetching.freeze import freeze, keep, put_down, take
from knowledge.fetching.page import Page
from knowledge.fetching.request import fetch_again, snapshots_of
from knowledge.fetching.waiting import MAX_ATTEMPTS, WINDOW, knock_for_waiting, sweep
from knowledge.models import Snapshot
from tests.knowledge.fetching.server import Answer, WebServer
from tests.waiting import LONGEST

pytestmark = pytest.mark.django_db
State = Snapshot.State
URL = "https://example.org/ada"
NOW = timezone.now()


@pytest.fixture
def open_web(web: WebServer, settings: Settings) -> WebServer:
    """The server, let in by the settings."""
    settings.SNAPSHOT_ALLOW = web.limits.allowed
    settings.SNAPSHOT_SECONDS = LONGEST
    return web


def ask(url: str = URL) -> Snapshot:
    return snapshots_of([url])[url]


def test_a_page_is_fetched_and_frozen(open_web: WebServer) -> None:
    page = open_web.serve("/new", "<title>Ada</title><meta name=date content=2019-03-04><p>She wrote it.</p>")
    snapshot = ask(open_web.redirect("/old", "/new"))
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.attempts, snapshot.error, snapshot.lease_until) == (State.FROZEN, 1, "", None)
    assert (snapshot.final_url, snapshot.media_type) == (page, "text/html")
    assert (snapshot.title, snapshot.published, snapshot.text) == ("Ada", "2019-03-04", "She wrote it.")
    assert snapshot.text_hash == hashlib.sha256(b"She wrote it.").hexdigest()
    assert snapshot.fetched_at is not None


def test_a_dead_page_says_why(open_web: WebServer) -> None:
    snapshot = ask(open_web.url("/nothing"))
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.error) == (State.DEAD, "The server answered 404 Not Found.")


def test_without_being_let_in_this_machine_is_not_reached(web: WebServer) -> None:
    web.serve("/", "Ada")
    snapshot = ask(web.url())
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.state == State.DEAD
    assert "not an address of the open internet" in snapshot.error
    assert web.asked == []


def test_a_server_that_is_busy_is_tried_again(open_web: WebServer) -> None:
    open_web.pages["/"] = Answer(status=503)
    snapshot = ask(open_web.url())
    freeze(snapshot.pk)
    open_web.serve("/", "Ada")
    freeze(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.attempts, snapshot.error) == (State.FROZEN, 2, "")


def test_the_pauses_grow_and_then_it_is_given_up() -> None:
    snapshot = ask()
    pauses = []
    for _ in range(MAX_ATTEMPTS):
        taken = take(snapshot.pk, NOW)
        assert taken is not None
        assert put_down(taken, FetchError("Busy.", temporary=True), NOW)
        snapshot.refresh_from_db()
        if snapshot.lease_until is not None:
            pauses.append((snapshot.lease_until - NOW).total_seconds())
    assert pauses == [30, 120, 480]
    assert (snapshot.state, snapshot.error) == (State.DEAD, "Busy.")


def test_one_of_two_workers_takes_it() -> None:
    snapshot = ask()
    assert take(snapshot.pk) is not None
    assert take(snapshot.pk) is None


def test_a_worker_that_was_given_up_writes_nothing() -> None:
    """Its lease ran out, another worker took over: what it brings late must not overwrite that."""
    snapshot = ask()
    slow = take(snapshot.pk, NOW - timedelta(hours=1))
    sweep(NOW)
    quick = take(snapshot.pk)
    assert slow is not None and quick is not None
    assert not keep(slow, Fetched(URL, "text/html", None, b""), Page("", "", "late"))
    assert keep(quick, Fetched(URL, "text/html", None, b""), Page("", "", "in time"))
    assert not put_down(slow, FetchError("Late."))
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.text) == (State.FROZEN, "in time")


def test_a_page_whose_workers_are_lost_again_and_again_is_given_up() -> None:
    snapshot = ask()
    for _ in range(MAX_ATTEMPTS):
        take(snapshot.pk, NOW - timedelta(hours=1))
        sweep(NOW)
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.attempts) == (State.DEAD, MAX_ATTEMPTS)
    assert "lost" in snapshot.error


def test_what_waits_is_knocked_for_once_in_the_time_of_a_lease() -> None:
    ask()
    assert [knock_for_waiting(NOW), knock_for_waiting(NOW)] == [1, 0]
    assert sweep(NOW + timedelta(hours=1)) == 1


def test_a_long_list_of_links_does_not_fill_the_queue() -> None:
    snapshots_of(f"https://example.org/{number}" for number in range(WINDOW + 5))
    assert [knock_for_waiting(NOW), knock_for_waiting(NOW)] == [WINDOW, 0]
    first = Snapshot.objects.order_by("pk").first()
    assert first is not None and take(first.pk) is not None
    assert knock_for_waiting(NOW) == 1


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
    taken = take(snapshot.pk)
    assert taken is not None
    put_down(taken, FetchError("Gone."))
    assert ask() == snapshot
    Snapshot.objects.update(fetched_at=NOW - timedelta(hours=2))
    assert ask() != snapshot


def test_a_frozen_page_counts_more_than_a_later_failure() -> None:
    frozen = ask()
    taken = take(frozen.pk)
    assert taken is not None
    keep(taken, Fetched(URL, "text/html", None, b""), Page("", "", "Ada"))
    failed = take(fetch_again(URL).pk)
    assert failed is not None
    put_down(failed, FetchError("Gone."))
    assert ask() == frozen
