"""Which server is talked to, and with which key."""

import re
from contextlib import suppress
from urllib.parse import urlsplit

from django.conf import settings

from core.environment import FILE, read_variable
from llm.errors import EndpointAddressError
from llm.models import Endpoint

ADDRESS_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"
NO_KEY = "no-key"
# A variable of this kind holds a key for some server.
OWN_KEY = re.compile(r"TOUCHSTONE_KEY_[A-Z0-9_]+")
AZURE_QUERY = re.compile(r"api-version=([\w.-]{1,40})", flags=re.IGNORECASE)
# What people copy with an address, and is added with each call.
OF_CALLS = re.compile(r"/+(?:chat/completions|completions|embeddings)?/*$")
OPENAI = "https://api.openai.com/v1"


def default_endpoint() -> Endpoint:
    """The endpoint that OPENAI_BASE_URL names (unset: OpenAI's own), made on first use, named after its address and
    shared with every dataset.

    Raises EndpointAddressError where the address cannot be used.
    """
    base_url = checked_address(read_variable(ADDRESS_VARIABLE) or OPENAI)
    endpoint, _ = Endpoint.objects.get_or_create(base_url=base_url, defaults={"name": base_url, "shared": True})
    return endpoint


def find_endpoint(name: str) -> Endpoint:
    """The endpoint with this name; "" is the default one. Raises EndpointAddressError where there is none."""
    if not name:
        return default_endpoint()
    try:
        return Endpoint.objects.get(name=name)
    except Endpoint.DoesNotExist:
        raise EndpointAddressError(f"There is no endpoint named {name!r}; the page of endpoints lists them.") from None


def endpoint_at(address: str) -> Endpoint:
    """The endpoint with this address. Raises EndpointAddressError where there is none any more."""
    try:
        return Endpoint.objects.get(base_url=address)
    except Endpoint.DoesNotExist:
        raise EndpointAddressError(f"The endpoint at {address} is there no more.") from None


def checked_address(address: str, called: str = ADDRESS_VARIABLE) -> str:
    """The address without a final slash, and without the path of a call. It must be plain http(s): it is stored and
    public, so it holds no secret. One of Azure has its version in the query (llm/connect.py)."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise EndpointAddressError(f"{called} is not an address that can be read.") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise EndpointAddressError(f"{called} must begin with http:// or https:// and name a host.")
    of_azure = AZURE_QUERY.fullmatch(parts.query)
    if parts.username is not None or parts.password is not None or (parts.query and not of_azure) or parts.fragment:
        raise EndpointAddressError(
            f"{called} must hold no user name, password, query or fragment: put the key in {KEY_VARIABLE}."
        )
    path = OF_CALLS.sub("", parts.path)
    return f"{parts.scheme}://{parts.netloc}{path}" + (f"?api-version={of_azure[1]}" if of_azure else "")


def has_key(endpoint: Endpoint) -> bool:
    """Whether the variable that the endpoint names is set."""
    return key_of(endpoint) != NO_KEY


def key_of(endpoint: Endpoint) -> str:
    """The key in the variable that the endpoint names; a placeholder where it is unset, for servers that want none, and
    where it is no variable of keys: its value is sent to the address."""
    named = endpoint.key_variable
    return (read_variable(named) if is_key_variable(named) else "") or NO_KEY


def is_variable_of(name: str, person: int) -> bool:
    """Whether the value of this environment variable may be sent to a server that this person names: one that is theirs
    alone, by the number of their account."""
    own = re.fullmatch(rf"{variable_of(person)}(_[A-Z0-9_]+)?", name) is not None
    return own and is_key_variable(name)


def variable_of(person: int) -> str:
    """The environment variable for a key of this person's own."""
    return f"TOUCHSTONE_KEY_USER_{person}"


def is_default_address(address: str) -> bool:
    """Whether the server's default endpoint has this address, made or not."""
    with suppress(EndpointAddressError):
        return address == checked_address(read_variable(ADDRESS_VARIABLE) or OPENAI)
    return False


def is_key_variable(name: str) -> bool:
    """Whether the value of this environment variable is a key that may be sent to a server."""
    own = OWN_KEY.fullmatch(name) is not None and not name.endswith(FILE)
    return name == KEY_VARIABLE or name in settings.KEY_VARIABLES or own
