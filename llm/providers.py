"""Providers whose servers are not OpenAI-compatible, reached by the optional package any-llm-sdk.

OpenAI's client speaks to a transport that answers as an OpenAI-compatible server would. The package translates behind
it. So dialects, faults, retries and limits are the same for every provider. Anthropic and Gemini are called over our
own connections, with checked addresses; Amazon's library makes its own, so that it may call Amazon alone.
"""

import json
import logging
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import httpx2
import openai

from llm.errors import EndpointAddressError
from llm.models.endpoint import Provider
from llm.provider_rules import PACKAGE, region_of, why_not_installed, why_not_there

if TYPE_CHECKING:
    import httpx
    from any_llm import AnyLLM

VERSION = re.compile(r"/v\d\w*/?$")  # at the end of an address; the libraries add it
UNKNOWN = re.compile(r"unexpected keyword argument '(\w+)'")
CHAT = "/chat/completions"
MODELS = "/models"
# What the package leaves out without a word: it is refused here, so that the run says so.
DROPS: dict[Provider, tuple[str, ...]] = {
    Provider.ANTHROPIC: (),
    Provider.GEMINI: ("logprobs", "top_logprobs"),
    Provider.BEDROCK: ("seed", "logprobs", "top_logprobs"),
}
# Of a provider's answer that is an error, for whom to wait how long.
WAITS = ("retry-after", "x-ratelimit", "anthropic-ratelimit")
PACKED = ("content-encoding", "content-length", "transfer-encoding")


def open_provider(
    provider: str, base_url: str, key: str, http: httpx2.AsyncClient, timeout: openai.Timeout | float
) -> openai.AsyncOpenAI:
    """OpenAI's client of the provider. http: the connections to it. Raises EndpointAddressError."""
    if why := why_not_installed(provider) or why_not_there(provider, base_url):
        raise EndpointAddressError(why)
    opened = OPEN[Provider(provider)](VERSION.sub("", base_url), key, http, timeout)
    transport = ProviderTransport(provider, opened, http)
    client = httpx2.AsyncClient(transport=transport, timeout=timeout)
    return openai.AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0, http_client=client)


class ProviderTransport(httpx2.AsyncBaseTransport):
    """Answers requests of OpenAI's protocol by asking the provider."""

    def __init__(self, provider: str, client: "AnyLLM", http: httpx2.AsyncClient) -> None:
        self._label = Provider(provider).label
        self._drops = DROPS[Provider(provider)]
        self._client = client
        self._http = http

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        try:
            if path.endswith(CHAT):
                body = json.loads(await request.aread())
                if (dropped := next((name for name in self._drops if name in body), None)) is not None:
                    return _unsupported(dropped)
                answer = await self._client.acompletion(**body)
                return httpx2.Response(200, json=answer.model_dump(mode="json"))
            if path.endswith(MODELS):
                models = await self._client.alist_models()
                return httpx2.Response(200, json={"data": [{"id": model.id} for model in models]})
        except _errors() as error:
            return _answer_of(error, request)
        return _refusal(404, f"{self._label} has chat completions only.")

    async def aclose(self) -> None:
        await self._http.aclose()


def _errors() -> type[Exception]:
    from any_llm.exceptions import AnyLLMError

    errors: type[Exception] = AnyLLMError
    return errors


def _answer_of(error: Any, request: httpx2.Request) -> httpx2.Response:
    """The provider's refusal as a server's; also where the package itself refuses a parameter, or the provider's
    library has none of its name. Raises ConnectError where no answer came."""
    status, headers = _said_by(error)
    waits = {name: value for name, value in headers.items() if name.lower().startswith(WAITS)}
    unknown = UNKNOWN.search(str(error.original_exception))
    parameter = unknown.group(1) if unknown else getattr(error, "parameter_name", None)
    if parameter is not None:
        return _unsupported(parameter)
    if status is None:
        raise httpx2.ConnectError(str(error.message), request=request)
    return _refusal(status, str(error.message), waits, code=error.code, type=error.error_type, param=error.param)


def _said_by(error: Any) -> tuple[int | None, dict[str, str]]:
    """The status and the headers of the provider's answer, which Amazon's library keeps in a dictionary."""
    response = getattr(error.original_exception, "response", None)
    if isinstance(response, dict):
        metadata = response.get("ResponseMetadata", {})
        return metadata.get("HTTPStatusCode"), metadata.get("HTTPHeaders", {})
    return error.status_code, dict(getattr(response, "headers", {}))


def _unsupported(parameter: str) -> httpx2.Response:
    return _refusal(400, f"Unsupported parameter: {parameter}", param=parameter)


def _refusal(status: int, message: str, headers: dict[str, str] | None = None, **fields: Any) -> httpx2.Response:
    said = {name: value for name, value in fields.items() if value is not None}
    return httpx2.Response(status, json={"error": {"message": message, **said}}, headers=headers)


def _open_anthropic(base_url: str, key: str, http: httpx2.AsyncClient, timeout: Any) -> "AnyLLM":
    return _create(
        Provider.ANTHROPIC, key, base_url, http_client=_older(http), timeout=_seconds(timeout), max_retries=0
    )


def _open_gemini(base_url: str, key: str, http: httpx2.AsyncClient, timeout: Any) -> "AnyLLM":
    seconds = _seconds(timeout)
    options = {"httpx_async_client": _older(http), "timeout": int(seconds * 1000), "api_version": "v1beta"}
    return _create(Provider.GEMINI, key, base_url, http_options=options)


def _open_bedrock(base_url: str, key: str, http: httpx2.AsyncClient, timeout: Any) -> "AnyLLM":
    from botocore.config import Config

    seconds = _seconds(timeout)
    config = Config(retries={"total_max_attempts": 1}, read_timeout=seconds, connect_timeout=seconds)
    return _create(Provider.BEDROCK, key, base_url, region_name=region_of(base_url), config=config)


OPEN: dict[Provider, Callable[[str, str, httpx2.AsyncClient, Any], "AnyLLM"]] = {
    Provider.ANTHROPIC: _open_anthropic,
    Provider.GEMINI: _open_gemini,
    Provider.BEDROCK: _open_bedrock,
}


def _create(provider: Provider, key: str, base_url: str, **options: Any) -> "AnyLLM":
    from any_llm import AnyLLM

    # It warns with every call of Amazon's, which blocks a thread of its own.
    logging.getLogger(PACKAGE).setLevel(logging.ERROR)
    return AnyLLM.create(provider.value, key, base_url, unified_exceptions=True, **options)


def _seconds(timeout: Any) -> float:
    """Of a whole call."""
    return float(timeout.read or 0) if isinstance(timeout, openai.Timeout) else float(timeout)


def _older(http: httpx2.AsyncClient) -> "httpx.AsyncClient":
    """Our connections for libraries that are written for httpx, the earlier name of httpx2."""
    import httpx

    class Connections(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            try:
                answer = await http.request(
                    request.method,
                    str(request.url),
                    headers=request.headers.multi_items(),
                    content=await request.aread(),
                )
            except httpx2.TimeoutException as error:
                raise httpx.ReadTimeout(str(error), request=request) from error
            except httpx2.TransportError as error:
                raise httpx.ConnectError(str(error), request=request) from error
            # The body is unpacked already.
            kept = [(name, value) for name, value in answer.headers.multi_items() if name not in PACKED]
            return httpx.Response(answer.status_code, headers=kept, content=answer.content, request=request)

    return httpx.AsyncClient(transport=Connections())
