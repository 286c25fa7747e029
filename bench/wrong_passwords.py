"""What eight who try passwords cost one annotator who saves: `python -m bench wrong_passwords`.

The web server runs as the Procfile starts it, on SQLite. The annotator saves drafts alone, then beside eight clients
that post wrong passwords as fast as they are answered: once with the limits of log-in as they are, once with limits
that nobody reaches, so that every password is hashed. Prints the median of the saves, what it is of the one alone, and
how many attempts were answered in a second.
"""

import multiprocessing
import os
import tempfile
import time
from http.client import HTTPException
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any
from urllib.parse import urlencode

from bench.workbench.__main__ import OURS, seed
from bench.workbench.annotator import Annotator
from bench.workbench.server import running

CLIENTS, SAVES = 8, 60
UNREACHED = {"LOGIN_FAILURES_BY_NAME": "1000000", "LOGIN_FAILURES_BY_ADDRESS": "1000000"}


def main() -> None:
    print(f"{'':<24} {'save ms':>8} {'of alone':>9} {'attempts a second':>18}")
    for title, environment in (("with the limits", {}), ("without limits", UNREACHED)):
        with tempfile.TemporaryDirectory(prefix="touchstone-bench-") as folder:
            measure(title, {**os.environ, **environment, "DATA_DIR": str(Path(folder) / "data")})


def measure(title: str, environment: dict[str, str]) -> None:
    environment = {**environment, "DJANGO_SETTINGS_MODULE": "config.settings"}
    seed(environment, OURS, 100)
    with running(environment) as server:
        person = Annotator(server.port, "annotator0")
        person.log_in()
        person.begin()
        alone = median(person.save() for _ in range(SAVES))
        tried = multiprocessing.Value("i", 0)
        over = multiprocessing.Event()
        others = multiprocessing.Process(target=try_passwords, args=(server.port, over, tried), daemon=True)
        others.start()
        while tried.value < 3 * CLIENTS:
            assert others.is_alive(), "the clients have stopped"
            time.sleep(0.01)
        person.connection.close()
        before, began = tried.value, time.perf_counter()
        beside = median(person.save() for _ in range(SAVES))
        a_second = (tried.value - before) / (time.perf_counter() - began)
        over.set()
        others.join()
    print(f"{'alone':<24} {1000 * alone:>8.1f}")
    print(f"{f'beside, {title}':<24} {1000 * beside:>8.1f} {beside / alone:>9.1f} {a_second:>18.0f}", flush=True)


def try_passwords(port: int, over: Event, tried: Any) -> None:
    """Eight clients, each with a name of its own, in a process beside the annotator's."""

    def work(number: int) -> None:
        client = Annotator(port, f"annotator{number}")
        page = client._read(client._ask("GET", "/login/"))
        token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        form = urlencode({"csrfmiddlewaretoken": token, "login": client.name, "password": "wrong"})
        while not over.is_set():
            try:
                client._ask("POST", "/login/", form, {"Content-Type": "application/x-www-form-urlencoded"})
            except (HTTPException, OSError):
                client.connection.close()  # the server has closed it
                continue
            with tried.get_lock():
                tried.value += 1

    threads = [Thread(target=work, args=(number,)) for number in range(1, CLIENTS + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
