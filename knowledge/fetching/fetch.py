"""The request of a page, step by step: each redirect is a link that obeys the same rules.

httpcore2 is the layer below httpx2. It has no cookies and no proxies of the environment, follows nothing and decodes
nothing. In a larger client all that would have to be switched off.
"""

import ssl
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from core.addresses import Resolver, resolve
from knowledge.fetching.addresses import canonical_url
from knowledge.fetching.errors import FetchError

if TYPE_CHECKING:
    from httpcore2 import Response

MAX_REDIRECTS = 5
REDIRECTS = {301, 302, 303, 307, 308}
# Answers of a server that is busy, restarting or asked too often.
TEMPORARY = {408, 425, 429, 500, 502, 503, 504}
HTML_TYPES = ("text/html", "application/xhtml+xml")
MEDIA_TYPES = (*HTML_TYPES, "text/plain", "application/pdf")
HEADERS: dict[bytes | str, bytes | str] = {
    "User-Agent": "Touchstone (keeps the pages that experts cite)",
    "Accept": ", ".join(MEDIA_TYPES),
    "Accept-Encoding": "gzip",
}
MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class FetchLimits:
    """`seconds` for the whole of it, redirects included; `size` in bytes, as sent and as unpacked.

    `allowed`: pairs of address and port that are asked though they are not of the open internet (tests only).
    """

    seconds: float
    size: int
    allowed: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True)
class Fetched:
    """`charset` is the one that the server names; None if it names none."""

    final_url: str
    media_type: str
    charset: str | None
    body: bytes


def fetch(
    url: str, limits: FetchLimits, resolver: Resolver = resolve, ssl_context: ssl.SSLContext | None = None
) -> Fetched:
    """The page at the link, wherever it redirects to. FetchError says why there is none."""
    import httpcore2

    from knowledge.fetching.connect import CheckedBackend

    backend = CheckedBackend(resolver, limits.allowed, time.monotonic() + limits.seconds)
    with (
        _failures_told(limits),
        httpcore2.ConnectionPool(ssl_context=ssl_context, network_backend=backend) as pool,
    ):
        for _ in range(MAX_REDIRECTS + 1):
            url = canonical_url(url)
            with pool.stream("GET", url, headers=HEADERS) as response:
                headers = _headers(response)
                if response.status not in REDIRECTS or "location" not in headers:
                    return _receive(url, response, headers, limits.size)
            url = _redirected(url, headers["location"])
    raise FetchError(f"The link was redirected more than {MAX_REDIRECTS} times.")


def _headers(response: "Response") -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.strip().decode("latin-1") for name, value in response.headers}


def _redirected(url: str, location: str) -> str:
    """Where the page at `url` sends us. Most servers write other letters than ASCII as UTF-8, a few as Latin-1."""
    with suppress(UnicodeDecodeError):
        location = location.encode("latin-1").decode("utf-8")
    try:
        return urljoin(url, location)
    except ValueError:
        raise FetchError("The link was redirected to an invalid address.") from None


def _receive(url: str, response: "Response", headers: dict[str, str], size: int) -> Fetched:
    if response.status != HTTPStatus.OK:
        raise FetchError(f"The server answered {_status(response.status)}.", retry=response.status in TEMPORARY)
    media_type, charset = _content_type(headers.get("content-type", ""))
    if media_type not in MEDIA_TYPES:
        raise FetchError(f"It is neither a web page nor plain text nor PDF, but {media_type or 'of an unknown type'}.")
    announced = headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > size:
        raise _too_large(size)
    parts = _unpack(response.iter_stream(), headers.get("content-encoding", "").lower(), size)
    return Fetched(url, media_type, charset, _gather(parts, size))


def _content_type(header: str) -> tuple[str, str | None]:
    """Media type and charset of a Content-Type header; ("", None) where there is none."""
    message = Message()
    message["Content-Type"] = header
    return (message.get_content_type() if header else ""), message.get_content_charset()


def _status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _gather(parts: Iterable[bytes], size: int) -> bytes:
    body = bytearray()
    for part in parts:
        body += part
        if len(body) > size:
            raise _too_large(size)
    return bytes(body)


def _unpack(parts: Iterable[bytes], encoding: str, size: int) -> Iterator[bytes]:
    """The parts, unpacked if they are packed. No step makes more than `size` bytes and one of a part."""
    if encoding in ("", "identity"):
        yield from parts
        return
    if encoding not in ("gzip", "x-gzip"):
        raise FetchError(f"The server used an unknown compression ({encoding[:40]}).")
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    for part in parts:
        yield unpacker.decompress(part, size + 1)
    if not unpacker.eof:
        raise FetchError("The page is incomplete.", retry=True)


def _too_large(size: int) -> FetchError:
    return FetchError(f"The page is larger than {size / MEGABYTE:g} MB.")


@contextmanager
def _failures_told(limits: FetchLimits) -> Iterator[None]:
    """The network's failures in words for the person who gave the link."""
    import httpcore2

    try:
        yield
    except httpcore2.TimeoutException:
        raise FetchError(f"The page took more than {limits.seconds:g} seconds.", retry=True) from None
    except httpcore2.ConnectError as error:
        if isinstance(error.__cause__, ssl.SSLCertVerificationError) or "certificate" in str(error).lower():
            raise FetchError("The server's certificate is not valid.") from None
        raise FetchError("The server could not be reached.", retry=True) from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError):
        raise FetchError("The server closed the connection.", retry=True) from None
    except zlib.error:
        raise FetchError("The compressed page is damaged.") from None
