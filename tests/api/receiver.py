"""A program that receives webhooks: a real HTTP server, in a thread."""

import hmac
import json
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.waiting import LONGEST


@dataclass(frozen=True)
class Message:
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    def is_signed_with(self, secret: str) -> bool:
        """As Standard Webhooks says."""
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.body
        digest = hmac.new(b64decode(secret.removeprefix("whsec_")), signed, sha256).digest()
        return self.headers["webhook-signature"] == "v1," + b64encode(digest).decode()


class Receiver:
    """`status`: what it answers, `location` with it, once `may_answer` is set. `messages`: what came."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.status = 204
        self.location = ""
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.messages: list[Message] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.messages.append(Message({name.lower(): value for name, value in self.headers.items()}, body))
            receiver.may_answer.wait(LONGEST)
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.end_headers()

        def log_message(self, format: str, *words: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        receiver = Receiver(int(server.server_address[1]))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
