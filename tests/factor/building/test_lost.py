"""A build that is stopped, killed, doubled or out of money goes on, and brings everything once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.leased.leases import lease_next
from annotate.leased.undertake import go_on, stop
from core.errors import DataError
from factor.building import queue
from factor.building.generating import _store as store
from factor.building.write import accept, end
from factor.generating.sift import Sifted
from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate
from tests.factor.building.corpus import begin, outcomes, work

pytestmark = pytest.mark.django_db


def test_an_endpoint_that_is_down_stops_it_and_it_goes_on(model):
    model.control(fail_every=1, fail_status=503)

    build = work(begin())

    assert build.state == "stopped"
    assert "503" in build.error or "answer" in build.error
    assert set(build.items.values_list("state", flat=True)) <= {"waiting", "done"}
    assert outcomes(build)["Short"] == "too short"
    model.control(fail_every=0)
    go_on(build)
    assert work(build).state == "finished"
    assert build.benchmark.examples.count() == 3


def test_the_budget_stops_it_and_a_higher_one_lets_it_go_on(model):
    build = begin()
    BenchmarkBuild.objects.filter(pk=build.pk).update(max_tokens=10)

    assert work(build).state == "stopped"
    assert model.stats()["total"] == 0
    go_on(build)
    BenchmarkBuild.objects.filter(pk=build.pk).update(max_tokens=10_000_000)
    assert work(build).state == "finished"


def test_killed_between_stages_it_goes_on_with_every_candidate_once(model):
    model.control(fail_every=1, fail_status=503)
    build = work(begin())  # stopped, with sentences and nothing generated
    model.control(fail_every=0)
    go_on(build)
    killed = lease_next(BenchmarkBuildItem.objects.to_work_on().filter(build=build, stage="generate"), "who was killed")

    assert work(build).state == "building"  # the lease of the killed one is in force still
    assert build.items.made().count() == 2
    BenchmarkBuildItem.objects.filter(pk=killed.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    queue.sweep()

    assert work(build).state == "finished"
    assert build.benchmark.examples.count() == 3
    assert Candidate.objects.of(build).filter(outcome="chosen").count() == 9


def test_a_doubled_task_changes_nothing(model):
    build = work(begin())
    there = set(Candidate.objects.values_list("pk", "outcome"))

    work(build)
    end(build)

    assert set(Candidate.objects.values_list("pk", "outcome")) == there
    assert build.benchmark.examples.count() == 3


def test_what_a_worker_brings_that_lost_its_lease_is_not_stored(model):

    build = begin()
    item = build.items.first()
    lost = BenchmarkBuildItem.objects.held_by("a worker that was too slow").filter(pk=item.pk)

    store(lost, item, [Sifted("entity", 0, "", "Another sentence.", None)])

    assert Candidate.objects.count() == 0


def test_what_there_is_can_be_taken(model):
    build = begin()
    held = lease_next(BenchmarkBuildItem.objects.to_work_on().filter(build=build, document__key="Short"), "another")
    work(build)
    stop(build)
    build.refresh_from_db()

    with pytest.raises(DataError, match="Some calls are under way still"):
        accept(build)
    BenchmarkBuildItem.objects.filter(pk=held.pk).free()
    assert accept(build) == 3
    assert accept(build) == 0
    build.refresh_from_db()
    assert (build.state, build.benchmark.examples.count()) == ("finished", 3)
