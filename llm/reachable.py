"""Whether the server may be asked that an endpoint's address names."""

import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings

from core.addresses import AddressError, refuse_closed, resolve
from llm.errors import EndpointAddressError

HOW_ALLOWED = "Whoever runs this server can allow it in LLM_ALLOW."
PORTS = {"http": 80, "https": 443}


def refuse_closed_address(base_url: str) -> None:
    """Raises EndpointAddressError where the host leads to an address that is not to be asked.

    A name that leads nowhere now is let through: it is checked again with every connection.
    """
    host, port = host_and_port(base_url)
    try:
        addresses = resolve(host, port)
    except AddressError:
        return
    refuse(host, port, addresses)


def refuse_closed_literal(base_url: str) -> None:
    """Raises EndpointAddressError where the URL holds an address, not a name, that is not to be asked."""
    host, port = host_and_port(base_url)
    if address := _written_address(host):
        refuse(host, port, [address])


def _written_address(host: str) -> str:
    """The address that the host is, also one in the short forms of IPv4 (127.1); "" where it is a name."""
    with suppress(OSError):
        return socket.inet_ntoa(socket.inet_aton(host))
    with suppress(ValueError):
        return str(ip_address(host))
    return ""


def refuse(host: str, port: int, addresses: Iterable[str]) -> None:
    """Raises EndpointAddressError where one of the host's addresses is not to be asked."""
    try:
        refuse_closed(host, port, addresses, settings.LLM_ALLOW)
    except AddressError as error:
        raise EndpointAddressError(f"{error} {HOW_ALLOWED}") from None


def host_and_port(base_url: str) -> tuple[str, int]:
    """Raises EndpointAddressError for a URL that is not one of the web."""
    parts = urlsplit(base_url)
    if parts.scheme not in PORTS:
        raise EndpointAddressError("The address of an endpoint must begin with http:// or https://.")
    return parts.hostname or "", parts.port or PORTS[parts.scheme]
