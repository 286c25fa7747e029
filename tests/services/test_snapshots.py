"""Cited pages are frozen by real workers, whatever happens to those, on both databases and brokers."""

from collections.abc import Callable, Iterator

import pytest

from tests.knowledge.fetching.server import Answer, WebServer, web_server
from tests.services.conftest import House
from tests.waiting import LONGEST, wait_until

# What a page that asks for snapshots does, in a process of its own: nothing of it is left when the worker comes.
ASK = "from knowledge.fetching.request import snapshots_of; snapshots_of({urls!r})"


@pytest.fixture
def web() -> Iterator[WebServer]:
    with web_server() as server:
        yield server


def ask(house: House, *urls: str) -> None:
    done = house.run("shell", "--no-imports", "--command", ASK.format(urls=list(urls)))
    assert done.returncode == 0, done.stderr


def let_in(web: WebServer) -> dict[str, str]:
    return {"SNAPSHOT_ALLOW": f"127.0.0.1:{web.port}", "SNAPSHOT_SECONDS": str(LONGEST)}


def let_lease_run_out(house: House) -> None:
    """As if the time had passed in which a worker would have come to it."""
    past = "'2001-01-01 00:00:00+00:00'"
    house.write(f"update knowledge_snapshot set lease_until = {past} where state = 'leased'")
    house.write(f"update knowledge_snapshot set enqueued_at = {past}")


def states(house: House) -> dict[str, str]:
    return dict(house.ask("select url, state from knowledge_snapshot"))


def test_a_worker_freezes_what_is_asked_for(make_house: Callable[..., House], web: WebServer) -> None:
    house = make_house(**let_in(web))
    urls = [web.serve(f"/{number}", f"<title>Page {number}</title>Text {number}.") for number in range(30)]
    gone = web.url("/gone")
    house.start_worker()
    ask(house, *urls, gone)
    wait_until(lambda: set(states(house).values()) == {"done", "failed"}, "everything is settled", LONGEST)
    assert states(house) == {**dict.fromkeys(urls, "done"), gone: "failed"}
    assert house.count("knowledge_snapshot", "title = 'Page 7' and text = 'Text 7.'") == 1
    assert len(web.asked) == 31


def test_what_was_asked_for_while_no_worker_lived_is_found(
    make_house: Callable[..., House], web: WebServer, postgres_url: str, redis_url: str
) -> None:
    """The queue has lost the knock: the sweep of a worker that starts finds the row."""
    house = make_house(DATABASE_URL=postgres_url, CELERY_BROKER_URL=redis_url, **let_in(web))
    url = web.serve("/", "Ada")
    lost = {**house.environment, "CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}
    ask(House(lost), url)
    assert states(house) == {url: "waiting"}
    let_lease_run_out(house)
    house.start_worker()
    wait_until(lambda: states(house) == {url: "done"}, "the page is frozen", LONGEST)


def test_a_killed_workers_page_is_fetched_by_the_next(make_house: Callable[..., House], web: WebServer) -> None:
    house = make_house(**let_in(web))
    web.pages["/"] = Answer(b"never ends", headers={"Content-Type": "text/plain"}, drips=True)
    worker = house.start_worker()
    ask(house, web.url())
    wait_until(lambda: states(house) == {web.url(): "leased"}, "a worker fetches", LONGEST)
    house.kill(worker)
    let_lease_run_out(house)
    web.serve("/", "Ada", "text/plain")
    house.start_worker()
    wait_until(lambda: states(house) == {web.url(): "done"}, "another worker froze it", LONGEST)
    assert house.ask("select attempts, text from knowledge_snapshot") == [(2, "Ada")]
