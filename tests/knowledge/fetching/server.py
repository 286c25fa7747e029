"""A web server for tests: a real one, in a thread, that answers each path with what a test told it."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from knowledge.fetching.fetch import FetchLimits
from tests.waiting import LONGEST

DRIP_SECONDS = 0.1


@dataclass
class Answer:
    """`drips`: after the body it sends a byte now and then, and never ends."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drips: bool = False


class WebServer:
    """`pages`: what each path answers. `asked`: the paths and headers of the requests that came."""

    def __init__(self, port: int, stopped: threading.Event) -> None:
        self.port = port
        self.stopped = stopped
        self.pages: dict[str, Answer] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    @property
    def limits(self) -> FetchLimits:
        """They let this server in, and nothing else of this machine."""
        return FetchLimits(seconds=LONGEST, size=100_000, allowed=frozenset({("127.0.0.1", self.port)}))

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    def serve(self, path: str, body: str | bytes, media_type: str = "text/html", **headers: str) -> str:
        """Answer the path with the body from now on; its address."""
        encoded = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = Answer(encoded, headers={"Content-Type": media_type, **named})
        return self.url(path)

    def redirect(self, path: str, to: str, status: int = 302) -> str:
        self.pages[path] = Answer(status=status, headers={"Location": to})
        return self.url(path)


@contextmanager
def web_server(tls: ssl.SSLContext | None = None) -> Iterator[WebServer]:
    """A server that serves until the block is left."""
    stopped = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            answer = web.pages.get(self.path, Answer(status=404))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # the client has had enough
                self.wfile.write(answer.body)
                while answer.drips and not stopped.wait(DRIP_SECONDS):
                    self.wfile.write(b".")

        def log_message(self, format: str, *words: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        web = WebServer(int(server.server_address[1]), stopped)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield web
        stopped.set()
        server.shutdown()
        thread.join()
