"""Connections that go to the very address that was checked, and end when the time is up."""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore2

from core.addresses import Allowed, Resolver
from knowledge.fetching.addresses import checked_addresses


class CheckedBackend(httpcore2.NetworkBackend):
    """Resolves a host itself, checks every answer and connects to one of them.

    The name is resolved once, and the connection goes to that address: an answer that changes in between (DNS
    rebinding) changes nothing. TLS verifies the certificate against the host's name, one layer above. `deadline` is a
    time of the monotonic clock, in seconds.
    """

    def __init__(self, resolver: Resolver, allowed: Allowed, deadline: float) -> None:
        self._resolver = resolver
        self._allowed = allowed
        self._deadline = deadline
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        failure: Exception | None = None
        for address in checked_addresses(host, port, self._resolver, self._allowed):
            try:
                stream = self._sockets.connect_tcp(
                    address, port, time_left(self._deadline), socket_options=socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return TimedStream(stream, self._deadline)
        raise failure or httpcore2.ConnectError(host)


class TimedStream(httpcore2.NetworkStream):
    """A stream none of whose steps outlasts the deadline, however slowly the other side drips."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, time_left(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, time_left(self._deadline))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, time_left(self._deadline))
        return TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def time_left(deadline: float) -> float:
    """Seconds until the deadline. httpcore2.ReadTimeout once it is over."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time is up")
    return left
