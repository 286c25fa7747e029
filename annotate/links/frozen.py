"""Frozen pages behind citations as exports give them: enough to check later that a page is unchanged."""

from collections.abc import Iterable

from django.db.models import Prefetch, QuerySet

from annotate.models import ReferenceLink
from knowledge.models import Snapshot


def with_snapshots() -> "Prefetch[str, QuerySet[ReferenceLink], str]":
    """The links of a label or of gold, each with the snapshot it has, but not the text of that."""
    links = ReferenceLink.objects.select_related("document", "snapshot")
    return Prefetch("references", links.defer("document__text", "snapshot__text"))


def frozen_pages(links: Iterable[ReferenceLink]) -> list[dict[str, str]]:
    """Each link whose page was frozen: its url, the SHA-256 of the page's text in UTF-8, and when it was fetched
    (ISO 8601); in the order of the links, those without a frozen page left out."""
    return [
        {"url": link.url or "", "hash": link.snapshot.text_hash, "fetched_at": link.snapshot.settled_at.isoformat()}
        for link in links
        if link.snapshot is not None and link.snapshot.state == Snapshot.State.DONE and link.snapshot.settled_at
    ]
