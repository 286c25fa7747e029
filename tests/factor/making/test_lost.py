"""A making that is stopped, killed, doubled or out of money goes on, and brings everything once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.corpus.lines import DataError
from annotate.leased.leases import lease_next
from annotate.leased.undertake import go_on, stop
from factor.generating.sift import Sifted
from factor.making import queue
from factor.making.generating import _store as store
from factor.making.write import accept, end
from factor.models import Candidate, Making, MakingItem
from tests.factor.making.corpus import begin, outcomes, work

pytestmark = pytest.mark.django_db


def test_an_endpoint_that_is_down_stops_it_and_it_goes_on(model):
    model.control(fail_every=1, fail_status=503)

    making = work(begin())

    assert making.state == "stopped"
    assert "503" in making.error or "answer" in making.error
    assert set(making.items.values_list("state", flat=True)) <= {"waiting", "done"}
    assert outcomes(making)["Short"] == "too short"
    model.control(fail_every=0)
    go_on(making)
    assert work(making).state == "finished"
    assert making.benchmark.examples.count() == 3


def test_the_budget_stops_it_and_a_higher_one_lets_it_go_on(model):
    making = begin()
    Making.objects.filter(pk=making.pk).update(max_tokens=10)

    assert work(making).state == "stopped"
    assert model.stats()["total"] == 0
    go_on(making)
    Making.objects.filter(pk=making.pk).update(max_tokens=10_000_000)
    assert work(making).state == "finished"


def test_killed_between_stages_it_goes_on_with_every_candidate_once(model):
    model.control(fail_every=1, fail_status=503)
    making = work(begin())  # stopped, with sentences and nothing generated
    model.control(fail_every=0)
    go_on(making)
    killed = lease_next(MakingItem.objects.to_work_on().filter(making=making, stage="generate"), "who was killed")

    assert work(making).state == "making"  # the lease of the killed one is in force still
    assert making.items.made().count() == 2
    MakingItem.objects.filter(pk=killed.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    queue.sweep()

    assert work(making).state == "finished"
    assert making.benchmark.examples.count() == 3
    assert Candidate.objects.of(making).filter(outcome="chosen").count() == 9


def test_a_doubled_task_changes_nothing(model):
    making = work(begin())
    there = set(Candidate.objects.values_list("pk", "outcome"))

    work(making)
    end(making)

    assert set(Candidate.objects.values_list("pk", "outcome")) == there
    assert making.benchmark.examples.count() == 3


def test_what_a_worker_brings_that_lost_its_lease_is_not_stored(model):

    making = begin()
    item = making.items.first()
    lost = MakingItem.objects.held_by("a worker that was too slow").filter(pk=item.pk)

    store(lost, item, [Sifted("entity", 0, "", "Another sentence.", None)])

    assert Candidate.objects.count() == 0


def test_what_there_is_can_be_taken(model):
    making = begin()
    held = lease_next(MakingItem.objects.to_work_on().filter(making=making, document__key="Short"), "another")
    work(making)
    stop(making)
    making.refresh_from_db()

    with pytest.raises(DataError, match="Some calls are under way still"):
        accept(making)
    MakingItem.objects.filter(pk=held.pk).free()
    assert accept(making) == 3
    assert accept(making) == 0
    making.refresh_from_db()
    assert (making.state, making.benchmark.examples.count()) == ("finished", 3)
