"""The web server as the Procfile starts it, over sockets: large bodies, idle connections, memory."""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from config.web_worker import MOST_BODY, MOST_HEADER, is_there
from tests.config.test_start import ROOT, kept
from tests.waiting import LONGEST, wait_until

LARGE = 300_000_000
TOKEN = "a" * 32  # of the right form


@contextmanager
def served(data_dir: Path, **environment: str) -> Iterator[int]:
    """The port of a server on this folder."""
    [web] = [line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith("web: ")]
    log = data_dir / "server.log"
    with socket.create_server(("127.0.0.1", 0)) as listener, log.open("wb") as written:
        words = shlex.split(web.removeprefix("web: ").replace("127.0.0.1:$PORT", f"fd://{listener.fileno()}"))
        server = subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            env={**kept(), "DATA_DIR": str(data_dir), **environment},
            stdout=written,
            stderr=written,
            start_new_session=True,
            pass_fds=[listener.fileno()],
        )
        try:
            port = listener.getsockname()[1]
            wait_until(lambda: answers(port), "the web server answers", LONGEST)
            yield port
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            print(log.read_text())


def answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/login/", timeout=LONGEST).close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def port(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(shutil.copytree(migrated, tmp_path_factory.mktemp("web") / "data")) as port:
        yield port


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=LONGEST)


def sent_until_refused(port: int, header: str, chunk: bytes, end: bytes) -> tuple[int, bytes]:
    """How many bytes of a body the connection took before it was closed, and what was answered, as far as this end."""
    sent, answer = 0, b""
    with connect(port) as client:
        client.sendall(header.encode())
        while end not in answer and (part := client.recv(65_536)):
            answer += part
        try:
            while sent < LARGE:
                client.sendall(chunk)
                sent += len(chunk)
        except OSError:
            pass
    return sent, answer


@pytest.mark.parametrize(
    ("length", "chunk"),
    [
        (f"Content-Length: {LARGE}", b"x" * 65_536),
        ("Transfer-Encoding: chunked", b"10000\r\n" + b"x" * 65_536 + b"\r\n"),
    ],
    ids=["with its length", "in chunks"],
)
def test_a_large_body_without_a_log_in_is_refused_before_it_is_sent(port: int, length: str, chunk: bytes) -> None:
    """The answer comes before a byte of the body; then the connection takes no more of it than what lies in buffers."""
    header = f"POST /login/ HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken={TOKEN}\r\n{length}\r\n"
    form = "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
    sent, answer = sent_until_refused(port, header + form, chunk, b"</html>")
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"Nothing was taken in" in answer
    assert sent < LARGE / 10


def test_a_large_body_to_a_private_page_is_not_read_without_a_log_in(port: int) -> None:
    header = f"POST /import/ HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken={TOKEN}\r\nContent-Length: {LARGE}\r\n"
    sent, answer = sent_until_refused(port, f"{header}\r\n", b"x" * 65_536, b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 302 ")
    assert sent < LARGE / 10


GET = b"GET /login/ HTTP/1.1\r\nHost: localhost\r\n"
POST = (
    b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken=%b\r\nContent-Length: 4000\r\n\r\nn="
    % TOKEN.encode()
)


@pytest.mark.parametrize(
    "start",
    [b"", GET, GET + b"\r\n", GET + b"\r\n" + GET, POST],
    ids=["silent", "part of a header", "kept alive", "part of a second request", "part of a body"],
)
def test_fifty_idle_connections_keep_nobody_out(port: int, start: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(50):
            idle = stack.enter_context(closing(connect(port)))
            idle.sendall(start)
            if start.startswith(GET + b"\r\n"):
                assert idle.recv(1).startswith(b"H")
        with connect(port) as client:
            client.settimeout(4)
            client.sendall(GET + b"Connection: close\r\n\r\n")
            assert client.recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_a_request_that_comes_byte_by_byte_is_answered(port: int) -> None:
    with connect(port) as client:
        for byte in GET + b"Connection: close\r\n\r\n":
            client.send(bytes([byte]))
        assert client.recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_requests_that_come_together_are_answered_in_order(port: int) -> None:
    with connect(port) as client:
        client.sendall(GET + b"\r\n" + b"GET /nowhere/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b""
        while part := client.recv(65_536):
            answer += part
    assert [line.split()[1] for line in answer.splitlines() if line.startswith(b"HTTP/1.1 ")] == [b"200", b"404"]


def test_a_header_without_an_end_closes_the_connection(port: int) -> None:
    with connect(port) as client, pytest.raises(OSError):
        client.sendall(GET + b"X: " + b"x" * (MOST_HEADER + MOST_BODY))
        if not client.recv(1):
            raise ConnectionResetError


@pytest.mark.parametrize(
    ("received", "there"),
    [
        (b"", False),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", False),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", True),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", False),
        (b"POST / HTTP/1.1\r\ncontent-length:  3 \r\n\r\nabc", True),
        (b"POST / HTTP/1.1\r\nX-Content-Length: 3\r\n\r\n", True),
        (b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % MOST_BODY, False),
        (b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MOST_BODY + 1), True),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", True),
    ],
)
def test_a_thread_gets_a_request_whose_header_and_small_body_are_whole(received: bytes, there: bool) -> None:
    assert is_there(received) is there


def test_a_worker_that_has_held_too_much_memory_is_replaced_and_no_answer_lost(migrated: Path, tmp_path: Path) -> None:
    """The server takes about 100 MB, which is over the least ceiling: each answer is its worker's last, or nearly."""
    with served(shutil.copytree(migrated, tmp_path / "data"), WEB_MEMORY_MB="1") as port:
        for _ in range(6):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/login/", timeout=LONGEST) as answer:
                assert answer.status == 200
        assert (tmp_path / "data" / "server.log").read_text().count("is replaced") >= 2
