"""Who works on which item, and until when."""

from datetime import timedelta

from django.utils import timezone

from evaluators.models import Run, RunItem
from evaluators.runs.run_job import RunJob
from jobs.leases import free_expired, lease_items, renew_leases


def lease(run, owner, count):
    return lease_items(RunJob().waiting(run.pk), owner, count, RunJob.max_attempts)


def expire(leases):
    RunItem.objects.filter(pk__in=[each.item.pk for each in leases]).update(
        lease_until=timezone.now() - timedelta(seconds=1)
    )


def free():
    """How many leases were taken back."""
    leased = RunItem.objects.leased().count()
    free_expired(RunItem.objects.all(), RunJob.max_attempts)
    return leased - RunItem.objects.leased().count()


def test_items_are_leased_in_order_and_to_one_owner_only(run):
    first = lease(run, "ada", 2)
    second = lease(run, "ben", 2)
    assert [each.item.position for each in first + second] == [0, 1, 2]
    assert run.items.held_by("ada").count() == 2
    assert lease(run, "cleo", 2) == []


def test_what_failed_before_comes_last(run):
    run.items.filter(position=0).update(attempts=1)
    assert [each.item.position for each in lease(run, "ada", 3)] == [1, 2, 0]


def test_nothing_is_leased_of_a_run_that_is_not_active(run):
    Run.objects.update(state="cancelled")
    assert lease(run, "ada", 3) == []


def test_an_expired_lease_is_free_for_others(run):
    expire(lease(run, "ada", 3))
    assert free() == 3
    assert len(lease(run, "ben", 3)) == 3


def test_a_lease_in_force_is_not_freed(run):
    lease(run, "ada", 3)
    assert free() == 0


def test_a_renewed_lease_is_not_freed(run):
    expire(lease(run, "ada", 3))
    assert renew_leases(run.items.all(), "ada") == 3
    assert free() == 0


def test_a_lease_that_someone_else_has_now_is_not_renewed(run):
    expire(lease(run, "ada", 3))
    assert free() == 3
    lease(run, "ben", 2)
    assert renew_leases(run.items.all(), "ada") == 0


def test_only_ones_own_leases_are_given_back(run):
    lease(run, "ada", 1)
    lease(run, "ben", 1)
    assert run.items.held_by("ada").give_back() == 1
    assert run.items.waiting().count() == 2
    assert run.items.held_by("ben").count() == 1
