"""Who works on which item, and until when."""

from datetime import timedelta

from django.utils import timezone

from evaluators.models import Run, RunItem
from evaluators.runs.leases import free_expired, give_back, lease_items, renew_leases


def expire(items):
    RunItem.objects.filter(pk__in=[item.pk for item in items]).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_items_are_leased_in_order_and_to_one_owner_only(run):
    first = lease_items(run, "ada", 2)
    second = lease_items(run, "ben", 2)
    assert [item.position for item in first + second] == [0, 1, 2]
    assert run.items.held_by("ada").count() == 2
    assert lease_items(run, "cleo", 2) == []


def test_what_failed_before_comes_last(run):
    run.items.filter(position=0).update(attempts=1)
    assert [item.position for item in lease_items(run, "ada", 3)] == [1, 2, 0]


def test_nothing_is_leased_of_a_run_that_is_not_active(run):
    Run.objects.update(state="cancelled")
    assert lease_items(run, "ada", 3) == []


def test_an_expired_lease_is_free_for_others(run):
    expire(lease_items(run, "ada", 3))
    assert free_expired() == 3
    assert len(lease_items(run, "ben", 3)) == 3


def test_a_lease_in_force_is_not_freed(run):
    lease_items(run, "ada", 3)
    assert free_expired() == 0


def test_a_renewed_lease_is_not_freed(run):
    expire(lease_items(run, "ada", 3))
    assert renew_leases(run, "ada") == 3
    assert free_expired() == 0


def test_a_lease_that_someone_else_has_now_is_not_renewed(run):
    expire(lease_items(run, "ada", 3))
    free_expired()
    lease_items(run, "ben", 2)
    assert renew_leases(run, "ada") == 0


def test_only_ones_own_leases_are_given_back(run):
    lease_items(run, "ada", 1)
    lease_items(run, "ben", 1)
    assert give_back(run, "ada") == 1
    assert run.items.pending().count() == 2
    assert run.items.held_by("ben").count() == 1
