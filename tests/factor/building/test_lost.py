"""A build that is stopped, killed, doubled or out of money goes on, and brings everything once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core.errors import DataError
from factor.building.build_job import BuildJob
from factor.building.generating import _store as store
from factor.building.write import accept, end
from factor.filtering.settings import ContradictionFilter, FilterSettings
from factor.generating.sift import Sifted
from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate
from jobs.enqueue import sweep
from jobs.leases import Lease, lease_items
from llm.pair_classifier import load_pair_classifier
from tests.factor.building.corpus import begin, outcomes, work
from tests.factor.filtering.tiny_nli import make_nli

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def queue(monkeypatch):
    """One that takes every message and delivers none."""
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda *_, **__: None)


def test_an_endpoint_that_is_down_stops_it_and_it_goes_on(model):
    model.control(fail_every=1, fail_status=503)

    build = work(begin())

    assert build.state == "stopped"
    assert "503" in build.error or "answer" in build.error
    assert set(build.items.values_list("state", flat=True)) <= {"waiting", "done"}
    assert outcomes(build)["Short"] == "too short"
    model.control(fail_every=0)
    build.resume()
    assert work(build).state == "finished"
    assert build.benchmark.examples.count() == 3


def test_the_budget_stops_it_and_a_higher_one_lets_it_go_on(model):
    build = begin()
    BenchmarkBuild.objects.filter(pk=build.pk).update(max_tokens=10)

    assert work(build).state == "stopped"
    assert model.stats()["total"] == 0
    build.resume()
    BenchmarkBuild.objects.filter(pk=build.pk).update(max_tokens=10_000_000)
    assert work(build).state == "finished"


def test_killed_between_stages_it_goes_on_with_every_candidate_once(model):
    model.control(fail_every=1, fail_status=503)
    build = work(begin())  # stopped, with sentences and nothing generated
    model.control(fail_every=0)
    build.resume()
    (killed,) = lease_items(BuildJob().waiting(build.pk).filter(stage="generate"), "who was killed", 1, 3)

    assert work(build).state == "building"  # the lease of the killed one is in force still
    assert build.items.made().count() == 2
    BenchmarkBuildItem.objects.filter(pk=killed.item.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep(BuildJob())

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
    lost = Lease(item, "a worker that was too slow")

    store(lost, [Sifted("entity", 0, "", "Another sentence.", None)])

    assert Candidate.objects.count() == 0


def test_memory_that_runs_out_in_a_filter_fails_the_documents_and_not_the_build(
    model, settings, tmp_path, monkeypatch, neural
):
    settings.WEIGHTS_DIR = tmp_path
    make_nli(tmp_path / "nli")
    classifier = load_pair_classifier(tmp_path / "nli")
    calls = []

    def run_out(**texts):
        calls.append(texts)
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(classifier, "window", 512)
    monkeypatch.setattr(classifier._model, "forward", run_out)
    by_weights = FilterSettings(contradiction=ContradictionFilter(by="weights", weights="nli"))

    build = work(begin(filters=by_weights))

    failed = build.items.failed()
    assert (build.state, build.benchmark.examples.count()) == ("finished", 0)
    assert len(calls) >= 9  # three attempts for each of three, and what was asked for several together
    assert set(failed.values_list("stage", "attempts", "error")) == {
        ("filter", 3, "Something went wrong on the server, and its log says what (RuntimeError).")
    }
    assert failed.count() == 3
    assert outcomes(build)["Short"] == "too short"


def test_what_there_is_can_be_taken(model):
    build = begin()
    (held,) = lease_items(BuildJob().waiting(build.pk).filter(document__key="Short"), "another", 1, 3)
    work(build)
    build.stop()

    with pytest.raises(DataError, match="Some calls are in progress"):
        accept(build)
    held.give_back()
    assert accept(build) == 3
    assert accept(build) == 0
    build.refresh_from_db()
    assert (build.state, build.benchmark.examples.count()) == ("finished", 3)
