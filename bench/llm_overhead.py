"""What Touchstone's cache, retries, limits and records cost a call: `python -m bench.llm_overhead`.

The same calls by the same client, the package openai's, in the same minute, against the same server: through a bare
asyncio loop that keeps nothing, and through the Asker. They take turns; what is printed is the median of each, in
seconds a round. `--limited` has the Asker keep limits (calls in flight, requests and tokens a minute), none of which it
reaches.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

PARAMETERS = {"temperature": 0.0, "max_tokens": 100}
OUT_OF_REACH = {"max_in_flight": 10_000, "requests_per_minute": 10_000_000, "tokens_per_minute": 2_000_000_000}


def messages(round_number: int, number: int) -> list[dict[str, str]]:
    statement = f"Statement {number} of round {round_number} is {'wrong' if number % 3 else 'right'}."
    return [{"role": "user", "content": f"Segments:\n1. {statement}"}]


async def bare(base_url: str, round_number: int, calls: int, in_flight: int) -> float:
    """Seconds that the loop takes."""
    import httpx2
    import openai

    slots = asyncio.Semaphore(in_flight)
    limits = httpx2.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    http = openai.DefaultAsyncHttpxClient(limits=limits, timeout=300)
    started = time.perf_counter()
    async with openai.AsyncOpenAI(base_url=base_url, api_key="unset", max_retries=0, http_client=http) as client:

        async def call(number: int) -> None:
            body = {"model": "m", "messages": messages(round_number, number), **PARAMETERS}
            async with slots:
                # As the Asker calls it, which spares the client's own translation of the body (llm/client.py).
                await client.post("/chat/completions", cast_to=object, body=body)

        await asyncio.gather(*(call(number) for number in range(calls)))
    return time.perf_counter() - started


async def asked(base_url: str, round_number: int, calls: int, in_flight: int, limits: dict[str, int]) -> float:
    """Seconds that the Asker takes, with nothing in the cache."""
    from llm.asker import Asker
    from llm.models import Endpoint

    endpoint, _ = await Endpoint.objects.aget_or_create(name="fake", base_url=base_url, defaults=limits)
    started = time.perf_counter()
    with ThreadPoolExecutor(max_workers=1) as database:
        async with Asker(endpoint, f"m{in_flight}", PARAMETERS, in_flight, database) as ask:
            await asyncio.gather(*(ask(messages(round_number, number)) for number in range(calls)))
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.05, help="Seconds that the server takes to answer.")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[8, 64, 256])
    parser.add_argument("--limited", action="store_true")
    options = parser.parse_args()
    limits = OUT_OF_REACH if options.limited else {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from tests.fake_openai import fake_openai

        call_command("migrate", verbosity=0)
        with fake_openai(latency=options.latency) as server:
            for in_flight in options.in_flight:
                given = (options.calls, in_flight)
                pairs = [
                    (
                        asyncio.run(bare(server.base_url, number, *given)),
                        asyncio.run(asked(server.base_url, number, *given, limits)),
                    )
                    for number in range(options.rounds)
                ]
                plain, ours = (statistics.median(times) for times in zip(*pairs, strict=True))
                print(
                    f"{options.calls} calls, {in_flight} in flight: bare loop {plain:.2f} s, Asker {ours:.2f} s, "
                    f"ratio {ours / plain:.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
