"""Values that are computed once and kept in the cache."""

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

CACHE_SECONDS = 24 * 3600
Value = TypeVar("Value")


def cached(key: str, compute: Callable[[], Value]) -> Value:
    """The value under the key, computed where it is not there; the key names all that the value is made of."""
    value: Value | None = cache.get(key)
    if value is None:
        value = compute()
        cache.set(key, value, CACHE_SECONDS)
    return value
