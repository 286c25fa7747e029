"""The same processes are started by Procfile, compose.yaml and systemd."""

import pytest

from jobs.kinds import Queue
from tests.deploy.files import compose, procfile, started_by, unbound

WORKERS = [queue.value for queue in Queue]


def test_there_is_a_web_server_and_a_worker_of_each_queue() -> None:
    assert set(procfile()) == {"web", *WORKERS}
    for name in WORKERS:
        words = procfile()[name]
        assert words[words.index("--queues") + 1] == name


@pytest.mark.parametrize("name", ["web", *WORKERS])
def test_containers_start_what_the_procfile_starts(name: str) -> None:
    assert unbound(compose()["services"][name]["command"]) == unbound(procfile()[name])


def test_systemd_starts_what_the_procfile_starts() -> None:
    assert unbound(started_by("touchstone-web.service")) == unbound(procfile()["web"])
    for name in WORKERS:
        assert started_by("touchstone-worker@.service", name) == procfile()[name]


def test_containers_and_systemd_serve_metrics_by_the_same_command() -> None:
    assert compose()["services"]["metrics"]["command"] == started_by("touchstone-metrics.service")
