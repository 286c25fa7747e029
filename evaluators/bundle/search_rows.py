"""The searches of the web of a packed run and the pages read for them, into this database: to be read there, and to
answer the queries of runs that name the run, of no other."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from annotate.labels.rows import check_count
from core.chunks import in_chunks
from core.errors import RowError, at_line, describe
from core.row_fields import check_keys, check_list, check_text, filled_text, text
from evaluators.bundle.contents import PAGES, SEARCHES
from evaluators.bundle.run_rows import HASH, read_time, rows_in
from evaluators.models import Run
from evaluators.predictions.align import CHUNK
from evaluators.runs.searching import note_searches
from knowledge.fetching.page import hash_of
from knowledge.fetching.request import address_of
from knowledge.web_search.taken_in import PageName, TakenInList, keep_page, keep_taken_in, taken_in

KEYS = ("engine", "address", "query", "count", "fetched_at", "cost_usd", "sha256", "results", "pages")
PAGE_NAME = ("url", "fetched_at", "sha256")
PAGE_KEYS = (*PAGE_NAME, "final_url", "media_type", "title", "published", "text")
LONGEST_ENGINE, LONGEST_ADDRESS, LARGEST_COUNT, DEAREST = 50, 500, 32_767, 10_000
LONGEST_MEDIA_TYPE, LONGEST_DATE = 100, 40  # of a snapshot
MOST_PAGES = 100  # of a search; a run reads twenty at most


def fill_searches(run: Run, folder: Path) -> None:
    """Raises DataError."""
    pages = _keep_pages(folder)
    for some in in_chunks(_read_searches(folder, pages), CHUNK):
        note_searches(run.pk, keep_taken_in(some, pages))


def _keep_pages(folder: Path) -> dict[PageName, int]:
    """The keys of the stored pages; {} where the bundle has no such file."""
    path, kept = folder / PAGES, {}
    for _, line, row in rows_in(path) if path.exists() else ():
        try:
            name, columns = _read_page(row)
        except RowError as error:
            raise at_line(path, line, error) from None
        kept[name] = keep_page(name, **columns)
    return kept


def _read_page(row: dict[str, Any]) -> tuple[PageName, dict[str, str]]:
    check_keys(row, PAGE_KEYS)
    name, words = _read_name(row), text(row, "text")
    if hash_of(words) != name.text_hash:
        raise RowError(f"the text of {name.url} is not what its SHA-256 says")
    return name, {
        "final_url": text(row, "final_url"),
        "media_type": text(row, "media_type", LONGEST_MEDIA_TYPE),
        "title": text(row, "title"),
        "published": text(row, "published", LONGEST_DATE),
        "text": words,
    }


def _read_name(row: dict[str, Any]) -> PageName:
    url, fetched_at = text(row, "url"), read_time(row, "fetched_at")
    if address_of(url) is None:
        raise RowError(f"url is {describe(url)}, no address of a page")
    if fetched_at is None:
        raise RowError("fetched_at is no time")
    return PageName(url, fetched_at, text(row, "sha256", HASH))


def _read_searches(folder: Path, pages: Mapping[PageName, int]) -> Iterator[TakenInList]:
    """None where the bundle has no such file. pages: the keys of those that the bundle has."""
    path = folder / SEARCHES
    for _, line, row in rows_in(path) if path.exists() else ():
        try:
            read = _read(row)
            lost = next((page for page in read.pages if not page.error and page not in pages), None)
            if lost is not None:
                raise RowError(f"{PAGES} lacks the text of {lost.url}, SHA-256 {lost.text_hash}")
            yield read
        except RowError as error:
            raise at_line(path, line, error) from None


def _read(row: dict[str, Any]) -> TakenInList:
    check_keys(row, KEYS)
    fetched_at, count = read_time(row, "fetched_at"), check_count(row, "count")
    if fetched_at is None:
        raise RowError("fetched_at is no time")
    if not 1 <= count <= LARGEST_COUNT:
        raise RowError(f"count is {count}")
    return taken_in(
        _read_pages(row),
        engine=filled_text(row, "engine", LONGEST_ENGINE),
        address=filled_text(row, "address", LONGEST_ADDRESS),
        query=filled_text(row, "query"),
        count=count,
        results=[_read_result(each) for each in check_list(row["results"], "results")],
        results_hash=filled_text(row, "sha256", HASH),
        fetched_at=fetched_at,
        cost_usd=_price(row["cost_usd"]),
    )


def _read_pages(row: dict[str, Any]) -> list[PageName]:
    """Of dead pages with their errors."""
    pages = check_list(row["pages"], "pages")
    if len(pages) > MOST_PAGES:
        raise RowError(f"pages holds {len(pages):,}; at most {MOST_PAGES} fit")
    names = []
    for page in pages:
        if not isinstance(page, dict):
            raise RowError(f"pages holds {describe(page)}, not an object")
        check_keys(page, PAGE_NAME, ("error",), place="pages")
        name = _read_name(page)
        names.append(replace(name, text_hash="", error=filled_text(page, "error")) if "error" in page else name)
    return names


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
