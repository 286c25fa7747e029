"""The models that an endpoint lists."""

import asyncio

import openai

from llm.connect import open_client
from llm.endpoints import key_of
from llm.errors import EndpointAddressError, EndpointUnavailableError
from llm.models import Endpoint

SECONDS = 5.0
MOST_MODELS = 500
LONGEST_NAME = 200
LONGEST_CAUSE = 300


def listed_models(endpoint: Endpoint) -> list[str]:
    """Names in the order of the endpoint, at most MOST_MODELS. Raises EndpointUnavailableError where it lists none
    within some seconds, EndpointAddressError where its address may not be called."""
    try:
        listed = asyncio.run(_ask(endpoint))
    except EndpointAddressError:
        raise
    except (TimeoutError, openai.APIError, ValueError) as error:
        cause = f"no answer within {SECONDS:g} seconds" if isinstance(error, TimeoutError) else str(error)
        cause = cause.replace(key_of(endpoint), "***").rstrip(".")[:LONGEST_CAUSE]
        raise EndpointUnavailableError(f"{endpoint} lists no models: {cause}.") from None
    entries = listed.get("data") if isinstance(listed, dict) else None
    names = [entry.get("id") for entry in entries or () if isinstance(entry, dict)]
    return [name for name in names if isinstance(name, str) and 0 < len(name) <= LONGEST_NAME][:MOST_MODELS]


async def why_unreachable(endpoint: Endpoint) -> str:
    """Why the endpoint gives no answer at all within some seconds, as a sentence; "" where it gives one, also one that
    refuses."""
    try:
        await _ask(endpoint)
    except (openai.APIStatusError, ValueError):
        return ""
    except (TimeoutError, openai.APITimeoutError):
        return f"{endpoint.base_url} cannot be reached: no answer within {SECONDS:g} seconds."
    except openai.APIConnectionError as error:
        cause = str(error.__cause__ or error).replace(key_of(endpoint), "***")
        return f"{endpoint.base_url} cannot be reached: {cause.rstrip('.')[:LONGEST_CAUSE]}."
    except EndpointAddressError as error:
        return str(error)
    return ""


async def _ask(endpoint: Endpoint) -> object:
    async with (
        asyncio.timeout(SECONDS),
        open_client(endpoint.base_url, key_of(endpoint), 1, SECONDS, endpoint.provider) as client,
    ):
        return await client.get("/models", cast_to=object)
