"""Addresses of servers that may be stored, and variables whose value may be sent to them."""

import re
from urllib.parse import urlsplit

from django.conf import settings

from llm.errors import EndpointAddressError

ADDRESS_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"
# Whatever begins so holds a key for some server.
OWN_KEY = re.compile(r"TOUCHSTONE_KEY_[A-Z0-9_]+")


def is_key_variable(name: str) -> bool:
    """Whether the value of this environment variable is a key that may be sent to a server."""
    return name == KEY_VARIABLE or name in settings.KEY_VARIABLES or OWN_KEY.fullmatch(name) is not None


def checked_address(address: str, called: str = ADDRESS_VARIABLE) -> str:
    """The address without a final slash. It must be plain http(s): it is stored and public, so it holds no secret."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise EndpointAddressError(f"{called} is not an address that can be read.") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise EndpointAddressError(f"{called} must begin with http:// or https:// and name a host.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise EndpointAddressError(
            f"{called} must hold no user name, password, query or fragment: put the key in {KEY_VARIABLE}."
        )
    return address.rstrip("/")
