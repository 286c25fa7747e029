"""Write the links of labels and gold, each with the frozen page that its quote can be checked against."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from annotate.links.check import look_up_quotes
from annotate.links.requested import own_snapshots
from annotate.models import ReferenceLink
from knowledge.fetching.request import address_of, fetch_again, snapshots_of
from knowledge.models import Snapshot

CHUNK = 500
AT_ONCE = 1000


def write_links(links: Iterable[ReferenceLink]) -> None:
    """Store new links; pages of the web that nobody has asked for are fetched once the transaction is over.

    A link keeps the snapshot it names only if that is one of its own address, so that a quote is never checked
    against, nor a reader led to, another page.
    """
    new = list(links)
    if not new:
        return
    with transaction.atomic():
        _give_snapshots(new)
        look_up_quotes(new)
        ReferenceLink.objects.bulk_create(new, batch_size=CHUNK)


@transaction.atomic
def request_missing(links: QuerySet[ReferenceLink]) -> int:
    """Ask for the pages of stored links that have none, of so many as a request has time for; how many have one now."""
    without = list(links.filter(snapshot=None, document=None, url__istartswith="http")[:AT_ONCE])
    _give_snapshots(without)
    linked = [link for link in without if link.snapshot_id is not None]
    look_up_quotes(linked)
    ReferenceLink.objects.bulk_update(linked, ["snapshot", "quote_found"], batch_size=CHUNK)
    return len(linked)


@transaction.atomic
def request_again(snapshot: Snapshot) -> Snapshot:
    """Fetch the page anew. Links to dead snapshots of it wait for the new one; frozen snapshots keep theirs."""
    new = fetch_again(snapshot.url)
    dead = ReferenceLink.objects.filter(snapshot__url=snapshot.url, snapshot__state=Snapshot.State.FAILED)
    dead.update(snapshot=new, quote_found=None)
    return new


def _give_snapshots(links: list[ReferenceLink]) -> None:
    """A link's snapshot: the one that it names, else the page that its annotator had fetched, else any."""
    named = Snapshot.objects.only("url", "state").in_bulk({link.snapshot_id for link in links if link.snapshot_id})
    asking = []
    for link in links:
        snapshot = named.get(link.snapshot_id or 0)
        if snapshot is None or snapshot.state == Snapshot.State.FAILED or snapshot.url != address_of(link.url or ""):
            link.snapshot = None
            asking += [link] if link.url else []
    fetched = own_snapshots({link.label.assignment_id for link in asking if link.label})
    for link in asking:
        if link.label:
            link.snapshot_id = fetched.get((link.label.assignment_id, address_of(link.url or "") or ""))
    asking = [link for link in asking if link.snapshot_id is None]
    snapshots = snapshots_of(link.url or "" for link in asking)
    for link in asking:
        link.snapshot = snapshots.get(link.url or "")
