"""What the workbench's script sends, as it sends it: entries by the keys of drafts come as the page's."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from annotate.judgements.page_keys import PageKeys
from annotate.models import Assignment
from tests.annotate.labels.work import client_of

BLANK = {"value": "", "error_type": "", "reason": "", "references": [], "irrelevance": "", "flagged": False}


def entry(value: str = "", **others: Any) -> dict[str, Any]:
    return {**BLANK, "value": value, **others}


def card(url: str = "", **others: Any) -> dict[str, Any]:
    return {"url": url, "quote": "", "stance": "", "document": None, **others}


def script_saves(work: Assignment, entries: dict[str, Any], version: int = 0, **more: Any):
    """`entries` are those that changed."""
    named = PageKeys(work).of_all(entries)
    return _post("assignment-save", work, {"version": version, "entries": named, "worked": [], **more})


def script_compares(
    work: Assignment,
    entries: dict[str, Any],
    unsaved: Sequence[str] = (),
    unanswered: Sequence[dict[str, Any]] = (),
):
    """`entries` are all that the page shows."""
    keys = PageKeys(work)
    body = {
        "entries": keys.of_all(entries),
        "unsaved": [keys.of(key) for key in unsaved],
        "unanswered": [keys.of_all(sent) for sent in unanswered],
    }
    return _post("assignment-compare", work, body)


def _post(name: str, work: Assignment, body: dict[str, Any]):
    address = reverse(name, args=[work.key])
    return client_of(work.annotator).post(address, body, content_type="application/json")
