"""Values that are computed once and kept in the memory of this process."""

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import caches
from django.utils.connection import ConnectionProxy

CACHE_SECONDS = 24 * 3600
Value = TypeVar("Value")

# Not in the default cache, whose files outlive the code that wrote them, and a database that is made anew.
memory = ConnectionProxy(caches, "memory")


def cached(key: str, compute: Callable[[], Value]) -> Value:
    """The value under the key, computed where it is not there; the key names all that the value is made of."""
    value: Value | None = memory.get(key)
    if value is None:
        value = compute()
        memory.set(key, value, CACHE_SECONDS)
    return value
