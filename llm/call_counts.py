"""Counts of the calls to one model (core/counters.py)."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from time import monotonic

from core.counters import CALL_SECONDS, CALLS, TOKENS, USD
from llm.errors import ModelError


class CallCounts:
    """An answer from the cache has no time, no tokens and no price."""

    def __init__(self, endpoint: str, model: str) -> None:
        self._names = (endpoint, model)

    def cached(self) -> None:
        CALLS.labels(*self._names, "cached").inc()

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Around a call with all its attempts. A cancelled call counts for nothing."""
        began = monotonic()
        try:
            yield
        except ModelError:
            CALLS.labels(*self._names, "failed").inc()
            raise
        CALLS.labels(*self._names, "answered").inc()
        CALL_SECONDS.labels(*self._names).observe(monotonic() - began)

    def spent(self, prompt_tokens: int | None, completion_tokens: int | None, usd: Decimal | None) -> None:
        """None: not known, and not counted."""
        TOKENS.labels(*self._names, "prompt").inc(prompt_tokens or 0)
        TOKENS.labels(*self._names, "completion").inc(completion_tokens or 0)
        USD.labels(*self._names).inc(float(usd or 0))
