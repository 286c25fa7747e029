"""The same processes are started by Procfile, compose.yaml and systemd."""

import pytest

from config.workers import words_of
from jobs.kinds import Queue
from tests.deploy.files import compose, procfile, started_by, unbound

WORKERS = [queue.value for queue in Queue]


def test_the_procfile_starts_a_web_server_and_all_workers() -> None:
    assert procfile().keys() == {"web", "workers"}
    assert procfile()["workers"] == ["python", "-m", "config.workers"]


def test_containers_start_the_web_server_of_the_procfile() -> None:
    assert unbound(compose()["services"]["web"]["command"]) == unbound(procfile()["web"])


@pytest.mark.parametrize("queue", WORKERS)
def test_containers_start_the_same_worker_of_each_queue(queue: str) -> None:
    assert compose()["services"][queue]["command"] == words_of(queue)


def test_systemd_starts_what_the_procfile_starts() -> None:
    assert unbound(started_by("touchstone-web.service")) == unbound(procfile()["web"])
    for name in WORKERS:
        assert started_by("touchstone-worker@.service", name) == words_of(name)


def test_containers_and_systemd_serve_metrics_by_the_same_command() -> None:
    assert compose()["services"]["metrics"]["command"] == started_by("touchstone-metrics.service")
