"""Result lists that are kept: looked up before the engine is asked, and stored before they are used."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cached_property

from django.db.models import QuerySet
from django.utils import timezone

from knowledge.engines.engine import FoundPage
from knowledge.models import WebSearch, hash_json

COLUMNS = ("pk", "query", "count", "results")


@dataclass(frozen=True)
class Query:
    """Everything that can change the answer. engine, address: as of knowledge.models.WebSearch."""

    engine: str
    address: str
    text: str
    count: int

    @cached_property
    def hash(self) -> str:
        return hash_json([self.engine, self.address, self.text, self.count])


@dataclass(frozen=True)
class Answered:
    """A query with the pages found for it. cost_usd: None where it is not known."""

    query: Query
    pages: Sequence[FoundPage]
    cost_usd: Decimal | None


@dataclass(frozen=True)
class FrozenSearch:
    """pk: of the row. pages: best first."""

    pk: int
    pages: tuple[FoundPage, ...]


def look_up(queries: Sequence[Query]) -> list[FrozenSearch | None]:
    """For each query its frozen results, or None; in the order given."""
    rows = WebSearch.objects.filter(request_hash__in=[query.hash for query in queries])
    found = {key: _frozen(pk, results) for key, pk, results in rows.values_list("request_hash", "pk", "results")}
    return [found.get(query.hash) for query in queries]


def look_up_among(kept: QuerySet[WebSearch], queries: Sequence[Query]) -> list[FrozenSearch | None]:
    """As look_up, among these searches alone, whatever engine they asked."""
    rows = kept.filter(query__in={query.text for query in queries}).order_by("-pk")
    found = {(text, count): _frozen(pk, results) for pk, text, count, results in rows.values_list(*COLUMNS)}
    return [found.get((query.text, query.count)) for query in queries]


def store(answered: Sequence[Answered]) -> list[FrozenSearch]:
    """Freeze the results and return them as they stand: where another process froze the same query first, its own."""
    now = timezone.now()
    rows = []
    for each in answered:
        results = [asdict(page) for page in each.pages]
        rows.append(
            WebSearch(
                request_hash=each.query.hash,
                engine=each.query.engine,
                address=each.query.address,
                query=each.query.text,
                count=each.query.count,
                results=results,
                results_hash=hash_json(results),
                fetched_at=now,
                cost_usd=each.cost_usd,
            )
        )
    WebSearch.objects.bulk_create(rows, ignore_conflicts=True)
    stored = look_up([each.query for each in answered])
    return [each for each in stored if each is not None]


def _frozen(pk: int, results: list[dict[str, str]]) -> FrozenSearch:
    return FrozenSearch(pk, tuple(FoundPage(**each) for each in results))
