"""The searches of the web of a packed run, into this database: to be read there, and never to answer a query."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from annotate.labels.rows import check_count
from core.chunks import in_chunks
from core.errors import RowError, at_line, describe
from core.row_fields import check_keys, check_list, check_text, filled_text
from evaluators.bundle.contents import SEARCHES
from evaluators.bundle.run_rows import HASH, read_time, rows_in
from evaluators.models import Run
from evaluators.predictions.align import CHUNK
from evaluators.runs.searching import note_searches
from knowledge.models import WebSearch
from knowledge.web_search.taken_in import keep_taken_in, taken_in

KEYS = ("engine", "address", "query", "count", "fetched_at", "cost_usd", "sha256", "results", "pages")
LONGEST_ENGINE, LONGEST_ADDRESS, LARGEST_COUNT, DEAREST = 50, 500, 32_767, 10_000


def fill_searches(run: Run, folder: Path) -> None:
    """Raises DataError."""
    for some in in_chunks(_read_searches(folder), CHUNK):
        note_searches(run.pk, keep_taken_in(some))


def _read_searches(folder: Path) -> Iterator[WebSearch]:
    """None where the bundle has no such file. The pages that were read are named by hashes, and stay in the file."""
    path = folder / SEARCHES
    for _, line, row in rows_in(path) if path.exists() else ():
        try:
            yield _read(row)
        except RowError as error:
            raise at_line(path, line, error) from None


def _read(row: dict[str, Any]) -> WebSearch:
    check_keys(row, KEYS)
    check_list(row["pages"], "pages")
    fetched_at, count = read_time(row, "fetched_at"), check_count(row, "count")
    if fetched_at is None:
        raise RowError("fetched_at is no time")
    if not 1 <= count <= LARGEST_COUNT:
        raise RowError(f"count is {count}")
    return taken_in(
        engine=filled_text(row, "engine", LONGEST_ENGINE),
        address=filled_text(row, "address", LONGEST_ADDRESS),
        query=filled_text(row, "query"),
        count=count,
        results=[_read_result(each) for each in check_list(row["results"], "results")],
        results_hash=filled_text(row, "sha256", HASH),
        fetched_at=fetched_at,
        cost_usd=_price(row["cost_usd"]),
    )


def _read_result(result: object) -> dict[str, str]:
    if not isinstance(result, dict):
        raise RowError(f"results holds {describe(result)}, not an object")
    check_keys(result, ("title", "url", "text"), place="results")
    return {name: check_text(result[name], name) for name in ("title", "url", "text")}


def _price(cost: object) -> Decimal | None:
    if cost is None:
        return None
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < DEAREST:
        raise RowError("cost_usd is no price of a search")
    return Decimal(f"{cost:.6f}")
