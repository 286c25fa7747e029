"""A server over real HTTP in the dialect of Anthropic's messages API.

It answers each question with `answers`, in turn, where there are some left, and with "True" otherwise. An answer is the
text, or a status and a message: an error, with `headers`.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-ant-of-a-test"
KNOWN = {"model", "messages", "system", "max_tokens", "temperature", "top_p", "stop_sequences", "thinking"}
TYPES = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}


@dataclass
class FakeAnthropic:
    """thought: stands before each answer. usage, stop_reason: of each answer. asked: the bodies of all requests."""

    port: int = 0
    answers: list[str | tuple[int, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    thought: str = ""
    stop_reason: str = "end_turn"
    usage: dict[str, Any] = field(default_factory=lambda: {"input_tokens": 12, "output_tokens": 3})
    asked: list[dict[str, Any]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, path: str, key: str | None, version: str | None, body: dict[str, Any]) -> tuple[int, Any]:
        if path != "/v1/messages":
            return 404, error_of(404, f"Not found: {path}")
        if key != KEY:
            return 401, error_of(401, "invalid x-api-key")
        if version is None or "max_tokens" not in body:
            return 400, error_of(400, "max_tokens: Field required")
        if unknown := body.keys() - KNOWN:
            return 400, error_of(400, f"{min(unknown)}: Extra inputs are not permitted")
        said = self.answers.pop(0) if self.answers else "True"
        if isinstance(said, tuple):
            return said[0], error_of(*said)
        thought = [{"type": "thinking", "thinking": self.thought, "signature": "c2ln"}] if self.thought else []
        return 200, {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [*thought, {"type": "text", "text": said}],
            "stop_reason": self.stop_reason,
            "stop_sequence": None,
            "usage": self.usage,
        }


def error_of(status: int, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": TYPES.get(status, "api_error"), "message": message}}


@contextlib.contextmanager
def fake_anthropic() -> Iterator[FakeAnthropic]:
    state = FakeAnthropic()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(body)
            status, answer = state.answer(self.path, self.headers["x-api-key"], self.headers["anthropic-version"], body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in state.headers.items() if status != 200 else ():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            """Nothing on the standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
