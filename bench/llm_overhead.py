"""What Touchstone's cache, retries and records cost per call: `python -m bench.llm_overhead`.

The same calls, in the same minute, against the same server: once through a bare asyncio loop of OpenAI's client, once
through the Asker. Both run the event loop in this process; the fake server has one of its own.
"""

import argparse
import asyncio
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor


def messages(number: int) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"Segments:\n1. Statement {number} is {'wrong' if number % 3 else 'right'}."}]


async def bare(base_url: str, calls: int, in_flight: int) -> float:
    import openai

    slots = asyncio.Semaphore(in_flight)
    started = time.perf_counter()
    async with openai.AsyncOpenAI(base_url=base_url, api_key="unset", max_retries=0) as client:

        async def call(number: int) -> None:
            async with slots:
                await client.chat.completions.create(
                    model="bare", messages=messages(number), temperature=0.0, max_tokens=100
                )

        await asyncio.gather(*(call(number) for number in range(calls)))
    return time.perf_counter() - started


async def asked(base_url: str, calls: int, in_flight: int) -> float:
    from llm.asker import Asker
    from llm.models import Endpoint

    endpoint = await Endpoint.objects.acreate(name=str(time.time()), base_url=base_url)
    started = time.perf_counter()
    with ThreadPoolExecutor(max_workers=1) as database:
        async with Asker(endpoint, "asked", {"temperature": 0.0, "max_tokens": 100}, in_flight, database) as ask:
            await asyncio.gather(*(ask(messages(number)) for number in range(calls)))
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=847)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--in-flight", type=int, default=64)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from tests.fake_openai import fake_openai

        call_command("migrate", verbosity=0)
        with fake_openai(latency=options.latency) as server:
            plain = asyncio.run(bare(server.base_url, options.calls, options.in_flight))
            ours = asyncio.run(asked(server.base_url, options.calls, options.in_flight))
    print(f"bare loop {plain:.2f} s, Asker {ours:.2f} s, ratio {ours / plain:.3f}")


if __name__ == "__main__":
    main()
