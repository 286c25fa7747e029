"""Look up whether quotes stand in their sources."""

from collections.abc import Sequence
from itertools import groupby

from django.dispatch import receiver

from annotate.links.quotes import QuotedText
from annotate.models import ReferenceLink
from knowledge.fetching.signals import page_frozen
from knowledge.models import Document, Snapshot

CHUNK = 500


@receiver(page_frozen)
def check_waiting_quotes(**_: object) -> int:
    """Look up the quotes whose pages were frozen since they were given; how many."""
    quoted = ReferenceLink.objects.exclude(quote="").filter(quote_found=None, document=None)
    waiting = list(quoted.filter(snapshot__state=Snapshot.State.DONE)[:CHUNK])
    look_up_quotes(waiting)
    return ReferenceLink.objects.bulk_update(waiting, ["quote_found"])


def look_up_quotes(links: Sequence[ReferenceLink]) -> None:
    """Set `quote_found` of each link, saved or not, by the text of its source: one text at a time is held, and is
    gone through once for all that is quoted from it."""
    with_quote = [link for link in links if link.quote.strip()]
    for place, group in groupby(sorted(with_quote, key=_place), key=_place):
        text = _text(*place)
        quoted = None if text is None else QuotedText(text)
        for link in group:
            link.quote_found = None if quoted is None else quoted.says(link.quote)


def _place(link: ReferenceLink) -> tuple[int, int]:
    """The document and the snapshot that the quote stands in, 0 for none; a document goes before a page of the web."""
    return (link.document_id, 0) if link.document_id else (0, link.snapshot_id or 0)


def _text(document: int, snapshot: int) -> str | None:
    """None if there is nothing to look in, or not yet."""
    if document:
        return Document.objects.filter(pk=document).values_list("text", flat=True).first()
    frozen = Snapshot.objects.filter(pk=snapshot, state=Snapshot.State.DONE)
    return frozen.values_list("text", flat=True).first()
