"""What docs/deploy.md says of processes, services, units and metrics is what is there."""

import re
import shlex

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase

from config.workers import words_of
from core import counters
from health.gauges import WorkCollector
from jobs.kinds import Queue
from tests.deploy.files import ROOT, SYSTEMD, compose, procfile, unbound

PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
METRIC = re.compile(r"^\| `(touchstone_\w+)` \|([^|]*)\|", re.MULTILINE)


def commands(program: str) -> list[list[str]]:
    """The indented lines that begin with the program."""
    return [shlex.split(line) for line in re.findall(rf"^ {{4,}}({program} .*)$", PAGE, re.MULTILINE)]


def test_the_processes_are_those_of_the_procfile() -> None:
    [web] = commands("gunicorn")
    place = web.index("--workers")
    assert unbound(web[:place] + web[place + 2 :]) == unbound(procfile()["web"])
    [worker] = commands("celery")
    silent = {"--quiet", "--loglevel", "WARNING"}
    assert worker == [word for word in words_of("short") if word not in silent]


def test_the_services_of_docker_compose_are_there() -> None:
    asked = commands("docker compose exec")
    assert asked
    assert {words[3] for words in asked} <= set(compose()["services"])
    assert re.findall(r"--profile (\w+)", PAGE) == compose()["services"]["metrics"]["profiles"]


def test_every_unit_that_is_started_is_there() -> None:
    [[*_, first, second, third]] = commands("systemctl enable")
    names = {f"touchstone-worker@{queue.value}" for queue in Queue} | {"touchstone-web"}
    assert {first, second, third} == names
    files = {re.sub(r"@\w+", "@", name) + ".service" for name in names}
    assert files <= {path.name for path in SYSTEMD.iterdir()}


def test_the_one_command_is_in_readme_and_makefile() -> None:
    assert ["make", "site", "SITE=touchstone.example"] in commands("make")
    assert "    make site SITE=touchstone.example\n" in (ROOT / "README.md").read_text(encoding="utf-8")
    recipe = MAKEFILE.split("\nsite: ")[1].split("\n\n")[0]
    assert "deploy/secrets.sh" in recipe
    assert "docker compose up --detach --build" in recipe


@pytest.mark.django_db
def test_every_metric_is_listed_with_its_labels_and_no_other() -> None:
    listed = {name: set(re.findall(r"`(\w+)`", labels)) for name, labels in METRIC.findall(PAGE)}
    counted = [each for each in vars(counters).values() if isinstance(each, MetricWrapperBase)]
    there = {f"{each._name}{'_total' * (each._type == 'counter')}": set(each._labelnames) for each in counted}
    registry = CollectorRegistry()
    registry.register(WorkCollector())
    there |= {family.name: listed.get(family.name, set()) for family in registry.collect()}
    for family in registry.collect():
        for sample in family.samples:
            assert set(sample.labels) == listed[family.name]
    there["touchstone_database_up"] = set()
    assert listed == there
