"""A search engine over real HTTP that speaks the protocols of Serper, Brave and SearXNG, and serves the pages it finds.

It answers each query with what a test told it, and any other with one page that repeats the query.
`python -m tests.fake_search --port 0` prints its port and serves until it is ended.

POST /serper                   {"q", "num"} and X-API-KEY
GET  /brave?q=&count=          and X-Subscription-Token
GET  /searxng?q=&format=json
GET  /pages/NAME               the text of `pages`, else a line with the name
"""

import argparse
import contextlib
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

Found = tuple[str, str, str]
"""Title, address and text of a page."""


@dataclass
class FakeSearch:
    """answers: the pages found, by query. pages: texts by name. fail: so many requests are answered with these statuses
    first. raw: sent as it is in place of an answer. asked: protocol and query of each search; headers: those of the
    last one; read: the names of the pages that were fetched."""

    port: int = 0
    answers: dict[str, Sequence[Found]] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    fail: list[int] = field(default_factory=list)
    raw: bytes | None = None
    asked: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def page(self, name: str, text: str | None = None) -> str:
        """The address of a page, which has this text from now on."""
        if text is not None:
            self.pages[name] = text
        return f"{self.address}/pages/{quote(name)}"

    def found(self, query: str) -> Sequence[Found]:
        return self.answers.get(query, [(f"About {query}", self.page("about"), f"{query} – so it is written.")])


def as_serper(pages: Sequence[Found], query: str) -> dict[str, Any]:
    organic = [{"title": title, "link": url, "snippet": text, "position": 1} for title, url, text in pages]
    return {"searchParameters": {"q": query}, "organic": organic}


def as_brave(pages: Sequence[Found], query: str) -> dict[str, Any]:
    results = [{"title": title, "url": url, "description": text} for title, url, text in pages]
    answer: dict[str, Any] = {"type": "search", "query": {"original": query}}
    return answer | ({"web": {"results": results}} if results else {})


def as_searxng(pages: Sequence[Found], query: str) -> dict[str, Any]:
    return {"query": query, "results": [{"title": title, "url": url, "content": text} for title, url, text in pages]}


PROTOCOLS = {"serper": as_serper, "brave": as_brave, "searxng": as_searxng}


def handler_of(server: FakeSearch) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            room, _, name = parts.path.strip("/").partition("/")
            if room == "pages":
                server.read.append(unquote(name))
                self.send(200, server.pages.get(unquote(name), f"The page {unquote(name)}.").encode(), "text/plain")
                return
            sent = parse_qs(parts.query)
            self.answer(room, sent.get("q", [""])[0], int(sent.get("count", ["100"])[0]))

        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(urlsplit(self.path).path.strip("/"), sent["q"], sent["num"])

        def answer(self, protocol: str, query: str, count: int) -> None:
            server.asked.append((protocol, query))
            server.headers = {name.lower(): value for name, value in self.headers.items()}
            if server.fail:
                self.send(server.fail.pop(0), b'{"message": "told to fail"}')
            elif server.raw is not None:
                self.send(200, server.raw)
            else:
                self.send(200, json.dumps(PROTOCOLS[protocol](server.found(query)[:count], query)).encode())

        def send(self, status: int, body: bytes, media_type: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextlib.contextmanager
def fake_search(port: int = 0) -> Iterator[FakeSearch]:
    """A server in a thread of this process, ended on leaving; port 0: any that is free."""
    told = FakeSearch()
    server = ThreadingHTTPServer(("127.0.0.1", port), handler_of(told))
    server.daemon_threads = True
    told.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    with fake_search(parser.parse_args().port) as server:
        print(server.port, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
