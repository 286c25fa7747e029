"""Which server is talked to, and with which key."""

import os

from llm.addresses import ADDRESS_VARIABLE, checked_address, is_key_variable
from llm.errors import EndpointAddressError
from llm.models import Endpoint

NO_KEY = "no-key"
OPENAI = "https://api.openai.com/v1"


def default_endpoint() -> Endpoint:
    """The endpoint that OPENAI_BASE_URL names (unset: OpenAI's own), made on first use and named after its address.

    Raises EndpointAddressError where the address cannot be used.
    """
    base_url = checked_address(os.environ.get(ADDRESS_VARIABLE, "").strip() or OPENAI)
    endpoint, _ = Endpoint.objects.get_or_create(base_url=base_url, defaults={"name": base_url})
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


def has_key(endpoint: Endpoint) -> bool:
    """Whether the variable that the endpoint names is set."""
    return key_of(endpoint) != NO_KEY


def key_of(endpoint: Endpoint) -> str:
    """The key in the variable that the endpoint names; a placeholder where it is unset, for servers that want none, and
    where it is no variable of keys: its value is sent to the address."""
    named = endpoint.key_variable
    return (os.environ.get(named, "").strip() if is_key_variable(named) else "") or NO_KEY
