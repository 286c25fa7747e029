"""The rules for links, and for the network addresses behind them.

A link comes from a person, and a page may redirect anywhere: the guard of addresses is that of core/addresses.py.
"""

from core.addresses import AddressError, Allowed, Resolver, refuse_closed
from knowledge.fetching.errors import FetchError

URL_LIMIT = 2_000
PORTS = (80, 443)
LAST_PORT = 65_535


def canonical_url(text: str) -> str:
    """The link as it is asked for: in ASCII, without its fragment. FetchError if it is not to be asked for at all."""
    import httpx2

    try:
        url = httpx2.URL(text.strip())
    except (httpx2.InvalidURL, UnicodeError):
        raise FetchError("This is not a web address.") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise FetchError("This is not a web address: enter http:// or https://.")
    if url.port is not None and not 0 < url.port <= LAST_PORT:
        raise FetchError(f"This is not a web address: ports go from 1 to {LAST_PORT}.")
    if url.userinfo:
        raise FetchError("A link must not contain a user name or a password.")
    canonical = str(url.copy_with(fragment=None))
    if len(canonical) > URL_LIMIT:
        raise FetchError(f"The link is longer than {URL_LIMIT:,} characters.")
    return canonical


def checked_addresses(host: str, port: int, resolver: Resolver, allowed: Allowed) -> list[str]:
    """The host's addresses. FetchError if one of them, or the port, is closed to us and not `allowed` as a pair."""
    try:
        addresses = resolver(host, port)
        refuse_closed(host, port, addresses, allowed)
    except AddressError as error:
        raise FetchError(str(error), retry=error.retry) from None
    if not addresses:
        raise FetchError(f"Unknown host: {host}.")
    if port not in PORTS and not all((address, port) in allowed for address in addresses):
        raise FetchError(f"Port {port} is not allowed (only 80 and 443).")
    return addresses
