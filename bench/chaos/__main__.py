"""Kill rounds: `python -m bench.chaos [--rounds 20] [--people 4] [--database SQLite] [--seed 1]`.

Annotators save drafts and submit while workers judge the same dataset with a model (a fake one that answers over
HTTP). Round after round one process is ended with SIGKILL: a process of the web server, the whole server or a worker;
it is started again. At the end nothing that was acknowledged may be missing, and the run's predictions must be those of
a run that nobody disturbed, each once. Prints what was killed, acknowledged and found; exit code 1 if anything is lost.
It takes about two seconds a round and one minute more, on each database.
"""

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.chaos.annotator import PatientAnnotator
from bench.workbench.server import CHECKOUT, children, databases, free_port, web_command
from tests.fake_openai import FakeOpenAI, fake_openai

OURS = CHECKOUT / "fixtures" / "demo_felm.jsonl"
RESPONSES = 240
IN_FLIGHT = 4
RUN = ("evaluate", "bench", "felm-segment", "--model", "fake", "--param", f"in_flight={IN_FLIGHT}")
# Between two kills: so the run is under way until the last of them.
PAUSE_SECONDS = (0.3, 2.5)
VICTIMS = ("a process of the web server", "the web server", "a worker")
LONGEST_SECONDS = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["SQLite", "PostgreSQL"], action="append")
    options = parser.parse_args()
    lost = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="touchstone-chaos-")))
        kinds = stack.enter_context(databases(folder))
        model = stack.enter_context(fake_openai())
        for name in options.database or kinds:
            houses = [
                House({**environment_of(folder / f"{name}-{number}", model), **kinds[name](number)}, options.people)
                for number in (1, 2)
            ]
            print(f"\n{name}: {options.rounds} rounds, {options.people} annotators, seed {options.seed}", flush=True)
            model.control(latency=0)
            expected = undisturbed(houses[0])
            model.control(latency=options.rounds * statistics.mean(PAUSE_SECONDS) * IN_FLIGHT / RESPONSES)
            lost += disturbed(houses[1], options, expected)
    sys.exit(1 if lost else 0)


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
    people: int
    port: int = field(default_factory=free_port)
    web: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.run("bench.workbench.seed", str(OURS), str(RESPONSES), str(self.people))

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
        if victim == "a process of the web server":
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
    predictions: list[Any] = json.loads(house.run("bench.chaos.check"))["predictions"]
    return predictions


def disturbed(house: House, options: argparse.Namespace, expected: list[Any]) -> int:
    """What was lost: saves, submissions and predictions."""
    chance = random.Random(options.seed)
    house.start(workers=2)
    people = [PatientAnnotator(house.port, f"annotator{number}", number) for number in range(options.people)]
    killed: Counter[str] = Counter()
    ended = threading.Event()
    try:
        wait_for_web(house)
        for person in people:
            person.log_in()
        house.run("manage", *RUN)
        threads = [threading.Thread(target=person.work, args=(ended,)) for person in people]
        for thread in threads:
            thread.start()
        for number in range(options.rounds):
            time.sleep(chance.uniform(*PAUSE_SECONDS))
            victim = VICTIMS[number % len(VICTIMS)]
            house.kill(victim, chance)
            killed[victim] += 1
            house.start(workers=2)
        ended.set()
        for thread in threads:
            thread.join(60)
        wait_for_run(house)
    finally:
        ended.set()
        house.close()
    return tell(people, killed, json.loads(house.run("bench.chaos.check")), expected)


def wait_for_web(house: House) -> None:
    person = PatientAnnotator(house.port, "annotator0", 0)
    until(lambda: answers(person), "the web server answers")


def answers(person: PatientAnnotator) -> bool:
    try:
        person.log_in()
    except (OSError, HTTPException):
        person.connection.close()
        return False
    return True


def wait_for_run(house: House) -> None:
    until(lambda: json.loads(house.run("bench.chaos.check"))["run"] == "finished", "the run has ended")


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
    return lost_saves + lost_submissions + kept["double"] + (not same)


if __name__ == "__main__":
    main()
