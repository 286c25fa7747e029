"""The one drawing process of this web server process: started with the first chart, and anew after it has ended."""

import json
import subprocess
import sys
from pathlib import Path
from threading import Lock, Timer
from typing import IO, cast

ROOT = Path(__file__).resolve().parent.parent.parent
# On a free processor the first drawing takes 0.5 s, one after it 0.04 s.
SECONDS_TO_DRAW = 120


class DrawingError(Exception):
    """A chart could not be drawn, in the engine's own words."""


class Engine:
    """Draws for one thread after the other."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def draw(self, request: str) -> bytes:
        """The drawing for one line of a request (engine.py). DrawingError: it cannot be drawn, or takes too long."""
        with self._lock:
            drawing = self._ask(request)
            if drawing is None:  # the process had just ended, as it does after so many drawings
                drawing = self._ask(request)
        if drawing is None:
            raise DrawingError("The drawing process ended without an answer.")
        return drawing

    def end(self) -> None:
        """End the process; the next drawing starts another."""
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.communicate()

    def _ask(self, request: str) -> bytes | None:
        """None: the process has ended."""
        process = self._running()
        late = Timer(SECONDS_TO_DRAW, process.kill)
        late.start()
        try:
            return _exchange(process, request)
        except BrokenPipeError:
            return None
        finally:
            late.cancel()

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "evaluators.charts.engine"]
            self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - no shell, nothing of a user's
        return self._process


def _exchange(process: "subprocess.Popen[bytes]", request: str) -> bytes | None:
    """None: the process ended before it answered."""
    requests, answers = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
    requests.write(request.encode() + b"\n")
    requests.flush()
    line = answers.readline()
    if not line:
        process.wait()
        return None
    answer = json.loads(line)
    if "error" in answer:
        raise DrawingError(answer["error"])
    return answers.read(int(answer["bytes"]))


ENGINE = Engine()
