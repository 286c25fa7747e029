"""Reports of errors as a Sentry server receives them, from web server and worker: none holds anything of the data."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.test import Client

from config.request_ids import numbered
from jobs.tasks import work
from tests.factories import make_person
from tests.services.conftest import House
from tests.waiting import LONGEST, wait_until

# What must not leave the machine.
TEXT = "The Danube is a secret river."
NAME, COOKIE, QUERY = "ada-of-the-lab", "cookie-of-ada", "query-of-ada"
KEY = "sk-key-of-the-lab"


@contextmanager
def sentry() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a project, and the bodies that were sent to it."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            bodies.append(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *arguments: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://public@127.0.0.1:{server.server_address[1]}/2", bodies
        finally:
            server.shutdown()
            thread.join()


def reports(bodies: list[bytes]) -> list[dict[str, Any]]:
    """The errors in the envelopes: a line each of header, item's header, item."""
    found = []
    for body in bodies:
        lines = [json.loads(line) for line in body.splitlines() if line]
        found += [item for kind, item in zip(lines[1::2], lines[2::2], strict=True) if kind.get("type") == "event"]
    return found


def ask_a_broken_view() -> str:
    """A view whose error says all that it knows; the number of the request."""
    import sentry_sdk

    import config.wsgi
    from annotate.models import Dataset

    def broken(*arguments: object) -> None:
        text, key = TEXT, KEY
        raise ValueError(f"{text} {key} {arguments}")

    assert config.wsgi.application
    Dataset.objects.of = broken  # type: ignore[method-assign]
    client = Client(raise_request_exception=False)
    client.force_login(make_person(NAME))
    client.cookies["seen"] = COOKIE
    answer = client.get("/", {"q": QUERY}, headers={"host": "localhost", "authorization": f"Bearer {KEY}"})
    assert answer.status_code == 500
    sentry_sdk.flush()
    return str(answer.headers["X-Request-ID"])


def enqueue_unknown_work(number: str) -> None:
    """There is no such kind of work: the error's message and the task's arguments hold a text."""
    with numbered(number):
        work.apply_async((f"{TEXT} {KEY}", 1), queue="short", retry=False)


def check_scrubbed(bodies: list[bytes]) -> None:
    sent = b" ".join(bodies).decode()
    for secret in (TEXT, NAME, COOKIE, QUERY, KEY, "sessionid", "127.0.0.1", "Bearer"):
        assert secret not in sent


def test_an_error_in_a_view_is_told_without_anything_of_the_request(make_house: Callable[..., House]) -> None:
    with sentry() as (address, bodies):
        house = make_house(SENTRY_DSN=address)
        number = house.call(ask_a_broken_view)
        wait_until(lambda: reports(bodies), "the error arrives", LONGEST)
    [report] = reports(bodies)
    [exception] = report["exception"]["values"]
    assert (exception["type"], "value" in exception) == ("ValueError", False)
    assert exception["stacktrace"]["frames"][-1]["function"] == "broken"
    assert report["transaction"] == "annotate.overview.views.home"
    assert report["tags"] == {"request_id": number}
    check_scrubbed(bodies)


def test_an_error_in_a_job_is_told_without_anything_of_its_data(make_house: Callable[..., House]) -> None:
    with sentry() as (address, bodies):
        house = make_house(SENTRY_DSN=address)
        house.call(enqueue_unknown_work, "number-of-the-request")
        house.start_worker()
        wait_until(lambda: reports(bodies), "the error arrives", LONGEST)
    report = reports(bodies)[0]
    [exception] = report["exception"]["values"]
    assert (exception["type"], "value" in exception) == ("KeyError", False)
    assert exception["stacktrace"]["frames"][-1]["function"] == "work"
    assert report["tags"] == {"request_id": "number-of-the-request"}
    check_scrubbed(bodies)


def test_nothing_is_sent_without_an_address(make_house: Callable[..., House]) -> None:
    assert make_house().call(is_reporting) is False


def is_reporting() -> bool:
    import sentry_sdk

    import config.wsgi

    assert config.wsgi.application
    return bool(sentry_sdk.is_initialized())
