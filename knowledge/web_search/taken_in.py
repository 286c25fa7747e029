"""Result lists that were frozen elsewhere: kept to be read. No query is answered from them, as nobody here saw them
come from the engine."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from knowledge.models import WebSearch, hash_json

# Before the key of such a list, whose length is that of the column: the keys of queries are digits alone.
MARK = "elsewhere:"
LENGTH = 64


def taken_in(*, fetched_at: datetime, cost_usd: Decimal | None, **columns: Any) -> WebSearch:
    """The list as a row that is not stored yet; the same list always has the same key."""
    content = {**columns, "fetched_at": fetched_at.isoformat(), "cost_usd": None if cost_usd is None else str(cost_usd)}
    key = f"{MARK}{hash_json(content)}"[:LENGTH]
    return WebSearch(request_hash=key, fetched_at=fetched_at, cost_usd=cost_usd, **columns)


def keep_taken_in(searches: Sequence[WebSearch]) -> list[int]:
    """Store those that are not here yet; the keys of all, in the order given."""
    WebSearch.objects.bulk_create(searches, ignore_conflicts=True)
    rows = WebSearch.objects.filter(request_hash__in=[search.request_hash for search in searches])
    keys = dict(rows.values_list("request_hash", "pk"))
    return [keys[search.request_hash] for search in searches]
