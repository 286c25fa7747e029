"""A server that speaks OpenAI's protocol (chat, plain completions, embeddings, the list of models) over real HTTP.

It does what a test tells it to (tests/fake_answers.py).

`python -m tests.fake_openai --port 0` prints its port and serves until it is ended. Written on bare asyncio streams: it
must hold 64 slow calls at once beside the program under test on two cores.

GET  /v1/pages/LINES                   a page of plain text of so many lines
     /v1/files, /v1/batches            the Batch API (tests/fake_batches.py)
POST /control  {"latency": 0.2, ...}   sets fields of Behaviour; those not named stay.
POST /reset                            the first behaviour again, and every count at 0.
GET  /stats                            {"total", "failed", "in_flight", "max_in_flight", "longest_pause" (seconds
                                       without a call), "requests": {hash: count}, "begun": [when each call
                                       arrived, in seconds of the epoch], "batches": [as the server says]}
"""

import argparse
import asyncio
import contextlib
import hashlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.fake_answers import MADE_BY_PATH, Behaviour, Made
from tests.fake_batches import PATHS, FakeBatches
from tests.fake_dialects import JSON, Reply, fault_of, in_form, refusal_of

ROOT = Path(__file__).resolve().parent.parent
PAGES = "/v1/pages/"
DROP = 0


@dataclass
class Counts:
    total: int = 0
    failed: int = 0
    in_flight: int = 0
    max_in_flight: int = 0
    longest_pause: float = 0.0
    last_end: float | None = None
    requests: Counter[str] = field(default_factory=Counter)
    begun: list[float] = field(default_factory=list)

    def begin(self, request: str) -> int:
        """Count a call in and return its number, from 1."""
        self.total += 1
        self.requests[request] += 1
        self.begun.append(time.time())
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        if self.last_end is not None:
            self.longest_pause = max(self.longest_pause, time.monotonic() - self.last_end)
        return self.total

    def end(self) -> None:
        self.in_flight -= 1
        self.last_end = time.monotonic()


