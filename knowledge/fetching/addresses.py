"""The rules for links, and for the network addresses behind them.

A link comes from a person, and a page may redirect anywhere. Without these rules a stranger could read pages of the
worker's own network.
"""

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

import httpx2

from knowledge.fetching.errors import FetchError

IPAddress = IPv4Address | IPv6Address
Resolver = Callable[[str, int], list[str]]

URL_LIMIT = 2_000
PORTS = (80, 443)
LAST_PORT = 65_535

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
# Not for the open internet either, though not every version of Python's tables knows it.
_CLOSED = [ip_network(text) for text in ("192.88.99.0/24", "3fff::/20")]


def canonical_url(text: str) -> str:
    """The link as it is asked for: in ASCII, without its fragment. FetchError if it is not to be asked for at all."""
    try:
        url = httpx2.URL(text.strip())
    except (httpx2.InvalidURL, UnicodeError):
        raise FetchError("This is not a web address.") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise FetchError("This is not a web address: those begin with http:// or https://.")
    if url.port is not None and not 0 < url.port <= LAST_PORT:
        raise FetchError(f"This is not a web address: ports go from 1 to {LAST_PORT}.")
    if url.userinfo:
        raise FetchError("A link must not hold a user name or a password.")
    canonical = str(url.copy_with(fragment=None))
    if len(canonical) > URL_LIMIT:
        raise FetchError(f"The link is longer than {URL_LIMIT:,} characters.")
    return canonical


def resolve(host: str, port: int) -> list[str]:
    """The addresses of the host, as the system's resolver gives them. FetchError if there are none."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise FetchError(f"No address is known for {host}.", retry=error.errno == socket.EAI_AGAIN) from None
    except UnicodeError:
        raise FetchError(f"{host[:100]} is not the name of a host.") from None
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


def checked_addresses(host: str, port: int, resolver: Resolver, allowed: frozenset[tuple[str, int]]) -> list[str]:
    """The host's addresses. FetchError if one of them, or the port, is closed to us and not `allowed` as a pair.

    One bad answer among good ones refuses the host: which of them is taken must not be a matter of luck.
    """
    addresses = resolver(host, port)
    for address in addresses:
        if (address, port) in allowed:
            continue
        if not is_public(ip_address(address)):
            raise FetchError(f"{host} leads to {address}, which is not an address of the open internet.")
        if port not in PORTS:
            raise FetchError(f"Port {port} is not one that web pages are fetched from (80 and 443).")
    if not addresses:
        raise FetchError(f"No address is known for {host}.")
    return addresses
