"""An annotator at work, with the requests of the workbench's script."""

import gzip
import json
import re
import time
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlencode

# The view that bench/workbench/application.py adds.
EMPTY = "/empty/"
PASSWORD = "of every annotator"
SUPPORTED = {
    "value": "supported",
    "error_type": "",
    "irrelevance": "",
    "reason": "",
    "flagged": False,
    "references": [],
}


class Annotator:
    """Each thing they wait for returns its seconds; the connection stays open between."""

    def __init__(self, port: int, name: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", port)
        self.name = name
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.written = 0

    def log_in(self) -> None:
        page = self._read(self._ask("GET", "/login/"))
        form = {"csrfmiddlewaretoken": _found(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)}
        form |= {"login": self.name, "password": PASSWORD}
        sent = {"Content-Type": "application/x-www-form-urlencoded"}
        assert self._ask("POST", "/login/", urlencode(form), sent).status == 302

    def begin(self) -> None:
        """Go to the next task of the only dataset."""
        self.address = self._ask("GET", "/datasets/1/label/").headers["Location"]
        self.open()

    def empty(self) -> float:
        """The empty view, in no way the project's (bench/workbench/application.py)."""
        began = time.perf_counter()
        response = self._ask("GET", EMPTY)
        seconds = time.perf_counter() - began
        assert response.status == 200, response.status
        return seconds

    def open(self) -> float:
        """The page of the task at hand."""
        began = time.perf_counter()
        response = self._ask("GET", self.address)
        seconds = time.perf_counter() - began
        assert response.status == 200, (response.status, self.address)
        page = self._read(response)
        self.token = _found(r'"X-CSRFToken": "([^"]+)"', page)
        self._take_in(page)
        return seconds

    def save(self) -> float:
        """One more word in the reason of the first segment."""
        self.written += 1
        entries = {self.units[0]: {**SUPPORTED, "reason": "because " * self.written}}
        began = time.perf_counter()
        response = self._post(entries)
        seconds = time.perf_counter() - began
        answer = json.loads(self._read(response))
        assert response.status == 200, answer
        self.version = answer["version"]
        return seconds

    def next(self) -> float:
        """Label all segments as right and submit; the answer is the next task."""
        return self._submit(dict.fromkeys(self.units, SUPPORTED))

    def cycle(self) -> float:
        """Label all segments as right, save that, and submit then; the answer is the next task."""
        began = time.perf_counter()
        response = self._post(dict.fromkeys(self.units, SUPPORTED))
        answer = json.loads(self._read(response))
        seconds = time.perf_counter() - began
        assert response.status == 200, answer
        self.version = answer["version"]
        return seconds + self._submit({})

    def _submit(self, entries: dict[str, Any]) -> float:
        """Changes, and a submission with them."""
        began = time.perf_counter()
        response = self._post(entries, submit=True)
        answer = json.loads(self._read(response))
        seconds = time.perf_counter() - began
        assert response.status == 200, answer
        assert answer["next"] != self.address
        self.address = answer["next"]
        self._take_in(answer["html"])
        return seconds

    def _take_in(self, page: str) -> None:
        """The values that the script reads from the page."""
        self.units = re.findall(r'data-unit="([^"]+)"', page)
        self.version = json.loads(_found(r'<script id="page" type="application/json">(.*?)</script>', page))["version"]
        self.written = 0

    def _post(self, entries: dict[str, Any], submit: bool = False) -> HTTPResponse:
        body = json.dumps({"version": self.version, "entries": entries, "active": 1, "submit": submit})
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.token, "Accept": "application/json"}
        return self._ask("POST", f"{self.address}save/", body, headers)

    def _ask(self, method: str, address: str, body: str | None = None, headers: dict[str, str] | None = None):
        """The answer, read to its end."""
        sent = {"Accept": "text/html", "Accept-Encoding": "gzip", **(headers or {})}
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.connection.request(method, address, body, sent)
        response = self.connection.getresponse()
        self.body = response.read()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return response

    def _read(self, response: HTTPResponse) -> str:
        packed = response.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


def _found(pattern: str, page: str) -> str:
    match = re.search(pattern, page, re.DOTALL)
    assert match is not None, pattern
    return match[1]
