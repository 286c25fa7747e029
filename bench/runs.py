"""felm-segment over all of FELM against a server that takes 200 ms an answer, 64 calls in flight, beside a bare loop.

    python -m bench.runs [FILE]

The bare loop is asyncio with OpenAI's own client that makes the same calls and keeps nothing. Both run in turns, three
times; prints seconds of each, and the ratio of the medians (at most 1.3 is asked for).
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
import openai

from tests.fake_openai import FakeOpenAI, fake_openai

PUBLISHED = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "felm" / "all.jsonl"
LATENCY = 0.2
IN_FLIGHT = 64
ROUNDS = 3

Messages = list[dict[str, str]]


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED
    with tempfile.TemporaryDirectory() as folder, fake_openai(latency=LATENCY) as server:
        os.environ |= {
            "DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "a key for the benchmark",
        }
        prepare(source)
        calls = asyncio.run(calls_of(felm_cases()))
        pairs = []
        for _ in range(ROUNDS):
            bare, ours = asyncio.run(call_all(server, calls)), run_once(server, len(calls))
            pairs.append((bare, ours))
            print(f"bare loop {bare:.2f} s   run {ours:.2f} s   ratio {ours / bare:.2f}", flush=True)
        bare, ours = (statistics.median(times) for times in zip(*pairs, strict=True))
        print(
            f"{len(calls)} calls, {IN_FLIGHT} in flight, {LATENCY:g} s each, median of {ROUNDS} rounds: "
            f"bare loop {bare:.2f} s, a whole run {ours:.2f} s, ratio {ours / bare:.2f} "
            f"(load of the machine {os.getloadavg()[0]:.1f})"
        )


def prepare(source: Path) -> None:
    """A database with FELM in it."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("import_dataset", "felm", str(source), format="felm", stdout=sys.stderr)


def felm_cases() -> list[Any]:
    from annotate.models import Dataset
    from evaluators.runs.cases import judgeable, read_cases

    dataset = Dataset.objects.get(name="felm")
    return list(read_cases(dataset, list(judgeable(dataset).values_list("pk", flat=True))).values())


class Noting:
    """Tools that ask nobody: every question is noted once, and answered that all is correct."""

    def __init__(self) -> None:
        self.asked: dict[str, Messages] = {}

    async def ask(self, messages: Messages, sample: int = 0, **overrides: Any) -> Any:
        from llm.answer import Answer

        self.asked[str(messages)] = messages
        return Answer(0, "ALL_CORRECT", "stop")


async def calls_of(cases: list[Any]) -> list[Messages]:
    """What felm-segment asks about the cases, each question once."""
    from evaluators.methods import METHODS
    from evaluators.methods.parameters import read_parameters

    method = METHODS["felm-segment"]
    judge, tools = method.build(read_parameters(method, {})), Noting()
    for case in cases:
        await judge(case, tools)
    return list(tools.asked.values())


async def call_all(server: FakeOpenAI, calls: list[Messages]) -> float:
    """Seconds that the bare loop takes."""
    limits = httpx2.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
    http = openai.DefaultAsyncHttpxClient(limits=limits, timeout=300)
    window = asyncio.Semaphore(IN_FLIGHT)

    async def call(messages: Messages) -> None:
        async with window:
            body = {"model": "m", "messages": messages, "temperature": 0.0, "max_tokens": 1024}
            await client.post("/chat/completions", cast_to=object, body=body)  # as llm/client.py calls it

    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="a key", max_retries=0, http_client=http) as client:
        began = time.monotonic()
        await asyncio.gather(*(call(messages) for messages in calls))
        return time.monotonic() - began


def run_once(server: FakeOpenAI, calls: int) -> float:
    """Seconds that a whole run takes, from its build to its last prediction, with nothing in the cache."""
    from annotate.models import Dataset
    from evaluators.models import Prediction, Run
    from evaluators.runs.create import create_run
    from evaluators.runs.run_job import RunJob
    from jobs.work import work_on
    from llm.models import Call

    Run.objects.all().delete()
    Call.objects.all().delete()
    before = server.stats()["total"]
    began = time.monotonic()
    dataset = Dataset.objects.get(name="felm")
    run = create_run(dataset, "felm-segment", model="m", parameters={"in_flight": str(IN_FLIGHT)}).run
    work_on(RunJob(), run.pk)
    seconds = time.monotonic() - began
    assert server.stats()["total"] - before == calls
    assert Prediction.objects.filter(run=run, segment__response__dataset=dataset).count() > calls
    return seconds


if __name__ == "__main__":
    main()
