"""The Batch API of one endpoint: files and batches, over OpenAI's own client."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp
import httpx2
import openai

from llm.batch_api.errors import BatchFaultError, ServerAwayError
from llm.bodies import BrokenBodyError, NotJsonError, parse
from llm.client import CONNECT_SECONDS, fault_of
from llm.connect import open_client
from llm.endpoints import key_of
from llm.faults import fault_in
from llm.models import Endpoint

PATIENCE = 300.0  # seconds without a byte
WINDOW = "24h"
NAMED = "touchstone"  # in a batch's metadata, its name here
LISTED = 100  # batches on a page of the server's list
PAGES = 10  # that are looked through for a batch
FILES, BATCHES = "/files", "/batches"


@dataclass(frozen=True)
class BatchAtServer:
    """What the server says of a batch. status: its word, in lower case. errors: why it would not take the file. files:
    of results and of errors, as far as there are."""

    id: str
    status: str
    answered: int
    refused: int
    errors: Any
    files: tuple[str, ...]


class BatchServer:
    """Use as an asynchronous context manager. Its methods raise BatchFaultError where the server says why not,
    ServerAwayError where it says nothing, and EndpointAddressError where the address is closed."""

    def __init__(self, endpoint: Endpoint) -> None:
        timeout = openai.Timeout(PATIENCE, connect=CONNECT_SECONDS)
        self._client = open_client(endpoint.base_url, key_of(endpoint), 1, timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def upload(self, path: Path) -> str:
        """The server's name of the file."""
        try:
            uploaded = await self._client.files.with_raw_response.create(file=path, purpose="batch")
        except openai.APIError as error:
            raise _cause(error, FILES) from None
        return _text(_body(uploaded.content, FILES), "id")

    async def create(self, file: str, url: str, name: str) -> BatchAtServer:
        """Begin the work on the file: from here on it is paid for."""
        body = {"input_file_id": file, "endpoint": url, "completion_window": WINDOW, "metadata": {NAMED: name}}
        return _read(await self._post(BATCHES, body))

    async def find(self, file: str, name: str) -> BatchAtServer | None:
        """The batch of the file, where it was begun and has not failed."""
        after = ""
        for _ in range(PAGES):
            page = await self._get(f"{BATCHES}?limit={LISTED}" + (f"&after={after}" if after else ""))
            listed = [each for each in page.get("data") or () if isinstance(each, dict)]
            for each in listed:
                named = isinstance(each.get("metadata"), dict) and each["metadata"].get(NAMED) == name
                if (named or each.get("input_file_id") == file) and _read(each).status != "failed":
                    return _read(each)
            if not page.get("has_more") or not listed:
                return None
            after = _text(listed[-1], "id")
        return None

    async def look(self, batch: str) -> BatchAtServer:
        return _read(await self._get(f"{BATCHES}/{batch}"))

    async def cancel(self, batch: str) -> BatchAtServer:
        return _read(await self._post(f"{BATCHES}/{batch}/cancel", {}))

    async def download(self, file: str, into: Path) -> None:
        try:
            async with self._client.files.with_streaming_response.content(file) as content:
                await content.stream_to_file(into)
        except openai.APIError as error:
            raise _cause(error, FILES) from None
        except (httpx2.HTTPError, aiohttp.ClientError) as error:  # in the middle of it
            raise ServerAwayError(str(error)) from None

    async def _get(self, path: str) -> Mapping[str, Any]:
        try:
            response = await self._client.get(path, cast_to=httpx2.Response)
        except openai.APIError as error:
            raise _cause(error, path) from None
        return _body(response.content, path)

    async def _post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            response = await self._client.post(path, cast_to=httpx2.Response, body=body)
        except openai.APIError as error:
            raise _cause(error, path) from None
        return _body(response.content, path)


def _cause(error: openai.APIError, path: str) -> BatchFaultError | ServerAwayError:
    if isinstance(error, openai.APIStatusError):
        return BatchFaultError(fault_of(error), path)
    return ServerAwayError(error.message)


def _body(content: bytes, path: str) -> Mapping[str, Any]:
    try:
        body = parse(content)
    except (BrokenBodyError, NotJsonError):
        raise ServerAwayError("the answer is no JSON") from None
    fault = fault_in(body, {}, of_choices=False)
    # A batch says itself what is wrong with it.
    if fault is not None and not body.get("id"):
        raise BatchFaultError(fault, path)
    if not isinstance(body, dict):
        raise ServerAwayError("the answer is no JSON object")
    return body


def _read(body: Mapping[str, Any]) -> BatchAtServer:
    inner = body.get("job")
    body = inner if isinstance(inner, dict) else body
    counts = body.get("request_counts")
    counts = counts if isinstance(counts, dict) else {}
    files = (body.get("output_file_id"), body.get("error_file_id"))
    return BatchAtServer(
        id=_text(body, "id"),
        status=str(body.get("status") or "").lower(),
        answered=_number(counts.get("completed")),
        refused=_number(counts.get("failed")),
        errors=body.get("errors") or body.get("error"),
        files=tuple(file for file in files if isinstance(file, str) and file),
    )


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise ServerAwayError(f"the answer names no {name}")
    return value


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
