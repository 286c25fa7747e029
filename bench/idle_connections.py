"""One client beside connections that are open and do nothing, or little: `python -m bench.idle_connections`.

Each round opens the connections to the web server as the Procfile starts it, holds them, opens those anew that the
server closes, and meanwhile one client asks for the log-in page, each time on a new connection, and waits for the
answer. What is printed is its answers a second, and their ratio to those of the client alone in the same run. With
`--address` a server that runs already is asked, such as one behind a proxy; https is spoken without a check of its
certificate.
"""

import argparse
import os
import selectors
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from bench.workbench.server import CHECKOUT, running

GET = b"GET /login/ HTTP/1.1\r\nHost: localhost\r\n"
# With a cookie of the right form, so that the form is read to be compared with it.
POST = (
    b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\nCookie: csrftoken=%b\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n" % (b"a" * 32)
)
# What a connection sends at first, and then each second.
KINDS: dict[str, tuple[bytes, bytes]] = {
    "silent": (b"", b""),
    "kept alive": (GET + b"\r\n", b""),
    "slow headers": (GET, b"X-Slow: 1\r\n"),
    "slow bodies": (POST, b"x"),
}
LONGEST_ANSWER = 10.0


class Idlers:
    """Connections of one kind: opened, held, fed once a second and opened anew where the server closes them."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None, kind: str, number: int) -> None:
        self._where, self._context = (host, port), context
        self._first, self._then = KINDS[kind]
        self._selector = selectors.DefaultSelector()
        self._open: set[socket.socket] = set()
        self._number = number
        self._fed = time.monotonic()
        self.turn()

    def turn(self) -> None:
        """Reads what came, feeds and opens; waits for nothing but the opening."""
        for key, _ in self._selector.select(0):
            self._read(key.fileobj)  # type: ignore[arg-type]
        if time.monotonic() - self._fed >= 1:
            self._fed = time.monotonic()
            for each in [*self._open]:
                self._send(each, self._then)
        while len(self._open) < self._number:
            if not self._add():
                return

    def _add(self) -> bool:
        try:
            connection = socket.create_connection(self._where, timeout=2)
            if self._context is not None:
                connection = self._context.wrap_socket(connection)
        except OSError:
            return False
        connection.setblocking(False)
        self._open.add(connection)
        self._selector.register(connection, selectors.EVENT_READ)
        self._send(connection, self._first)
        return True

    def _send(self, connection: socket.socket, what: bytes) -> None:
        try:
            connection.send(what)
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            return
        except OSError:
            self._drop(connection)

    def _read(self, connection: socket.socket) -> None:
        try:
            if not connection.recv(65_536):
                self._drop(connection)
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        except OSError:
            self._drop(connection)

    def _drop(self, connection: socket.socket) -> None:
        if connection in self._open:
            self._open.remove(connection)
            self._selector.unregister(connection)
            connection.close()

    def close(self) -> None:
        for each in [*self._open]:
            self._drop(each)


def ask(host: str, port: int, context: ssl.SSLContext | None) -> bool:
    """Whether the log-in page came whole, within LONGEST_ANSWER seconds."""
    try:
        with socket.create_connection((host, port), timeout=LONGEST_ANSWER) as plain:
            connection = plain if context is None else context.wrap_socket(plain)
            connection.sendall(GET + b"Connection: close\r\n\r\n")
            answer = b""
            while part := connection.recv(65_536):
                answer += part
    except OSError:
        return False
    return answer.startswith(b"HTTP/1.1 200") and b"</html>" in answer


def answers_a_second(
    host: str, port: int, context: ssl.SSLContext | None, seconds: float, idlers: Idlers | None
) -> float:
    began, answered = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        answered += ask(host, port, context)
        if idlers is not None:
            idlers.turn()
    return answered / (time.monotonic() - began)


def measure(address: str, number: int, seconds: float) -> None:
    """Prints a line for the client alone and one for each kind of connection."""
    parts = urlsplit(address)
    host, port = parts.hostname or "127.0.0.1", parts.port or (443 if parts.scheme == "https" else 80)
    context = None
    if parts.scheme == "https":
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    answers_a_second(host, port, context, 1, None)  # the first pages take longer
    alone = answers_a_second(host, port, context, seconds, None)
    print(f"{'alone':<14}{alone:8.1f} answers a second")
    for kind in KINDS:
        idlers = Idlers(host, port, context, kind, number)
        beside = answers_a_second(host, port, context, seconds, idlers)
        idlers.close()
        print(f"{kind:<14}{beside:8.1f} answers a second, ratio {beside / alone:.3f}", flush=True)


@contextmanager
def own_server() -> Iterator[str]:
    """The address of a server with empty tables."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATA_DIR": str(Path(folder) / "data")}
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=CHECKOUT, env=environment, check=True)
        with running(environment) as server:
            yield f"http://127.0.0.1:{server.port}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each round")
    parser.add_argument("--address", help="of a server that runs already, such as https://127.0.0.1:8443")
    options = parser.parse_args()
    print(f"{options.connections} connections, rounds of {options.seconds:g} s")
    if options.address:
        measure(options.address, options.connections, options.seconds)
        return
    with own_server() as address:
        measure(address, options.connections, options.seconds)


if __name__ == "__main__":
    main()
