"""An annotator at work, with a connection that stays open."""

import gzip
import html
import re
import time
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlencode

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Annotator:
    """Times what they wait for, in seconds; what they do between is not counted."""

    def __init__(self, port: int, name: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", port)
        self.name = name
        self.cookies: dict[str, str] = {}
        self.address = ""
        self.page = ""
        self.written = 0

    def log_in(self) -> None:
        _, page = self.ask("GET", "/login/")
        self.post("/login/", {"csrfmiddlewaretoken": token(page), "username": self.name, "password": self.name})

    def go_on(self) -> None:
        """To the next task."""
        self.follow("GET", "/datasets/1/label/")

    def open(self) -> float:
        began = time.perf_counter()
        response, page = self.ask("GET", self.address)
        spent = time.perf_counter() - began
        assert response.status == 200, response.status
        self.page = text(page)
        return spent

    def save(self) -> float:
        """One more word in the reason of the first segment."""
        self.written += 1
        form = self.form("save") | {field(self.page, "reason-"): "because " * self.written}
        began = time.perf_counter()
        response, body = self.post(self.address, form, {"Accept": "application/json"})
        spent = time.perf_counter() - began
        assert response.status == 200, (response.status, body)
        self.open()
        return spent

    def next(self) -> float:
        """Every segment is right; the next page."""
        form = self.form("submit") | dict.fromkeys(re.findall(r'name="(value-[^"]+)"', self.page), "supported")
        before = self.address
        began = time.perf_counter()
        self.follow("POST", self.address, urlencode(form), FORM)
        spent = time.perf_counter() - began
        assert self.address != before
        return spent

    def form(self, action: str) -> dict[str, str]:
        version = re.search(r'name="version" value="(\d+)"', self.page)
        assert version is not None
        return {"csrfmiddlewaretoken": token(self.page), "version": version[1], "action": action}

    def post(self, address: str, form: dict[str, str], headers: dict[str, str] | None = None):
        return self.ask("POST", address, urlencode(form), FORM | (headers or {}))

    def follow(self, method: str, address: str, body: str = "", headers: dict[str, str] | None = None) -> None:
        """Ask, and go where the answer leads, to a task's page."""
        response, page = self.ask(method, address, body, headers)
        while response.status == 302:
            address = response.headers["Location"]
            response, page = self.ask("GET", address)
        assert response.status == 200, (response.status, address)
        assert address.startswith("/assignments/"), address
        self.address, self.page = address, text(page)

    def ask(
        self, method: str, address: str, body: str = "", headers: dict[str, str] | None = None
    ) -> tuple[HTTPResponse, bytes]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Accept": "text/html", "Accept-Encoding": "gzip", "Cookie": cookies, **(headers or {})}
        self.connection.request(method, address, body or None, sent)
        response = self.connection.getresponse()
        answer = response.read()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if response.headers.get("Content-Encoding") == "gzip":
            answer = gzip.decompress(answer)
        return response, answer


def text(page: bytes) -> str:
    return page.decode()


def token(page: bytes | str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page if isinstance(page, str) else page.decode())
    assert found is not None
    return html.unescape(found[1])


def field(page: str, prefix: str) -> str:
    found = re.search(rf'name="({prefix}[^"]+)"', page)
    assert found is not None
    return found[1]
