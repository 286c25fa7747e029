"""What Touchstone's cache, retries, limits and records cost a call: `python -m bench.llm_overhead`.

The same calls by the same client, the package openai's, in the same minute, against the same server: through a bare
asyncio loop that keeps nothing, through the Asker, and through the Asker at an endpoint with limits (calls in flight,
requests and tokens a minute), none of which it reaches. The bare loop calls `chat.completions.create`, as that
package's documentation has it; beside it stands one that posts the body itself, as the Asker does to spare the client's
translation (llm/client.py): against it one sees what the Asker's own work costs. They take turns. What is printed is
the median round of each, in seconds by the clock and of the process's own processor time, which a busy machine disturbs
less; and the ratio to the bare loop of both.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

PARAMETERS = {"temperature": 0.0, "max_tokens": 100}
NO_LIMITS: dict[str, int | None] = {"max_in_flight": None, "requests_per_minute": None, "tokens_per_minute": None}
OUT_OF_REACH: dict[str, int | None] = {
    "max_in_flight": 10_000,
    "requests_per_minute": 10_000_000,
    "tokens_per_minute": 2_000_000_000,
}


def messages(round_number: int, number: int) -> list[dict[str, str]]:
    statement = f"Statement {number} of round {round_number} is {'wrong' if number % 3 else 'right'}."
    return [{"role": "user", "content": f"Segments:\n1. {statement}"}]


@dataclass(frozen=True)
class Seconds:
    clock: float
    processor: float

    @classmethod
    def of(cls, rounds: Iterable["Seconds"]) -> "Seconds":
        """The medians."""
        taken = list(rounds)
        return cls(statistics.median(one.clock for one in taken), statistics.median(one.processor for one in taken))

    def beside(self, bare: "Seconds") -> str:
        ratios = f"ratio {self.clock / bare.clock:.3f}, of processor time {self.processor / bare.processor:.3f}"
        return f"{self.clock:.2f} s ({self.processor:.2f} s processor), {ratios}"


def timed(main: Callable[[], Coroutine[Any, Any, None]]) -> Seconds:
    clock, processor = time.perf_counter(), time.process_time()
    asyncio.run(main())
    return Seconds(time.perf_counter() - clock, time.process_time() - processor)


async def bare(base_url: str, round_number: int, calls: int, in_flight: int, posting: bool) -> None:
    import httpx2
    import openai

    slots = asyncio.Semaphore(in_flight)
    limits = httpx2.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    http = openai.DefaultAsyncHttpxClient(limits=limits, timeout=300)
    async with openai.AsyncOpenAI(base_url=base_url, api_key="unset", max_retries=0, http_client=http) as client:

        async def call(number: int) -> None:
            body: dict[str, Any] = {"model": "m", "messages": messages(round_number, number), **PARAMETERS}
            async with slots:
                if posting:
                    await client.post("/chat/completions", cast_to=object, body=body)
                else:
                    await client.chat.completions.create(**body)

        await asyncio.gather(*(call(number) for number in range(calls)))


async def asked(base_url: str, round_number: int, calls: int, in_flight: int, limits: Mapping[str, int | None]) -> None:
    """With nothing in the cache."""
    from llm.asker import Asker
    from llm.models import Endpoint

    endpoint, _ = await Endpoint.objects.aupdate_or_create(base_url=base_url, defaults={"name": "fake", **limits})
    model = f"m-{in_flight}-{limits['max_in_flight']}"
    with ThreadPoolExecutor(max_workers=1) as database:
        async with Asker(endpoint, model, PARAMETERS, in_flight, database) as ask:
            await asyncio.gather(*(ask(messages(round_number, number)) for number in range(calls)))


def compare(base_url: str, calls: int, in_flight: int, rounds: int) -> None:
    taken: defaultdict[str, list[Seconds]] = defaultdict(list)
    for number in range(rounds):
        arguments = (base_url, number, calls, in_flight)
        taken["bare loop"].append(timed(partial(bare, *arguments, posting=False)))
        taken["bare loop that posts"].append(timed(partial(bare, *arguments, posting=True)))
        taken["Asker"].append(timed(partial(asked, *arguments, NO_LIMITS)))
        taken["Asker with limits"].append(timed(partial(asked, *arguments, OUT_OF_REACH)))
    medians = {name: Seconds.of(times) for name, times in taken.items()}
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{calls} calls, {in_flight} in flight, median of {rounds} rounds (load of the machine {load})")
    for name, seconds in medians.items():
        print(f"  {name}: {seconds.beside(medians['bare loop'])}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.05, help="Seconds that the server takes to answer.")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[8, 64, 256])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from tests.fake_openai import fake_openai

        call_command("migrate", verbosity=0)
        with fake_openai(latency=options.latency) as server:
            for in_flight in options.in_flight:
                compare(server.base_url, options.calls, in_flight, options.rounds)


if __name__ == "__main__":
    main()
