"""An annotator who goes on whatever happens to the server, and remembers what it acknowledged."""

import json
import random
import threading
from dataclasses import dataclass, field
from http.client import HTTPException

from bench.workbench.annotator import Annotator

# A save in the submitted entries of every unit; the adjudicator's check finds it by its text.
JUDGED = {
    "value": "not_supported",
    "error_type": "reasoning",
    "irrelevance": "",
    "flagged": False,
    "references": [],
}
SUBMIT_EVERY = 12
# After a connection that broke, before the next.
PAUSE_SECONDS = 0.2


@dataclass
class Acknowledged:
    """What one person was told: by task the number of the last save that is kept, and the units of each submission."""

    saved: dict[int, int] = field(default_factory=dict)
    submitted: dict[int, int] = field(default_factory=dict)
    saves: int = 0
    broken: int = 0


class PatientAnnotator(Annotator):
    """Saves and submits until told to end; each connection that breaks is made anew."""

    def __init__(self, port: int, name: str, seed: int, pause: float = 0) -> None:
        super().__init__(port, name)
        self.acknowledged = Acknowledged()
        self._tasks: dict[str, int] = {}
        self._chance = random.Random(seed)
        self._number = 0
        self._pause = pause

    def work(self, end: threading.Event) -> None:
        """Until the event is set."""
        at_work = False
        while not end.is_set():
            try:
                if not at_work:
                    self.begin()
                    at_work = True
                end.wait(self._pause * self._chance.uniform(0.5, 1.5))
                self._step()
            except (OSError, HTTPException, AssertionError, json.JSONDecodeError, KeyError, TypeError):
                self.acknowledged.broken += 1
                self.connection.close()
                at_work = False
                end.wait(max(PAUSE_SECONDS, self._pause * self._chance.uniform(0.2, 1)))

    def _step(self) -> None:
        task = self._tasks.setdefault(self.address, len(self._tasks))
        if self._chance.random() < 1 / SUBMIT_EVERY:
            units = len(self.units)
            self._send(dict.fromkeys(self.units, self._entry(task, "submitted")), submit=True)
            self.acknowledged.submitted[task] = units
            self.begin()
            return
        self._number += 1
        unit = self._chance.choice(self.units)
        self.version = self._send({unit: self._entry(task, f"save {self._number}")})["version"]
        self.acknowledged.saved[task] = self._number
        self.acknowledged.saves += 1

    def _entry(self, task: int, what: str) -> dict[str, object]:
        return {**JUDGED, "reason": f"{self.name} task {task} {what}."}

    def _send(self, entries: dict[str, object], submit: bool = False) -> dict[str, int]:
        response = self._post(entries, submit)
        text = self._read(response)
        assert response.status == 200, (response.status, text[:200])
        answer: dict[str, int] = json.loads(text)
        return answer
