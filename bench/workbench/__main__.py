"""What an annotator waits for: `python -m bench workbench`, or `python -m bench.workbench [FILE] [--many 100000]`.

The web server runs as the Procfile starts it; annotators are threads of one other process on the same machine, each
with a connection that stays open, over loopback. One annotator alone and eight at once, on SQLite and on PostgreSQL,
in a database of few responses and in one of many, half of which are labelled twice:

- empty: a view of Django that does nothing, without middleware, in the same processes;
- open: a task's page, one request;
- save: a draft with one change, answered when it is committed and on the disk;
- next: submit a task, and have the page of the next one;
- cycle: save all judgements of a task, submit it, and have the page of the next one, two requests;
- first key: from going to the page until it takes a key, in Chromium (left out where there is none), alone.

Prints medians and 95th percentiles in milliseconds, how many a second, and the processor time of the server for each;
then each as a ratio to the empty view, which other work on the machine slows down alike. What has grown by more than a
tenth since the ratios in ratios.json is named; --keep writes those of this run there. Last come the seconds from the
server's start to its first page, and its memory (proportional set size of all its processes, MiB) at the end. Other
work on the machine counts in all of it: so the load, and what the disk takes for one write, are printed too.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.workbench import ratios
from bench.workbench.annotator import Annotator
from bench.workbench.browser import first_keys
from bench.workbench.server import CHECKOUT, databases, running
from bench.workbench.times import Times

PUBLISHED = CHECKOUT.parent / "shared" / "data" / "felm" / "all.jsonl"
OURS = CHECKOUT / "fixtures" / "demo_felm.jsonl"
ALONE, TOGETHER = 1, 8
# How often each annotator does it; a submission uses up a task.
ROUNDS = {"empty": 200, "open": 60, "save": 60, "next": 20, "cycle": 20}
HEAD = (
    f"{'':<6} {'alone ms':>9} {'95 %':>6} {'a second':>9}   {'eight ms':>9} {'95 %':>6} {'a second':>9}"
    f"   {'processor ms':>12}   times an empty view: alone, eight, processor"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=PUBLISHED if PUBLISHED.exists() else OURS)
    parser.add_argument("--few", type=int, default=800, metavar="RESPONSES")
    parser.add_argument("--many", type=int, default=100_000, metavar="RESPONSES")
    parser.add_argument("--database", choices=["SQLite", "PostgreSQL"], action="append")
    parser.add_argument("--keep", action="store_true", help="write the ratios, for later runs to compare with")
    options = parser.parse_args()
    kept = ratios.read()
    with tempfile.TemporaryDirectory(prefix="touchstone-bench-") as folder, databases(Path(folder)) as kinds:
        for responses in filter(None, (options.few, options.many)):
            for name in options.database or kinds:
                environment = {
                    **os.environ,
                    **kinds[name](responses),
                    "DATA_DIR": str(Path(folder) / f"{name}-{responses}"),
                    "DJANGO_SETTINGS_MODULE": "config.settings",
                }
                seed(environment, options.file, responses)
                title = f"{name}, {responses:,} responses"
                print(f"\n{title}", flush=True)
                now = ratios.ratios(measure(environment))
                for sentence in ratios.losses(kept.get(title, {}), now):
                    print(sentence)
                if options.keep:
                    ratios.keep({title: now})


def seed(environment: dict[str, str], file: Path, responses: int) -> None:
    """Tables anew, and in them the dataset that is labelled."""
    words = [sys.executable, "-m", "bench.workbench.seed", str(file), str(responses), str(ALONE + TOGETHER)]
    subprocess.run(words, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.DEVNULL)


def measure(environment: dict[str, str]) -> dict[str, dict[str, float]]:
    """Milliseconds of each: alone and with eight the medians, and of the processor."""
    measured: dict[str, dict[str, float]] = {}
    with running(environment, "bench.workbench.application") as server:
        people = [Annotator(server.port, f"annotator{number}") for number in range(ALONE + TOGETHER)]
        for person in people:
            person.log_in()
            person.begin()
        print(f"load {os.getloadavg()[0]:.1f}; writing 4 KiB to the disk takes {1000 * disk(environment):.1f} ms")
        print(HEAD)
        for name, count in ROUNDS.items():
            before = server.processor_seconds()
            alone = spend(people[:ALONE], name, count)
            together = spend(people[ALONE:], name, count)
            processor = 1000 * (server.processor_seconds() - before) / (count * len(people))
            measured[name] = {"alone": alone.median, "eight": together.median, "processor": processor}
            times = " ".join(f"{each:6.1f}" for each in ratios.ratios(measured).get(name, {}).values())
            print(f"{name:<6} {alone}   {together}   {processor:12.2f}   {times}", flush=True)
        tell_first_keys(server.port, people[0])
        print(f"memory {server.memory():.0f} MiB, first page {server.first_page:.2f} s after the start")
    return measured


def tell_first_keys(port: int, person: Annotator) -> None:
    measured = first_keys(port, person)
    if measured is None:
        print("first key: not measured, for there is no Chromium")
        return
    print(f"first key, by whom nothing of the site is cached: {measured.first_visit}")
    print(f"first key, by whom the site is known:             {measured.later}")


def disk(environment: dict[str, str]) -> float:
    """Median seconds until 4 KiB are on the disk: below that no save can be."""
    seconds = []
    with (Path(environment["DATA_DIR"]) / "written").open("wb", buffering=0) as file:
        for _ in range(50):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def spend(people: list[Annotator], name: str, count: int) -> Times:
    """What it takes when these do the same at once, each as soon as the last is done."""

    def work(person: Annotator) -> list[float]:
        person.connection.close()  # idle for long, the server has closed it
        do: Callable[[], float] = getattr(person, name)
        return [do() for _ in range(count)]

    with ThreadPoolExecutor(len(people)) as threads:
        began = time.perf_counter()
        seconds = [each for done in threads.map(work, people) for each in done]
        return Times(seconds, time.perf_counter() - began)


if __name__ == "__main__":
    main()
