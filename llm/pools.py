"""Connections to an endpoint, in small pools."""

from typing import Any

import httpx2
import openai

# The client's own pool looks at all of its connections with every call, and at each beside all others: of 256
# connections in one pool that takes 7 ms of processor time a call, in pools of eight 2.8 (bench/llm_overhead.py).
POOL = 8


class Pools:
    """OpenAI's client several times over, each with a few connections; none of them tries a call again by itself.

    connections: how many calls may be in flight. As many connections are kept open, so that none is made twice.
    """

    def __init__(self, base_url: str, key: str, connections: int, timeout: openai.Timeout) -> None:
        trusted = httpx2.create_ssl_context()  # read from the disk once, not for each pool
        limits = httpx2.Limits(max_connections=POOL, max_keepalive_connections=POOL)
        self._clients = [
            openai.AsyncOpenAI(
                base_url=base_url,
                api_key=key,
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(limits=limits, timeout=timeout, verify=trusted),
            )
            for _ in range(-(-connections // POOL))
        ]
        self._busy = [0] * len(self._clients)

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """What the endpoint answered, as plain JSON values; by the pool with the fewest calls in flight."""
        place = min(range(len(self._busy)), key=self._busy.__getitem__)
        self._busy[place] += 1
        try:
            return await self._clients[place].post(path, cast_to=object, body=body)
        finally:
            self._busy[place] -= 1

    async def close(self) -> None:
        for client in self._clients:
            await client.close()
