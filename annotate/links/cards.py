"""The state of a reference's page, for its card while an annotator writes it."""

from typing import Any

from django.urls import reverse
from django.utils.formats import date_format

from annotate.links.quotes import QuotedText
from annotate.models import RequestedPage
from knowledge.models import Snapshot

State = Snapshot.State
STATES: dict[str, str] = {State.WAITING: "queued", State.LEASED: "fetching", State.DONE: "frozen", State.FAILED: "dead"}


def card_of(requested: RequestedPage, quote: str) -> dict[str, Any]:
    """As JSON: the state of the page and its one line; of a frozen page its title, dates and `quote`.

    `fetched_at`: the end of the annotator's own fetch. `quote` is "found" or "missing"; null: there is no quote, or no
    text yet. `waits`: ask again in a while.
    """
    snapshot = requested.snapshot
    fetched_at = requested.settled_at.isoformat() if snapshot and requested.settled_at else None
    address = reverse("requested-page", args=[requested.assignment.key, requested.key]) if snapshot else None
    return {
        "state": STATES[State(requested.state)],
        "waits": not requested.is_settled,
        "words": words_of(requested),
        "title": snapshot.title if snapshot else "",
        "published": snapshot.published if snapshot else "",
        "fetched_at": fetched_at,
        "page": address,
        "quote": _quote_found(snapshot, quote) if snapshot else None,
    }


def words_of(page: RequestedPage | Snapshot) -> str:
    """Its state in one line: "frozen 21 November 2026", "being fetched", "not reached: why"."""
    if page.settled_at and page.state == State.DONE:
        return f"frozen {date_format(page.settled_at, 'j F Y')}"
    if page.state == State.FAILED:
        return f"not reached: {page.error}"
    if page.error:
        return f"not reached yet, will be tried again: {page.error}"
    return "being fetched"


def _quote_found(snapshot: Snapshot, quote: str) -> str | None:
    if not quote.strip():
        return None
    return "found" if QuotedText(snapshot.text).says(quote) else "missing"
