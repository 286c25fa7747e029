"""The Batch API of the fake model server: files in memory, and batches that are done when a test says so.

`batches` of the fake server's behaviour says what becomes of a batch that is looked at: "completed" answers all of its
requests at once; "running" leaves it as it is, with a quarter of them done; "expired" answers the first half;
"failed" takes no file, for a field, "full" for the tokens that wait already; "none" has no Batch API, and "away" breaks
at each look; "unnamed" does not name the files of a batch that is done; "otherwise" answers all in the words of other
servers, and has no list of batches. A batch keeps the state that it has once ended.
"""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fake_answers import MADE_BY_PATH, Behaviour
from tests.fake_dialects import Reply, error, in_form, refusal_of

PATHS = ("/v1/files", "/v1/batches")
ENDED = ("completed", "expired", "cancelled", "failed")
EXPIRED = {"code": "batch_expired", "message": "This request could not be executed before the window expired."}
ERRORS = {
    "failed": {"code": "invalid_json_line", "message": "This line is not parseable as valid JSON.", "line": 1},
    "full": {"code": "token_limit_exceeded", "message": "Enqueued token limit reached for m in your organization."},
}


class FakeBatches:
    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, dict[str, Any]] = {}

    def listed(self) -> list[dict[str, Any]]:
        return list(self._batches.values())

    def reply(self, method: str, path: str, body: bytes, behaviour: Behaviour) -> Reply | None:
        """None: there is nothing at the path."""
        if behaviour.batches == "none":
            return None
        parts = urlsplit(path).path.split("/")[2:]
        reply = self._route(method, path, parts, body, behaviour)
        return in_other_words(reply) if reply and parts[0] == "batches" and behaviour.batches == "otherwise" else reply

    def _route(self, method: str, path: str, parts: list[str], body: bytes, behaviour: Behaviour) -> Reply | None:
        match (method, parts):
            case ("POST", ["files"]):
                return self._upload(body)
            case ("GET", ["files", name, "content"]) if name in self._files:
                return Reply(200, self._files[name], media_type="application/jsonl")
            case ("POST", ["batches"]):
                return self._create(json.loads(body))
            case ("GET", ["batches"]) if behaviour.batches != "otherwise":
                return self._list(parse_qs(urlsplit(path).query))
            case ("GET", ["batches", name]) if name in self._batches:
                if behaviour.batches == "away":
                    return error(503, "Overloaded")
                self._look(self._batches[name], behaviour)
                unnamed = ("output_file_id", "error_file_id") if behaviour.batches == "unnamed" else ()
                return Reply(200, {key: each for key, each in self._batches[name].items() if key not in unnamed})
            case ("POST", ["batches", name, "cancel"]) if name in self._batches:
                return self._cancel(self._batches[name])
        return None

    def _upload(self, body: bytes) -> Reply:
        """Multipart: of its parts, the one with a file."""
        boundary = body.partition(b"\r\n")[0]
        part = next(part for part in body.split(boundary) if b"filename=" in part)
        name = f"file-{len(self._files)}"
        self._files[name] = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
        return Reply(200, {"id": name, "object": "file", "purpose": "batch"})

    def _create(self, sent: Mapping[str, Any]) -> Reply:
        if sent["input_file_id"] not in self._files:
            return error(400, f"No such file: {sent['input_file_id']}")
        name = f"batch-{len(self._batches)}"
        counts = {"total": len(self._lines(sent)), "completed": 0, "failed": 0}
        self._batches[name] = {"id": name, "object": "batch", "status": "validating", "request_counts": counts, **sent}
        return Reply(200, self._batches[name])

    def _list(self, query: Mapping[str, list[str]]) -> Reply:
        """Two a page, the newest first."""
        names = list(self._batches)[::-1]
        [after] = query.get("after", [""])
        rest = names[names.index(after) + 1 :] if after else names
        return Reply(200, {"data": [self._batches[name] for name in rest[:2]], "has_more": len(rest) > 2})

    def _cancel(self, batch: dict[str, Any]) -> Reply:
        if batch["status"] in ENDED:
            return error(409, f"Cannot cancel a batch with status '{batch['status']}'.")
        batch["status"] = "cancelling"
        return Reply(200, batch)

    def _look(self, batch: dict[str, Any], behaviour: Behaviour) -> None:
        if batch["status"] in ENDED:
            return
        lines = self._lines(batch)
        if behaviour.batches in ERRORS:
            batch |= {"status": "failed", "errors": {"data": [ERRORS[behaviour.batches]]}}
        elif batch["status"] == "cancelling":
            self._end(batch, "cancelled", lines, len(lines) // 4, behaviour)
        elif behaviour.batches == "running":
            batch["status"] = "in_progress"
            batch["request_counts"]["completed"] = len(lines) // 4
        else:
            worked = len(lines) // 2 if behaviour.batches == "expired" else len(lines)
            status = "expired" if behaviour.batches == "expired" else "completed"
            self._end(batch, status, lines, worked, behaviour)

    def _end(
        self, batch: dict[str, Any], status: str, lines: list[dict[str, Any]], worked: int, behaviour: Behaviour
    ) -> None:
        results, errors = [], []
        for line in lines[:worked]:
            answer = _answer(line, behaviour)
            (results if answer["response"]["status_code"] == 200 else errors).append(answer)
        if status == "expired":
            errors += [{"custom_id": line["custom_id"], "response": None, "error": EXPIRED} for line in lines[worked:]]
        # The order of results is not that of the requests.
        for kind, written in (("output", results[::-1]), ("error", errors)):
            if written:
                name = f"{kind}-{batch['id']}"
                self._files[name] = b"\n".join(json.dumps(each).encode() for each in written)
                batch[f"{kind}_file_id"] = name
        batch |= {"status": status}
        batch["request_counts"] |= {"completed": len(results), "failed": len(errors)}

    def _lines(self, batch: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._files[batch["input_file_id"]].splitlines()]


def in_other_words(reply: Reply) -> Reply:
    """The batch within another object, its status in capitals, and no numbers of requests."""
    batch = {name: value for name, value in reply.body.items() if name != "request_counts"}
    return Reply(reply.status, {"job": {**batch, "status": batch["status"].upper()}, "warning": None})


def _answer(line: Mapping[str, Any], behaviour: Behaviour) -> dict[str, Any]:
    body = line["body"]
    reply = refusal_of(behaviour.dialects, body)
    if reply is None and re.search(r"\bbroken\b", json.dumps(body)):
        reply = error(500, "The server had an error processing your request")
    if reply is not None:
        response = {"status_code": reply.status, "body": reply.body}
    else:
        answer = in_form(behaviour.dialects, MADE_BY_PATH[line["url"]](body, behaviour, behaviour.garble_first + 1))
        response = {"status_code": 200, "body": answer.body if isinstance(answer, Reply) else answer}
    return {"id": "line", "custom_id": line["custom_id"], "response": response, "error": None}
