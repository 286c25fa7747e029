"""A server that speaks OpenAI's chat protocol over real HTTP and does what a test tells it to.

`python -m tests.fake_openai --port 0` prints its port and serves until it is ended. Written on bare asyncio streams: it
must hold 64 slow calls at once beside the program under test on two cores.

POST /control  {"latency": 0.2, ...}   sets fields of Behaviour; those not named stay.
POST /reset                            the first behaviour again, and every count at 0.
GET  /stats                            {"total", "failed", "in_flight", "max_in_flight", "longest_pause" (seconds
                                       without a call), "requests": {hash: count}}
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
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DROP = 0


@dataclass
class Behaviour:
    """answer: this text for every request; None: what fits the prompt (`fitting`). garble_first: so many calls are
    answered in a form that nobody asked for.
    fail_first: so many calls fail before one succeeds; fail_every: each n-th call fails. fail_status 0 drops the
    connection without an answer. raw_body: sent as it is, with status 200. usage: whether token counts are given."""

    latency: float = 0.0
    answer: str | None = None
    garble_first: int = 0
    finish_reason: str = "stop"
    fail_first: int = 0
    fail_every: int = 0
    fail_status: int = 500
    fail_text: str = "told to fail"
    fail_code: str | None = None
    retry_after: str | None = None
    raw_body: str | None = None
    usage: bool = True

    def fails(self, number: int) -> bool:
        """Whether the call with this number, from 1, fails."""
        return number <= self.fail_first or (self.fail_every > 0 and number % self.fail_every == 0)


@dataclass
class Counts:
    total: int = 0
    failed: int = 0
    in_flight: int = 0
    max_in_flight: int = 0
    longest_pause: float = 0.0
    last_end: float | None = None
    requests: Counter[str] = field(default_factory=Counter)

    def begin(self, request: str) -> int:
        """Count a call in and return its number, from 1."""
        self.total += 1
        self.requests[request] += 1
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        if self.last_end is not None:
            self.longest_pause = max(self.longest_pause, time.monotonic() - self.last_end)
        return self.total

    def end(self) -> None:
        self.in_flight -= 1
        self.last_end = time.monotonic()


def flagged_ids(text: str) -> str:
    """The answer to a message that ends in numbered segments: which of them contain the word "wrong"."""
    numbered = re.findall(r"^(\d+)\.(.*)$", text, flags=re.MULTILINE)
    ids = [number for number, segment in numbered if re.search(r"\bwrong\b", segment, flags=re.IGNORECASE)]
    return f"Answer: {','.join(ids)}" if ids else "ALL_CORRECT"


def fitting(messages: list[dict[str, str]]) -> str:
    """Facts cut at "and", segments at the ends of lines, False of a statement with the word "wrong", the flagged ids of
    numbered segments."""
    for message in reversed(messages):
        if found := re.match(r"Take this sentence apart: (.*)", message["content"]):
            return "".join(f"- {fact.strip(' ,.')}.\n" for fact in re.split(r"\band\b", found.group(1)))
    if separator := re.search(r"the separator (\*+)", messages[0]["content"]):
        return f"\n{separator.group(1)}\n".join(messages[1]["content"].splitlines())
    if statement := re.search(r"^Statement: (.*)\nTrue or False\?$", messages[-1]["content"], flags=re.MULTILINE):
        return "False" if re.search(r"\bwrong\b", statement.group(1)) else "True"
    return flagged_ids(messages[-1]["content"])


def completion(body: dict[str, Any], behaviour: Behaviour, number: int) -> dict[str, Any]:
    text = behaviour.answer if behaviour.answer is not None else fitting(body["messages"])
    if number <= behaviour.garble_first:
        text = "I would rather not."
    prompt_tokens = sum(len(message["content"].split()) for message in body["messages"])
    answer: dict[str, Any] = {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": f"{body['model']}-fake",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": behaviour.finish_reason,
            }
        ],
    }
    if behaviour.usage:
        tokens = len(text.split())
        answer["usage"] = {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": tokens,
            "total_tokens": prompt_tokens + tokens,
        }
    return answer


class FakeServer:
    def __init__(self) -> None:
        self.behaviour = Behaviour()
        self.counts = Counts()

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
                status, answer = await self.route(method, path, body)
                if status == DROP:
                    break
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                writer.write(self.response(status, body))
                await writer.drain()
        writer.close()

    def response(self, status: int, body: bytes) -> bytes:
        headers = [f"HTTP/1.1 {status} .", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        if status != 200 and self.behaviour.retry_after is not None:
            headers.append(f"Retry-After: {self.behaviour.retry_after}")
        return "\r\n".join([*headers, "", ""]).encode() + body

    async def route(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        """The status, and bytes to be sent as they are or what is to be sent as JSON."""
        if (method, path) == ("POST", "/v1/chat/completions"):
            return await self.chat(json.loads(body))
        if (method, path) == ("GET", "/stats"):
            return 200, vars(self.counts)
        if (method, path) == ("POST", "/control"):
            self.behaviour = replace(self.behaviour, **json.loads(body))
            return 200, vars(self.behaviour)
        if (method, path) == ("POST", "/reset"):
            self.behaviour, self.counts = Behaviour(), Counts()
            return 200, {}
        return 404, {"error": {"message": f"nothing at {method} {path}"}}

    async def chat(self, body: dict[str, Any]) -> tuple[int, Any]:
        counts, behaviour = self.counts, self.behaviour
        number = counts.begin(hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest())
        try:
            await asyncio.sleep(behaviour.latency)
        finally:
            counts.end()
        if behaviour.fails(number):
            counts.failed += 1
            return behaviour.fail_status, {"error": {"message": behaviour.fail_text, "code": behaviour.fail_code}}
        if behaviour.raw_body is not None:
            return 200, behaviour.raw_body.encode()
        return 200, completion(body, behaviour, number)


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

    def _call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", data=data, timeout=10) as answer:
            return json.load(answer)


@contextlib.contextmanager
def fake_openai(**behaviour: Any) -> Iterator[FakeOpenAI]:
    """A fake server in a process of its own, ended on leaving."""
    command = [sys.executable, "-m", "tests.fake_openai", "--port", "0"]
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
