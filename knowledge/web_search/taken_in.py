"""Result lists and pages that were frozen elsewhere: kept to be read, and to repeat the run that they came with. No
other query is answered from them and no other address read, as nobody here saw them come from the web."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from knowledge.models import MARK, Snapshot, WebSearch, hash_json

LENGTH = 64  # of the column of keys


@dataclass(frozen=True)
class PageName:
    """A page that was read for a search. text_hash: of its text, "" of a dead one; error: why that is dead."""

    url: str
    fetched_at: datetime
    text_hash: str
    error: str = ""


@dataclass(frozen=True)
class TakenInList:
    """A list as a row that is not stored yet, and the pages that were read for it."""

    search: WebSearch
    pages: tuple[PageName, ...]


def taken_in(
    pages: Sequence[PageName], *, fetched_at: datetime, cost_usd: Decimal | None, **columns: Any
) -> TakenInList:
    """The same list with the same pages always has the same key."""
    content = {**columns, "fetched_at": fetched_at.isoformat(), "cost_usd": None if cost_usd is None else str(cost_usd)}
    content["pages"] = [[str(value) for value in astuple(page)] for page in pages]
    key = f"{MARK}{hash_json(content)}"[:LENGTH]
    return TakenInList(WebSearch(request_hash=key, fetched_at=fetched_at, cost_usd=cost_usd, **columns), tuple(pages))


def keep_taken_in(lists: Sequence[TakenInList], pages: Mapping[PageName, int]) -> list[int]:
    """Store those that are not here yet; the keys of all, in the order given. pages: the keys of the pages that have a
    text; dead ones are stored now."""
    searches = [each.search for each in lists]
    WebSearch.objects.bulk_create(searches, ignore_conflicts=True)
    rows = WebSearch.objects.filter(request_hash__in=[search.request_hash for search in searches])
    keys = dict(rows.values_list("request_hash", "pk"))
    kept = [keys[search.request_hash] for search in searches]
    names = dict.fromkeys(page for each in lists for page in each.pages)
    known = {name: pages.get(name) or keep_page(name) for name in names}
    links = WebSearch.pages.through
    links._default_manager.bulk_create(
        [
            links(websearch_id=key, snapshot_id=known[page])
            for key, each in zip(kept, lists, strict=True)
            for page in each.pages
        ],
        ignore_conflicts=True,
    )
    return kept


def keep_page(name: PageName, **columns: str) -> int:
    """The key of the page, stored where no equal one is here yet. columns: the others of a snapshot, none of a dead
    page."""
    state = Snapshot.State.FAILED if name.error else Snapshot.State.DONE
    equal = {
        "url": f"{MARK}{name.url}",
        "settled_at": name.fetched_at,
        "text_hash": name.text_hash,
        "error": name.error,
        "state": state,
        **{column: value for column, value in columns.items() if column != "text"},
    }
    there: int | None = Snapshot.objects.filter(**equal).values_list("pk", flat=True).first()
    return there or Snapshot.objects.create(**equal, text=columns.get("text", "")).pk
