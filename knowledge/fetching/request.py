"""Ask for pages to be frozen. One address that many ask for is one fetch."""

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from jobs.enqueue import enqueue_waiting
from knowledge.fetching.addresses import canonical_url
from knowledge.fetching.errors import FetchError
from knowledge.fetching.snapshot_job import SnapshotJob
from knowledge.models import Snapshot

# A page that was dead within this time is not tried again.
DEAD_FOR = timedelta(hours=1)
# A query may have so many parameters on every database, with room to spare.
CHUNK = 500


def snapshots_of(urls: Iterable[str]) -> dict[str, Snapshot]:
    """For each link its snapshot, asked for now where there is none; links that are no web addresses are left out.

    A frozen page is as good as a new one; one that is dead for long is tried again.
    """
    addresses = {url: address for url in set(urls) if (address := address_of(url)) is not None}
    wanted = set(addresses.values())
    snapshots = _standing(wanted)
    if missing := wanted - snapshots.keys():
        snapshots |= _queue(missing)
    return {url: snapshots[address] for url, address in addresses.items()}


@transaction.atomic
def _queue(addresses: Collection[str]) -> dict[str, Snapshot]:
    """A snapshot of each address, by it: ours, or that of somebody who was quicker."""
    Snapshot.objects.bulk_create([Snapshot(url=address) for address in sorted(addresses)], ignore_conflicts=True)
    transaction.on_commit(_enqueue_waiting)
    return _standing(addresses)


def snapshots_at(address: str) -> QuerySet[Snapshot]:
    """All snapshots of the address, the latest first, without their texts."""
    return Snapshot.objects.defer("text").filter(url=address).order_by("-pk")


@transaction.atomic
def fetch_again(address: str) -> Snapshot:
    """Another snapshot of the address; the one under way, if there is one."""
    Snapshot.objects.bulk_create([Snapshot(url=address)], ignore_conflicts=True)
    transaction.on_commit(_enqueue_waiting)
    return snapshots_at(address)[0]


def _enqueue_waiting() -> None:
    enqueue_waiting(SnapshotJob())


def address_of(url: str) -> str | None:
    """The address that a link is fetched from; None if it is none of the web."""
    try:
        return canonical_url(url)
    except FetchError:
        return None


def _standing(addresses: Collection[str]) -> dict[str, Snapshot]:
    """The latest snapshot of each address; a dead one only if it died lately and there is no other."""
    ordered = sorted(addresses)
    died_lately = Q(settled_at__gt=timezone.now() - DEAD_FOR)
    snapshots: list[Snapshot] = []
    for start in range(0, len(ordered), CHUNK):
        rows = Snapshot.objects.defer("text").filter(url__in=ordered[start : start + CHUNK])
        snapshots += rows.filter(~Q(state=Snapshot.State.FAILED) | died_lately)
    snapshots.sort(key=lambda snapshot: (snapshot.state != Snapshot.State.FAILED, snapshot.pk))
    return {snapshot.url: snapshot for snapshot in snapshots}
