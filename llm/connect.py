"""Connections to endpoints: to addresses that were checked as the connection was made, and to no others.

A name is resolved once, and the connection goes to one of the checked addresses: an answer that changes in between (DNS
rebinding) changes nothing. TLS verifies the certificate against the host's name. Redirects are not followed, and no
proxy of the environment is used.
"""

import re
import socket
import ssl
from functools import cache
from urllib.parse import parse_qs, urlsplit, urlunsplit

import aiohttp
import httpx2
import openai
from aiohttp.abc import ResolveResult

# httpx2's default transport looks at all open connections with every call; aiohttp's does not (docs/dependencies.md).
from openai._vendor.httpx_aiohttp import AiohttpTransport

from llm.providers import open_provider
from llm.reachable import refuse, refuse_closed_literal

IN_DEPLOYMENTS = re.compile(r"/openai(?:/deployments/[^/]+)?/?")


class CheckedResolver(aiohttp.ThreadedResolver):
    """Raises EndpointAddressError where a host leads to what is neither of the open internet nor in LLM_ALLOW."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        results = await super().resolve(host, port, family)
        refuse(host, port, [result["host"] for result in results])
        return results


@cache
def tls_context() -> ssl.SSLContext:
    """That of all connections: to read the authorities' certificates takes a tenth of a second."""
    return httpx2.create_ssl_context()


class CheckedTransport(AiohttpTransport):
    def get_client(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=self.limits.max_connections or 0,
            keepalive_timeout=self.limits.keepalive_expiry,
            ssl=self.ssl_context,
            resolver=CheckedResolver(),
        )
        return aiohttp.ClientSession(connector=connector)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """A refused connection is no time-out, which the transport takes it for."""
        try:
            return await super().handle_async_request(request)
        except httpx2.ConnectTimeout as error:
            if isinstance(error.__cause__, aiohttp.ClientConnectorError):
                raise httpx2.ConnectError(str(error), request=request) from error.__cause__
            raise


def open_client(
    base_url: str, key: str, connections: int, timeout: openai.Timeout | float, provider: str = ""
) -> openai.AsyncOpenAI:
    """OpenAI's client without its retries, over at most so many connections, all of which are kept open. An address
    with a version in its query is one of Azure, which wants it so with every call, and the key in the header api-key.
    provider: of llm.models.endpoint.Provider, whose protocol is another; "" for OpenAI's.

    Raises EndpointAddressError as `open_http` does, and where the provider's packages are not installed.
    """
    http = open_http(base_url, connections, timeout)
    if provider:
        return open_provider(provider, base_url, key, http, timeout)
    parts = urlsplit(base_url)
    version = parse_qs(parts.query).get("api-version")
    if version is None:
        return openai.AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0, http_client=http)
    address = urlunsplit(parts._replace(query=""))
    if IN_DEPLOYMENTS.fullmatch(parts.path):
        # This client names the deployment after the model where the address names none.
        return openai.AsyncAzureOpenAI(
            base_url=address, api_key=key, api_version=version[0], max_retries=0, http_client=http, timeout=timeout
        )
    http.event_hooks["request"].append(without_bearer)
    return openai.AsyncOpenAI(
        base_url=address,
        api_key=key,
        default_query={"api-version": version[0]},
        default_headers={"api-key": key},
        max_retries=0,
        http_client=http,
        timeout=timeout,
    )


async def without_bearer(request: httpx2.Request) -> None:
    """Azure takes what stands there for a token, not for a key."""
    request.headers.pop("Authorization", None)


def open_http(base_url: str, connections: int, timeout: openai.Timeout | float) -> httpx2.AsyncClient:
    """A plain client of the server at this address, under the same rules.

    Raises EndpointAddressError where the address is closed: with a call, but at once where it is written in the URL, as
    aiohttp resolves names only.
    """
    refuse_closed_literal(base_url)
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    return openai.DefaultAioHttpClient(
        transport=CheckedTransport(verify=tls_context(), limits=limits), timeout=timeout, follow_redirects=False
    )
