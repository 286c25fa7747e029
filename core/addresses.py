"""The guard of network addresses: a server that a person names is asked only on the open internet, or where allowed.

Without it whoever names a link or an endpoint could read what only this machine's own network may see.
"""

import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Protocol

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network
Resolver = Callable[[str, int], list[str]]

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
# Not for the open internet either, though not every version of Python's tables knows it.
_CLOSED = [ip_network(text) for text in ("192.88.99.0/24", "3fff::/20")]


class Allowed(Protocol):
    """The pairs of address and port that are asked though they are not of the open internet."""

    def __contains__(self, pair: tuple[str, int], /) -> bool: ...


class AddressError(Exception):
    """The host is not to be asked, or has no address: a sentence. `retry`: another attempt later may succeed."""

    def __init__(self, message: str, retry: bool = False) -> None:
        super().__init__(message)
        self.retry = retry


@dataclass(frozen=True)
class AllowedNetworks:
    """Addresses and networks, each with a port or None for every port. `in` is asked with an address and a port."""

    networks: Sequence[tuple[IPNetwork, int | None]]

    def __contains__(self, pair: tuple[str, int], /) -> bool:
        address, port = ip_address(pair[0]), pair[1]
        return any(address in network and allowed in (None, port) for network, allowed in self.networks)


def read_network(text: str) -> tuple[IPNetwork, int | None]:
    """127.0.0.1, 127.0.0.1:8000, [::1]:8000 or 10.1.0.0/16, without a port for every port. Raises ValueError."""
    host, port = text, None
    if text.startswith("[") or text.count(":") == 1:
        host, _, digits = text.rpartition(":")
        port = int(digits)
        if not 0 < port < 2**16:
            raise ValueError(text)
    return ip_network(host.strip("[]")), port


def resolve(host: str, port: int) -> list[str]:
    """The addresses of the host, as the system's resolver gives them. AddressError if there are none."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise AddressError(f"No address is known for {host}.", retry=error.errno == socket.EAI_AGAIN) from None
    except UnicodeError:
        raise AddressError(f"{host[:100]} is not the name of a host.") from None
    return [str(answer[4][0]) for answer in answers]


def is_public(address: IPAddress) -> bool:
    """Whether the address belongs to the open internet, and so does the IPv4 address that it carries, if any."""
    if isinstance(address, IPv6Address):
        carried = _carried(address)
        if carried is not None:
            return is_public(carried)
        if address.scope_id is not None or address not in _GLOBAL_UNICAST:
            return False
    closed = any(address in network for network in _CLOSED)
    return address.is_global and not address.is_multicast and not address.is_reserved and not closed


def _carried(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to this one end at: mapped (RFC 4291), 6to4 (RFC 3056) or NAT64 (RFC 6052)."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def refuse_closed(host: str, port: int, addresses: Iterable[str], allowed: Allowed) -> None:
    """AddressError if one of the host's addresses is not of the open internet and not `allowed` with the port.

    One bad answer among good ones refuses the host: which of them is taken must not be a matter of luck.
    """
    for address in addresses:
        if (address, port) not in allowed and not is_public(ip_address(address)):
            raise AddressError(f"{host} leads to {address}, which is not an address of the open internet.")
