"""The annotators, for Locust: `locust --locustfile bench/load/annotators.py`; `bench.load` starts it.

The environment holds PORT, PACE ("human": a save every 8 s and a task every 60 s; "flat out": no pause) and
ACKNOWLEDGED, the file to which is written what the server acknowledged: by address of the task, the version of the
last save. The measurement begins when all have a task open, and ends after SECONDS.
"""

import json
import os
import random
from http.client import HTTPException
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from gevent import sleep, spawn_later
from gevent.event import Event
from locust import User, constant_pacing, events, task

from bench.workbench.annotator import Annotator

HUMAN = os.environ.get("PACE") == "human"
SAVE_SECONDS, SAVES_A_TASK = 8, 7
numbers = count()
begun: set[int] = set()
all_have_begun = Event()
acknowledged: dict[str, int] = {}


class BusyError(Exception):
    """The server is full: 503, with the seconds to wait."""


class Person(Annotator):
    """Remembers what was acknowledged, and knows an honest refusal."""

    def _ask(self, method: str, address: str, body: str | None = None, headers: dict[str, str] | None = None) -> Any:
        response = super()._ask(method, address, body, headers)
        if response.status == 503:
            raise BusyError(response.headers["Retry-After"])
        return response


class Labelling(User):
    """One annotator: opens tasks, saves, submits."""

    wait_time = constant_pacing(SAVE_SECONDS if HUMAN else 0)

    def on_start(self) -> None:
        # Log-ins take long for the sake of passwords: they are spread, and not measured.
        number = next(numbers)
        self.person = Person(int(os.environ["PORT"]), f"annotator{number}")
        self.saves = 0
        while not self._patiently(self.person.log_in):
            sleep(1)
        while not self._patiently(self.person.begin):
            sleep(1)
        begun.add(number)
        if len(begun) == int(os.environ["PEOPLE"]):
            runner = self.environment.runner
            runner.stats.reset_all()
            spawn_later(int(os.environ["SECONDS"]), runner.quit)
            all_have_begun.set()
        all_have_begun.wait()
        self.person.connection.close()  # the server may have, meanwhile
        sleep(random.random() * SAVE_SECONDS if HUMAN else 0)

    @task
    def step(self) -> None:
        if self.saves < SAVES_A_TASK:
            self._measure("save", self.person.save)
            acknowledged[self.person.address] = self.person.version
            self.saves += 1
        else:
            self._measure("next task", self.person.next)
            self.saves = 0

    def _measure(self, name: str, do: Any) -> None:
        """Until it is done; each refusal is counted under a name of its own."""
        while True:
            began = perf_counter()
            error: Exception | None = None
            try:
                do()
            except BusyError as busy:
                report("refused", began, None)
                sleep(float(str(busy)))
                continue
            except (OSError, HTTPException, AssertionError, ValueError) as problem:
                error = problem
                self.person.connection.close()
            report(name, began, error)
            if error is None:
                return
            sleep(1)

    def _patiently(self, do: Any) -> bool:
        try:
            do()
        except (OSError, HTTPException, BusyError):
            self.person.connection.close()
            return False
        return True


def report(name: str, began: float, error: Exception | None) -> None:
    events.request.fire(
        request_type="",
        name=name,
        response_time=1000 * (perf_counter() - began),
        response_length=0,
        exception=error,
        context={},
    )


@events.quitting.add_listener
def write(**_: object) -> None:
    Path(os.environ["ACKNOWLEDGED"]).write_text(json.dumps(acknowledged), encoding="utf-8")
