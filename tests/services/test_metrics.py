"""Metrics as Prometheus reads them: over HTTP, from a web server of two processes."""

import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path

from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from annotate.models import Task
from annotate.tasks.create import create_tasks
from bench.workbench.annotator import PASSWORD, SUPPORTED, Annotator
from tests.factories import make_dataset, make_person, make_response
from tests.processes import Started, run_program
from tests.services.conftest import House, free_port
from tests.waiting import LONGEST, wait_until

ASKED = 24
Sample = tuple[str, frozenset[tuple[str, str]]]


def answers(address: str, path: str) -> bool:
    try:
        urllib.request.urlopen(f"http://{address}{path}", timeout=LONGEST).close()
    except OSError:  # refused, or reset by a process that is ending
        return False
    return True


def scrape(address: str) -> dict[Sample, float]:
    """What Prometheus would store, by name and labels."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=LONGEST) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    samples = [sample for family in families for sample in family.samples]
    read = {(each.name, frozenset(each.labels.items())): each.value for each in samples}
    assert len(read) == len(samples), "a sample is there twice"
    return read


def value(read: dict[Sample, float], name: str, **labels: str) -> float:
    return read.get((name, frozenset(labels.items())), 0)


def ask(port: int, path: str) -> int:
    """The status of the answer; a server that is busy is asked again, as it wants to be and counts no such request."""
    return wait_until(lambda: status(port, path), "the server has time", LONGEST)


def status(port: int, path: str) -> int:
    """0 while it is busy."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=LONGEST) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return 0 if error.code == HTTPStatus.SERVICE_UNAVAILABLE else error.code


def ask_together(port: int, path: str) -> None:
    """On so many connections at once that both processes of the web server answer some."""
    with ThreadPoolExecutor(8) as clients:
        list(clients.map(lambda _: ask(port, path), range(ASKED)))


def start_metrics(house: House, address: str) -> None:
    house.workers.append(Started(run_program, "manage.py", "metrics", environment=house.environment))
    wait_until(lambda: answers(address, "/metrics"), "metrics are served", LONGEST)


def start_web(house: House, port: int) -> Started:
    words = ["config.wsgi", "--config", "python:config.web_server", "--bind", f"127.0.0.1:{port}"]
    web = Started(run_program, "gunicorn", *words, environment=house.environment)
    house.workers.append(web)
    wait_until(lambda: answers(f"127.0.0.1:{port}", "/healthz"), "the web server answers", LONGEST)
    return web


def test_requests_of_all_processes_are_counted_and_go_on_after_a_kill(make_house: Callable[..., House]) -> None:
    port, address = free_port(), f"127.0.0.1:{free_port()}"
    house = make_house(METRICS_ADDRESS=address)
    web = start_web(house, port)
    start_metrics(house, address)
    ask_together(port, "/login/")
    ask_together(port, "/nothing-is-here/")
    first = scrape(address)
    for name, labels in [
        ("touchstone_requests_total", {"view": "account_login", "status": "200"}),
        ("touchstone_requests_total", {"view": "-", "status": "404"}),
        ("touchstone_request_seconds_count", {"view": "account_login"}),
        ("touchstone_request_seconds_bucket", {"view": "account_login", "le": "+Inf"}),
    ]:
        assert value(first, name, **labels) == ASKED
    assert value(first, "touchstone_database_up") == 1
    assert ("touchstone_queue_age_seconds", frozenset({("queue", "long")})) in first
    # Probes are not counted, and addresses are not named.
    assert not any("healthz" in str(labels) or "nothing-is-here" in str(labels) for _, labels in first)

    folder = Path(house.environment["DATA_DIR"]) / "counters"
    files = sorted(path.name for path in folder.glob("*.db"))
    house.kill(web)
    start_web(house, port)
    ask_together(port, "/login/")
    counted = {"view": "account_login", "status": "200"}
    # The new processes go on with the files of those that were killed.
    assert value(scrape(address), "touchstone_requests_total", **counted) == 2 * ASKED
    assert sorted(path.name for path in folder.glob("*.db")) == files


def test_nothing_is_served_unless_an_address_is_named(make_house: Callable[..., House]) -> None:
    house = make_house()
    done = house.run("metrics")
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: METRICS_ADDRESS is not set: ")
    assert not (Path(house.environment["DATA_DIR"]) / "counters").exists()


class Window(Annotator):
    """One of several windows of an annotator."""

    def send(self) -> int:
        """Save a judgement of the first unit over the version that this window knows; the status of the answer."""
        return int(self._post({self.units[0]: {**SUPPORTED, "reason": "of this window"}}).status)


def prepare_work() -> None:
    """Two tasks for Ada."""
    dataset = make_dataset("moons")
    for text in ("One is odd.", "Two is odd."):
        make_response(dataset, (text,))
    ada = make_person("ada", dataset)
    ada.set_password(PASSWORD)
    ada.save()
    create_tasks(dataset)


def close_tasks() -> None:
    Task.objects.update(closed_at=timezone.now())


def outcomes(address: str) -> dict[str, float]:
    """Of the saves so far, by a scrape."""
    read = scrape(address)
    names = ("saved", "stale", "submitted", "closed")
    return {name: value(read, "touchstone_saves_total", outcome=name) for name in names}


def test_saves_are_counted_by_their_outcome_and_a_second_window_is_a_conflict(make_house: Callable[..., House]) -> None:
    port, address = free_port(), f"127.0.0.1:{free_port()}"
    house = make_house(METRICS_ADDRESS=address)
    house.call(prepare_work)
    start_web(house, port)
    start_metrics(house, address)
    one, other = Window(port, "ada"), Window(port, "ada")
    for window in (one, other):
        window.log_in()
        window.begin()
    assert one.address == other.address
    assert outcomes(address) == {"saved": 0, "stale": 0, "submitted": 0, "closed": 0}

    one.save()
    one.save()
    assert other.send() == 409
    assert outcomes(address) == {"saved": 2, "stale": 1, "submitted": 0, "closed": 0}

    one.next()  # its submission is a save too
    assert other.send() == 409
    assert outcomes(address) == {"saved": 3, "stale": 1, "submitted": 1, "closed": 0}

    house.call(close_tasks)
    assert one.send() == 409
    assert outcomes(address) == {"saved": 3, "stale": 1, "submitted": 1, "closed": 1}
