"""A web server with more requests than it can answer in time says so, and answers all that it took in."""

import os
import socket
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

from config.web_worker import RETRY_SECONDS
from tests.config.test_start import ROOT
from tests.waiting import LONGEST, wait_until

GET = b"GET /%b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"


def read(client: socket.socket) -> bytes:
    answer = b""
    while part := client.recv(65_536):
        answer += part
    return answer


def test_a_full_server_refuses_at_once_and_answers_what_it_took_in(tmp_path: Path) -> None:
    """One thread, held by the first request; the second waits for it, until the next are refused."""
    file = tmp_path / "go"
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:
        words = ["gunicorn", "tests.config.slow_application:application", "--config", "python:config.web_server"]
        more = ["--workers", "1", "--threads", "1", "--bind", f"fd://{listener.fileno()}"]
        server = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", *words, *more],
                cwd=ROOT,
                env={**os.environ, "FILE": str(file), "DJANGO_SETTINGS_MODULE": "config.settings"},
                pass_fds=[listener.fileno()],
            )
        )
        stack.callback(server.terminate)

        def send(request: bytes) -> socket.socket:
            client = socket.create_connection(listener.getsockname(), timeout=LONGEST)
            client.sendall(request)
            return stack.enter_context(closing(client))

        taken = [send(GET % b"first"), send(GET % b"second")]
        refused: list[bytes] = []

        def is_refused() -> bool:
            client = send(GET % b"third")
            client.settimeout(0.5)
            try:
                refused.append(read(client))
            except TimeoutError:
                client.settimeout(LONGEST)
                taken.append(client)
            return bool(refused)

        wait_until(is_refused, "the server is full", LONGEST)
        [answer] = refused
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert b"Retry-After: %d" % RETRY_SECONDS in head
        assert int(head.partition(b"Content-Length: ")[2].split()[0]) == len(body)
        assert b"Nothing of this request was stored" in body

        # A probe waits like those before it, and so does who has a large body still to send.
        large = send(POST % 100_000)
        taken += [send(GET % b"healthz"), large]
        file.touch()
        large.sendall(b"x" * 100_000)
        for client in taken:
            assert read(client).startswith(b"HTTP/1.1 200 ")
        assert read(send(GET % b"later")).startswith(b"HTTP/1.1 200 ")
