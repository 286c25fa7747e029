"""The lines of a batch's files: a request each, and later what became of it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from llm.answer import REFUSED
from llm.completion import ModelCompletion, NotACompletionError, ended_at, read_completion
from llm.dialects import Change, Changes, apply, has_left_out, learn
from llm.faults import Fault, fault_in
from llm.models import BatchedRequest
from llm.requests import Request

VERSION = "/v1"  # before the path of a request, whatever the server's address
# Words with which a line says that it was not worked on: it is asked again.
NOT_WORKED_ON = frozenset({"batch_expired", "batch_cancelled", "expired", "cancelled"})
NO_ANSWER = "The answer holds nothing that could be read."


@dataclass(frozen=True)
class ResultLine:
    """key: the hash of its request. body: the answer as JSON, None where there is none. error: what is said of it
    besides. was_worked_on: False where the batch ended before."""

    key: str
    status: int
    body: Any
    error: Any
    was_worked_on: bool


@dataclass(frozen=True)
class LineOutcome:
    """What becomes of a request: it has its completion; else it has failed with `error` for good, or it is sent
    `again`. learnt: changes for every later request. own: changes of this request alone. concerns_all: every other
    request would fail so."""

    completion: ModelCompletion | None = None
    error: str = ""
    again: bool = False
    learnt: Sequence[Change] = ()
    own: Sequence[Change] = ()
    concerns_all: bool = False


def request_of(content: Mapping[str, Any]) -> Request:
    return Request(**content)


def changes_in(*lists: Sequence[Mapping[str, Any]]) -> Changes:
    """The changes of the lists, as JSON, in their order."""
    changes = [Change(**fields) for each in lists for fields in each]
    return {change.key: change for change in changes}


def as_json(changes: Sequence[Change]) -> list[dict[str, Any]]:
    return [asdict(change) for change in changes]


def line_of(request: Request, changes: Changes) -> bytes:
    body, _ = apply(request.body, changes.values())
    line = {"custom_id": request.hash, "method": "POST", "url": f"{VERSION}{request.path}", "body": body}
    return json.dumps(line).encode() + b"\n"


def read_lines(path: Path) -> Iterator[ResultLine]:
    """Those of a file of results or of errors; what is no line of results is passed over."""
    with path.open("rb") as file:
        for text in file:
            try:
                line = json.loads(text)
                yield _result(line)
            except (AttributeError, KeyError, TypeError, ValueError):
                continue


def _result(line: Mapping[str, Any]) -> ResultLine:
    response, error = line.get("response") or {}, line.get("error")
    code = str(error.get("code") or "").lower() if isinstance(error, dict) else ""
    status = response.get("status_code") or (200 if "body" in response else 500)
    return ResultLine(str(line["custom_id"]), int(status), response.get("body"), error, code not in NOT_WORKED_ON)


def outcome_of(line: ResultLine, row: BatchedRequest, changes: Changes) -> LineOutcome:
    """changes: with which the request was sent, its own included."""
    if not line.was_worked_on:
        return LineOutcome(again=True)
    request = request_of(row.request)
    sent, adapted = apply(request.body, changes.values())
    fault = _fault_of(line)
    if fault is None:
        return _read(line.body, request, changes, adapted)
    if fault.is_filtered:
        return LineOutcome(ModelCompletion(fault.message, REFUSED).after(row.attempts, 0.0, adapted))
    if (more := learn(changes, sent, fault)) is not None:
        new = [change for key, change in more.items() if changes.get(key) != change]
        kept = [change for change in new if change.kept]
        own = [*changes_in(row.changes).values(), *(change for change in new if not change.kept)]
        return LineOutcome(again=True, learnt=kept, own=own)
    error = f"{request.base_url} answered {fault.status} in a batch: {fault.message}"
    return LineOutcome(error=error, again=fault.may_pass, concerns_all=fault.concerns_all)


def _fault_of(line: ResultLine) -> Fault | None:
    if line.error and line.body is None:
        return Fault(line.status if line.status >= 400 else 500, {"error": line.error}, {})
    if line.status >= 400:
        return Fault(line.status, line.body, {})
    return fault_in(line.body, {}, of_choices=True)


def _read(body: Any, request: Request, changes: Changes, adapted: tuple[str, ...]) -> LineOutcome:
    try:
        completion = read_completion(body, request.interface, request.echoing)
    except NotACompletionError:
        return LineOutcome(error=f"{NO_ANSWER} It was: {json.dumps(body)}")
    if has_left_out("stop", changes) and "stop" in request.body:
        completion = ended_at(completion, request.body["stop"])
    return LineOutcome(completion.after(1, 0.0, adapted))
