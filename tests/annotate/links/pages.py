"""Snapshots and links for tests, without a network."""

import hashlib

from django.utils import timezone

from annotate.models import Label, ReferenceLink
from knowledge.models import Snapshot

TEXT = "Ada Lovelace wrote the first program. She was born in 1815."


def frozen(url: str = "https://ada.example/", text: str = TEXT, title: str = "Ada") -> Snapshot:
    return Snapshot.objects.create(
        url=url,
        state=Snapshot.State.DONE,
        settled_at=timezone.now(),
        final_url=url,
        media_type="text/html",
        title=title,
        text=text,
        text_hash=hashlib.sha256(text.encode()).hexdigest(),
    )


def dead(url: str = "https://gone.example/", error: str = "The server answered 404 Not Found.") -> Snapshot:
    return Snapshot.objects.create(url=url, state=Snapshot.State.FAILED, settled_at=timezone.now(), error=error)


def cite(label: Label, snapshot: Snapshot, quote: str = "", found: bool | None = None) -> ReferenceLink:
    return ReferenceLink.objects.create(
        label=label,
        position=label.references.count(),
        url=snapshot.url,
        snapshot=snapshot,
        quote=quote,
        quote_found=found,
    )
