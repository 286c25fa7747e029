"""What went wrong, in the server's own sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class TouchstoneError(Exception):
    """The base of all errors of this package; as a text it is one sentence."""


class UnreachableError(TouchstoneError):
    """No answer came, however often it was tried."""


class ProblemError(TouchstoneError):
    """The server refused. status: of HTTP. places: the values at fault, each with `pointer` and `detail`."""

    def __init__(self, status: int, detail: str, places: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(detail)
        self.status = status
        self.places = places

    def __str__(self) -> str:
        sentence = str(self.args[0])
        others = [f"{each['pointer']}: {each['detail']}" for each in self.places if each["detail"] not in sentence]
        return f"{sentence} ({'; '.join(others)})" if others else sentence


class NotFoundError(ProblemError):
    """404: there is none, or the token may not know of it."""


class RefusedError(ProblemError):
    """401 or 403: the token, its scopes or its person's role do not allow it."""


class ConflictError(ProblemError):
    """409 or 412: somebody else was faster."""


class FailedError(TouchstoneError):
    """A run or an import ended without success; the sentence is its reason."""


KINDS: dict[int, type[ProblemError]] = {
    401: RefusedError,
    403: RefusedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
}


def problem_of(status: int, document: object) -> ProblemError:
    """The error that an answer with problem details (RFC 9457) is; `document` may be anything."""
    fields = document if isinstance(document, dict) else {}
    detail = str(fields.get("detail") or f"The server answered with status {status}.")
    return KINDS.get(status, ProblemError)(status, detail, fields.get("errors", ()))
