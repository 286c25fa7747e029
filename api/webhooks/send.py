"""One message sent, over a connection to an address that was checked as it was made."""

import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from core.addresses import AddressError, resolve
from jobs.errors import ItemError
from knowledge.fetching.addresses import canonical_url, checked_addresses
from knowledge.fetching.errors import FetchError

if TYPE_CHECKING:
    from httpcore2 import Response

SECONDS = 10.0
# Of the answer, which is read and thrown away.
ANSWER_LIMIT = 64 * 1024
PORTS = {"http": 80, "https": 443}
PLAIN = "Enter an address with https://. With http:// only addresses in WEBHOOK_ALLOW are possible."


class DeliveryError(ItemError):
    """A message was not delivered: a sentence. `status`: of the answer; None where there was none."""

    def __init__(self, message: str, retry: bool, status: int | None = None) -> None:
        super().__init__(message)
        self.retry = retry
        self.status = status


def check_address(text: str) -> str:
    """The address in the form in which messages are sent to it.

    Raises FetchError where it is closed. A name that leads nowhere now is let through: each connection checks again.
    """
    address = canonical_url(text)
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    try:
        addresses = _resolve(parts.scheme, host, port)
    except AddressError as error:
        if str(error) == PLAIN:
            raise FetchError(PLAIN) from None
        return address
    checked_addresses(host, port, lambda *_: addresses, settings.WEBHOOK_ALLOW)
    return address


def post(address: str, body: bytes, headers: Mapping[bytes | str, bytes | str]) -> int:
    """The status of the answer, which is one of success. Redirects are not followed. Raises DeliveryError."""
    import httpcore2

    from knowledge.fetching.connect import CheckedBackend

    scheme = urlsplit(address).scheme
    backend = CheckedBackend(partial(_resolve, scheme), settings.WEBHOOK_ALLOW, time.monotonic() + SECONDS)
    with (
        _failures(),
        httpcore2.ConnectionPool(network_backend=backend) as pool,
        pool.stream("POST", address, headers=headers, content=body) as response,
    ):
        _read_some(response)
        status = response.status
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise DeliveryError(f"The server answered {_words(status)}.", retry=True, status=status)
    return status


def _resolve(scheme: str, host: str, port: int) -> list[str]:
    """The host's addresses. AddressError for http to an address that is not allowed by name: all on the way could read
    it."""
    addresses = resolve(host, port)
    if scheme == "http" and not all((address, port) in settings.WEBHOOK_ALLOW for address in addresses):
        raise AddressError(PLAIN)
    return addresses


def _read_some(response: "Response") -> None:
    size = 0
    for part in response.iter_stream():
        size += len(part)
        if size > ANSWER_LIMIT:
            return


def _words(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


@contextmanager
def _failures() -> Iterator[None]:
    """The network's failures as sentences."""
    import httpcore2

    try:
        yield
    except FetchError as error:
        raise DeliveryError(str(error), retry=error.retry) from None
    except httpcore2.TimeoutException:
        raise DeliveryError(f"The server took more than {SECONDS:g} seconds.", retry=True) from None
    except httpcore2.ConnectError as error:
        if isinstance(error.__cause__, ssl.SSLCertVerificationError) or "certificate" in str(error).lower():
            raise DeliveryError("The server's certificate is not valid.", retry=True) from None
        raise DeliveryError("The server could not be reached.", retry=True) from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError):
        raise DeliveryError("The server closed the connection.", retry=True) from None
