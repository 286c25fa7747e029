"""The state of a reference's page, for its card while an annotator writes it."""

from typing import Any

from django.urls import reverse
from django.utils.formats import date_format

from annotate.links.quotes import QuotedText
from knowledge.models import Snapshot

State = Snapshot.State
STATES: dict[str, str] = {State.WAITING: "queued", State.LEASED: "fetching", State.DONE: "frozen", State.FAILED: "dead"}


def card_of(snapshot: Snapshot, quote: str, dated: bool) -> dict[str, Any]:
    """As JSON: the snapshot's key, its state and what to say of it; of a frozen page its title, date and `quote`.

    `dated`: whether the person may know since when it is frozen. `quote` is "found" or "missing"; null: there is no
    quote, or no text yet. `waits`: ask again in a while.
    """
    frozen = snapshot.state == State.DONE
    return {
        "snapshot": snapshot.pk,
        "url": snapshot.url,
        "state": STATES[State(snapshot.state)],
        "waits": not snapshot.is_settled,
        "words": words_of(snapshot, dated),
        "title": snapshot.title,
        "published": snapshot.published,
        "fetched_at": snapshot.settled_at.isoformat() if frozen and dated and snapshot.settled_at else None,
        "page": reverse("snapshot", args=[snapshot.pk]) if frozen else None,
        "quote": _quote_found(snapshot, quote) if frozen else None,
    }


def words_of(snapshot: Snapshot, dated: bool) -> str:
    """Its state in one line: "frozen 21 November 2026", "being fetched", "not reached: why"; not `dated`: "frozen"."""
    if snapshot.settled_at and snapshot.state == State.DONE:
        return f"frozen {date_format(snapshot.settled_at, 'j F Y')}" if dated else "frozen"
    if snapshot.state == State.FAILED:
        return f"not reached: {snapshot.error}"
    if snapshot.error:
        return f"not reached yet, will be tried again: {snapshot.error}"
    return "being fetched"


def _quote_found(snapshot: Snapshot, quote: str) -> str | None:
    if not quote.strip():
        return None
    return "found" if QuotedText(snapshot.text).says(quote) else "missing"
