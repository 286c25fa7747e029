"""Cost of pages against the size of their dataset: `python -m bench.pages [--sizes 1000 10000 100000]`.

Every page of a dataset that an adjudicator reads, each twice: the first visit counts what changed before, and one that
takes longer than LONG seconds is not repeated. Of the second are printed, for the twenty that take longest in the
largest dataset: milliseconds of processor time (SQLite works in the same process; of a download, until its first byte),
queries, and thousands of steps of SQLite's virtual machine, which stand for rows read. Half of the responses are
labelled twice. `--keep FOLDER` keeps the databases there, and takes those that are there already.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.workbench.server import CHECKOUT

PUBLISHED = CHECKOUT.parent / "shared" / "data" / "felm" / "all.jsonl"
OURS = CHECKOUT / "fixtures" / "demo_felm.jsonl"
SHOWN = 20
STEPS_AT_ONCE = 1000
LONG = 20


@dataclass
class Cost:
    """What one request took: seconds of processor time, queries, steps of SQLite's virtual machine."""

    seconds: float = 0.0
    queries: int = 0
    steps: int = 0


@contextmanager
def counted(steps_at_once: int = STEPS_AT_ONCE) -> Iterator[Cost]:
    """The cost of what is done inside, on SQLite; steps are counted so many at a time."""
    from django.db import connection

    cost = Cost()

    def count(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        cost.queries += 1
        return execute(sql, parameters, many, context)

    def step() -> int:
        cost.steps += steps_at_once
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(step, steps_at_once)
    began = time.process_time()
    try:
        with connection.execute_wrapper(count):
            yield cost
    finally:
        cost.seconds = time.process_time() - began
        connection.connection.set_progress_handler(None, 0)


def pages(dataset: int) -> dict[str, str]:
    """Addresses by name: those that need nothing but the dataset, the searches among them."""
    from django.urls import get_resolver, reverse

    resolver = get_resolver()
    found = {}
    for name in resolver.reverse_dict:
        if isinstance(name, str):
            [(pattern, arguments), *_], *_ = resolver.reverse_dict.getlist(name)[0]
            if arguments == ["pk"] and pattern.startswith("datasets/"):
                found[name] = reverse(name, args=[dataset])
    found["search by text"] = reverse("dataset", args=[dataset]) + "?q=number"
    found["search by state"] = reverse("dataset", args=[dataset]) + "?state=settling"
    return found


def ask(client: Any, address: str) -> Cost | None:
    """None for what is no page that can be asked for like this."""
    with counted() as cost:
        answer = client.get(address)
        if answer.streaming:
            next(iter(answer.streaming_content), b"")
    return cost if answer.status_code == 200 else None


def measure() -> dict[str, Cost]:
    from django.test import Client

    from annotate.models import Dataset, User

    root, _ = User.objects.get_or_create(username="root", is_superuser=True, is_staff=True)
    client = Client(headers={"host": "localhost"})
    client.force_login(root)
    costs = {}
    for name, address in sorted(pages(Dataset.objects.get().pk).items()):
        first = ask(client, address)
        again = first if first is None or first.seconds > LONG else ask(client, address)
        if first is not None and again is not None:
            costs[name] = again
            print(f"{name}: {first.seconds:.2f} s, then {again.seconds:.2f} s", file=sys.stderr, flush=True)
    return costs


def print_costs(costs: dict[int, dict[str, Cost]]) -> None:
    largest = costs[max(costs)]
    slowest = sorted(largest, key=lambda name: largest[name].seconds, reverse=True)[:SHOWN]
    print(f"{'':<28}" + "".join(f"{f'{size:,} responses':^27}" for size in costs))
    print(f"{'page':<28}" + f"{'ms':>9}{'queries':>9}{'k steps':>9}" * len(costs))
    for name in slowest:
        of_sizes = [costs[size].get(name, Cost()) for size in costs]
        columns = "".join(f"{1000 * each.seconds:9.0f}{each.queries:9}{each.steps // 1000:9,}" for each in of_sizes)
        print(f"{name:<28}{columns}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000], metavar="RESPONSES")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="touchstone-bench-") as temporary:
        costs = {size: of_size(options.keep or Path(temporary), size) for size in options.sizes}
    print_costs(costs)


def of_size(folder: Path, size: int) -> dict[str, Cost]:
    """Measured in a process of its own, as each has its own database."""
    data = folder / str(size)
    environment = {**os.environ, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    if not data.exists():
        file = PUBLISHED if PUBLISHED.exists() else OURS
        seed = [sys.executable, "-m", "bench.workbench.seed", str(file), str(size), "8"]
        subprocess.run(seed, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.DEVNULL)
    words = [sys.executable, "-c", "import bench.pages; bench.pages.print_measured()"]
    done = subprocess.run(words, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return {name: Cost(float(seconds), int(queries), int(steps)) for name, seconds, queries, steps in rows}


def print_measured() -> None:
    """For `of_size`."""
    import django

    django.setup()
    for name, cost in measure().items():
        print(name, cost.seconds, cost.queries, cost.steps, sep="\t")


if __name__ == "__main__":
    main()
