"""What the client does when answers fail: against a real HTTP server that answers by a list."""

import asyncio
import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from touchstone import AsyncTouchstone, Dataset, NotFoundError, ProblemError, Release, Touchstone, UnreachableError
from touchstone.requests import TRIES

CUT = (0, {}, b"")
DATASET: dict[str, Any] = {"id": 1, "name": "lab", "scheme": "felm", "description": "", "gold_revision": 0}
MADE = (201, {}, json.dumps(DATASET).encode())
BUSY = (503, {"Retry-After": "0"}, b"")
RELEASE = Release(1, "v1", "done", "", "", 0)


class Handler(BaseHTTPRequestHandler):
    """Gives the next answer of the server's list. CUT: closes the connection without one."""

    server: "Server"

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.headers.get("Idempotency-Key"), body))
        self.server.paths.append(self.path)
        status, headers, content = self.server.answers.pop(0)
        time.sleep(self.server.seconds)
        if status:
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(content))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
        self.close_connection = True

    do_GET = do_POST = answer  # noqa: N815 - names of http.server

    def log_message(self, *words: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.asked: list[tuple[str, str | None, bytes]] = []
        self.paths: list[str] = []
        self.seconds = 0.0  # before it answers

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest, server: Server) -> Any:
    """The result of a method of the client, of either kind."""

    async def call_async(method: str, *arguments: Any) -> Any:
        async with AsyncTouchstone(server.address, "token") as client:
            return await getattr(client, method)(*arguments)

    def call_sync(method: str, *arguments: Any) -> Any:
        with Touchstone(server.address, "token") as client:
            return getattr(client, method)(*arguments)

    return call_sync if request.param == "sync" else lambda *words: asyncio.run(call_async(*words))


def test_after_429_it_waits_as_long_as_it_is_told(server: Server, call: Any) -> None:
    server.answers = [(429, {"Retry-After": "1"}, b""), MADE]
    begun = time.monotonic()

    assert call("create_dataset", "lab").name == "lab"

    assert time.monotonic() - begun >= 1


@pytest.mark.parametrize("failure", [BUSY, CUT], ids=["503", "cut"])
def test_a_post_is_sent_again_with_the_same_key(server: Server, call: Any, failure: Any) -> None:
    server.answers = [failure, MADE]

    call("create_dataset", "lab")

    first, second = server.asked
    assert first == second
    method, key, _ = first
    assert method == "POST"
    assert key


def test_a_comparison_is_asked_for_again_as_of_the_first_time(server: Server, call: Any) -> None:
    """Else each label that comes in meanwhile would start it anew."""
    since = "2031-05-06T07:08:09.101112Z"
    computing = (202, {}, json.dumps({"state": "computing", "since": since, "error": ""}).encode())
    server.answers = [computing, computing, (200, {}, b'{"pairs": []}')]

    assert call("compare", Dataset(**DATASET)).document == {"pairs": []}

    address = "/api/v1/datasets/1/comparison/"
    later = f"{address}?since=2031-05-06T07%3A08%3A09.101112Z"
    assert server.paths == [address, later, later]


def test_two_posts_have_two_keys(server: Server, call: Any) -> None:
    server.answers = [MADE, MADE]

    call("create_dataset", "lab")
    call("create_dataset", "lab")

    assert len({key for _, key, _ in server.asked}) == 2


def test_a_file_is_sent_whole_again(server: Server, call: Any, tmp_path: Path) -> None:
    file = tmp_path / "theirs.jsonl"
    file.write_text('{"index": "1"}\n')
    server.answers = [BUSY, (201, {}, b'{"created": 1}')]

    assert call("push_predictions", Dataset(**DATASET), "theirs", file) == {"created": 1}

    assert all(b'{"index": "1"}\n' in body for _, _, body in server.asked)


def test_a_file_that_is_long_checked_is_sent_once(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "theirs.jsonl"
    file.write_text('{"index": "1"}\n')
    server.answers, server.seconds = [(201, {}, b'{"created": 1}')], 0.5

    with Touchstone(server.address, "token", timeout=0.1) as client:
        assert client.push_predictions(Dataset(**DATASET), "theirs", file) == {"created": 1}

    assert len(server.asked) == 1


def test_it_gives_up_with_the_last_answer(server: Server, call: Any) -> None:
    problem = json.dumps({"detail": "The server is being updated."}).encode()
    server.answers = [(503, {"Retry-After": "0"}, problem)] * TRIES

    with pytest.raises(ProblemError, match=r"^The server is being updated\.$"):
        call("create_dataset", "lab")

    assert len(server.asked) == TRIES
    assert len({key for _, key, _ in server.asked}) == 1


def test_what_is_refused_is_not_sent_again(server: Server, call: Any) -> None:
    server.answers = [(404, {}, b'{"detail": "Not found."}')]

    with pytest.raises(NotFoundError, match="Not found"):
        call("run", 7)

    assert len(server.asked) == 1


def test_of_a_download_that_is_cut_nothing_but_the_whole_file_is_left(
    server: Server, call: Any, tmp_path: Path
) -> None:
    server.answers = [(200, {"Content-Length": "9"}, b"half"), (200, {}, b"the whole")]

    call("download_release", RELEASE, tmp_path / "v1.zip")

    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("v1.zip", b"the whole")]


def test_an_address_that_is_no_touchstone_is_one_sentence(server: Server, call: Any) -> None:
    server.answers = [(200, {}, b"<html>"), (301, {"Location": "https://elsewhere.example/"}, b"")]

    with pytest.raises(ProblemError, match="not the address of a Touchstone server"):
        call("run", 7)
    with pytest.raises(ProblemError, match=r"at another address: https://elsewhere\.example/"):
        call("run", 7)


def test_where_nobody_listens_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("touchstone.requests.TRIES", 2)
    with Server() as server:
        address = server.address

    with Touchstone(address, "token") as client, pytest.raises(UnreachableError, match="ConnectError"):
        client.datasets()


def test_an_address_names_http() -> None:
    with pytest.raises(ValueError, match=r"'touchstone\.example' is no address of a server"):
        Touchstone("touchstone.example", "token")
