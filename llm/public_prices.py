"""Public prices of models: what providers ask of everybody, from the table in the package genai-prices.

The table is data in the package: nothing is fetched. It is imported with the first price that is looked up, by whoever
manages endpoints; no other process needs it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from llm.models.endpoint import PRICES

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider

DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
THOUSAND = Decimal(1000)
SIX_PLACES = Decimal("0.000001")


@dataclass(frozen=True)
class PublicPrice:
    """The price of a model at a provider. prices: by the columns of llm.models.Price, None: the table has none.
    has_tiers: long prompts cost more. as_of: the newest day that the table names."""

    provider: str
    prices: dict[str, Decimal | None]
    has_tiers: bool
    as_of: date


def find_public_price(base_url: str, model: str) -> PublicPrice | None:
    """The price of the model at the provider of this address; at an address of no known provider that of the provider
    whose models are called so. None where the table has neither."""
    provider = _provider_at(base_url)
    try:
        found, info = _table().find_provider_model(model, provider, None, None)
    except LookupError:
        return None
    price = info.get_prices(datetime.now(UTC))
    prices = dict(zip(PRICES, _of_table(price), strict=True))
    if all(usd is None for usd in prices.values()):
        return None
    return PublicPrice(found.name, prices, _has_tiers(price), table_date())


def models_at(base_url: str) -> tuple[str, ...]:
    """The models at this address that the table has a price of, in its order; () for no known provider."""
    provider = _provider_at(base_url)
    return () if provider is None else tuple(info.id for info in provider.models if not info.deprecated)


@cache
def table_date() -> date:
    """The newest day that the table names, of a price that began or was looked at."""
    today = datetime.now(UTC).date()
    return max(
        day for provider in _table().providers for info in provider.models for day in _days(info) if day <= today
    )


def _table() -> Any:
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot()


def _provider_at(base_url: str) -> "Provider | None":
    try:
        provider: Provider = _table().find_provider(None, None, base_url)
    except LookupError:
        return None
    return provider


def _of_table(price: "ModelPrice") -> Iterator[Decimal | None]:
    """In the order of PRICES; the table has searches by the thousand."""
    for name in ("input_mtok", "cache_read_mtok", "output_mtok"):
        yield _base(getattr(price, name, None))
    searches = _base(getattr(price, "web_searches_kcount", None))
    yield None if searches is None else (searches / THOUSAND).quantize(SIX_PLACES)


def _base(usd: Any) -> Decimal | None:
    """Of a price in tiers the first."""
    usd = getattr(usd, "base", usd)
    return None if usd is None else Decimal(usd).quantize(SIX_PLACES)


def _has_tiers(price: "ModelPrice") -> bool:
    return any(hasattr(getattr(price, name, None), "tiers") for name in ("input_mtok", "output_mtok"))


def _days(info: "ModelInfo") -> Iterator[date]:
    conditions = [each.constraint for each in info.prices] if isinstance(info.prices, list) else []
    for constraint in (*conditions, *(each.constraint for each in info.price_variants or ())):
        if (begins := getattr(constraint, "start_date", None)) is not None:
            yield begins
    for text in DAY.findall(info.price_comments or ""):
        try:
            yield date.fromisoformat(text)
        except ValueError:
            continue  # a comment is free text