class FakeServer:
    def __init__(self) -> None:
        self.behaviour = Behaviour()
        self.counts = Counts()
        self.batches = FakeBatches()
        self.told = asyncio.Event()

    async def serve(self, port: int) -> None:
        server = await asyncio.start_server(self.connection, "127.0.0.1", port, backlog=1024)
        print(server.sockets[0].getsockname()[1], flush=True)
        async with server:
            await server.serve_forever()

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request after the other until the client hangs up."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                method, path, _ = head.split(" ", 2)
                length = re.search(r"content-length: *(\d+)", head, flags=re.IGNORECASE)
                body = await reader.readexactly(int(length.group(1)) if length else 0)
                status, answer = await self.route(method, of_azure(path, head), body)
                if status == DROP:
                    break
                media_type = "text/plain" if path.startswith(PAGES) else JSON
                headers: Mapping[str, str] = {}
                if isinstance(answer, Reply):
                    status, answer, headers, media_type = answer.status, answer.body, answer.headers, answer.media_type
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                response = self.response(status, body, media_type, headers)
                if path.startswith("/v1/") and 0 < self.counts.total <= self.behaviour.break_first:
                    writer.write(response[: -len(body) // 2])
                    break
                writer.write(response)
                await writer.drain()
        writer.close()

    def response(self, status: int, body: bytes, media_type: str, others: Mapping[str, str]) -> bytes:
        headers = [f"HTTP/1.1 {status} .", f"Content-Type: {media_type}", f"Content-Length: {len(body)}"]
        headers += [f"{name}: {value}" for name, value in others.items()]
        if status != 200 and self.behaviour.retry_after is not None:
            headers.append(f"Retry-After: {self.behaviour.retry_after}")
        if status != 200 and self.behaviour.location is not None:
            headers.append(f"Location: {self.behaviour.location}")
        return "\r\n".join([*headers, "", ""]).encode() + body

    async def route(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        """The status, and bytes to be sent as they are or what is to be sent as JSON."""
        if (method, path) == ("GET", "/v1/models"):
            model: dict[str, Any] = {"id": "m", "object": "model"}
            if self.behaviour.context_length is not None:
                model["max_model_len"] = self.behaviour.context_length
            return 200, {"object": "list", "data": [model]}
        if method == "GET" and path.startswith(PAGES):
            return 200, "".join(f"Line {n}.\n" for n in range(int(path.removeprefix(PAGES)))).encode()
        if path.startswith(PATHS) and (reply := self.batches.reply(method, path, body, self.behaviour)) is not None:
            return reply.status, reply
        made = MADE_BY_PATH.get(path)
        if method == "POST" and made and path.split("/")[2] in self.behaviour.serves:
            return await self.answer(json.loads(body), made)
        if (method, path) == ("GET", "/stats"):
            return 200, vars(self.counts) | {"batches": self.batches.listed()}
        if (method, path) == ("POST", "/control"):
            self.tell(replace(self.behaviour, **json.loads(body)))
            return 200, vars(self.behaviour)
        if (method, path) == ("POST", "/reset"):
            self.counts, self.batches = Counts(), FakeBatches()
            self.tell(Behaviour())
            return 200, {}
        return 404, {"error": {"message": f"nothing at {method} {path}"}}

    def tell(self, behaviour: Behaviour) -> None:
        """Behave so from now on; who waits looks again."""
        self.behaviour = behaviour
        self.told.set()
        self.told = asyncio.Event()

    async def wait_for_word(self, counts: Counts, number: int) -> None:
        """Until the call with this number may be answered, or all is forgotten."""
        while counts is self.counts and self.behaviour.answers is not None and number > self.behaviour.answers:
            await self.told.wait()

    async def answer(self, body: dict[str, Any], made: Made) -> tuple[int, Any]:
        counts, behaviour = self.counts, self.behaviour
        request = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        number = counts.begin(request)
        time = counts.requests[request]
        try:
            await asyncio.sleep(behaviour.latency)
            await self.wait_for_word(counts, number)
        finally:
            counts.end()
        if behaviour.fails(number, time):
            counts.failed += 1
            return behaviour.fail_status, {"error": {"message": behaviour.fail_text, "code": behaviour.fail_code}}
        if behaviour.most_words is not None and len(body.get("prompt", "").split()) > behaviour.most_words:
            counts.failed += 1
            return 400, {"error": {"message": "the prompt is too long"}}
        reply = refusal_of(behaviour.dialects, body)
        if reply is None and (time == 1 or behaviour.faults_always):
            reply = fault_of(behaviour.dialects)
        if reply is not None:
            counts.failed += 1
            return reply.status, reply
        if behaviour.raw_body is not None:
            return 200, behaviour.raw_body.encode()
        return 200, in_form(behaviour.dialects, made(body, behaviour, number))


def of_azure(path: str, head: str) -> str:
    """The path of OpenAI for that of a deployment of Azure, or of its models, called as it wants to be."""
    deployment = re.fullmatch(r"/(?:openai/deployments/[^/]+|models|openai/v1)(/.*)\?api-version=2024-10-21", path)
    named = re.search("^api-key: *azure-key\r$", head, re.IGNORECASE | re.MULTILINE)
    other = re.search("^authorization:", head, re.IGNORECASE | re.MULTILINE)
    return f"/v1{deployment.group(1)}" if deployment and named and not other else path


@dataclass(frozen=True)
class FakeOpenAI:
    """A running fake server, as a test sees it."""

    port: int

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def control(self, **fields: Any) -> None:
        self._call("/control", fields)

    def reset(self) -> None:
        self._call("/reset", {})

    def stats(self) -> dict[str, Any]:
        return self._call("/stats")

    def look_at_batches(self) -> None:
        """Let its batches go on, as if somebody had looked at each."""
        for batch in self.stats()["batches"]:
            self._call(f"/v1/batches/{batch['id']}")

    def _call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", data=data, timeout=60) as answer:
            return json.load(answer)


@contextlib.contextmanager
def fake_openai(port: int = 0, **behaviour: Any) -> Iterator[FakeOpenAI]:
    """A fake server in a process of its own, ended on leaving; port 0: any that is free."""
    command = [sys.executable, "-m", "tests.fake_openai", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            server = FakeOpenAI(int(process.stdout.readline()))
            server.control(**behaviour)
            yield server
        finally:
            process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0)
    options = parser.parse_args()
    server = FakeServer()
    server.behaviour.latency = options.latency
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve(options.port))


if __name__ == "__main__":
    main()
