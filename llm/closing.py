"""Endpoints that asked to be left alone: a server that asks one call to wait asks all."""

import time

NEWS_SECONDS = 0.1  # a wait that ends so little later is not told on

# Until when the endpoints are to be left alone as far as this process knows, by address, on the monotonic clock.
closed_until: dict[str, float] = {}


class Closing:
    """What this process knows of one endpoint."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    async def close(self, seconds: float) -> None:
        """Leave the endpoint alone for so long, from now."""
        self._keep(seconds)

    async def seconds_left(self) -> float:
        """0: it may be called."""
        return max(0.0, closed_until.get(self._base_url, 0.0) - time.monotonic())

    def _keep(self, seconds: float) -> bool:
        """Whether that is longer than was known."""
        before, until = closed_until.get(self._base_url, 0.0), time.monotonic() + seconds
        closed_until[self._base_url] = max(before, until)
        return until > before + NEWS_SECONDS
