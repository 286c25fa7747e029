"""Probing the capabilities of a model at an endpoint: a handful of small calls, one after the other."""

import asyncio
from collections.abc import Mapping
from typing import Any

import openai
from django.utils import timezone

from llm.client import fault_of
from llm.connect import open_client
from llm.dialects import Changes, apply, learn
from llm.echo import read_echo
from llm.endpoints import key_of
from llm.errors import EndpointAddressError
from llm.models import Capabilities, Endpoint

CONNECTIONS = 1
PATIENCE = 30.0
PATIENCE_ALTOGETHER = 60.0
QUESTION = "Name any animal."
ROOM_FOR_ANSWER = 8
SEED = 1815
ADAPTED = ("max_tokens", "max_completion_tokens", "temperature")
CLOSE = 0.2  # log-probabilities of one token, computed in another batch
# Under one of these names servers say how long a context may be; OpenAI's own says nothing.
CONTEXT_LENGTH = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx", "n_ctx_train")


def probe(endpoint: Endpoint, model: str) -> Capabilities:
    """Probe the model, and store its capabilities in place of those known before.

    A refused request means that the model lacks the capability; `error` holds the refusal of a chat. Nothing is known
    of an endpoint that cannot be reached.
    """
    columns = asyncio.run(_probe(endpoint, model))
    capabilities, _ = Capabilities.objects.update_or_create(
        endpoint=endpoint, model=model, defaults={**columns, "probed_at": timezone.now()}
    )
    return capabilities


async def _probe(endpoint: Endpoint, model: str) -> dict[str, Any]:
    key = key_of(endpoint)
    try:
        async with (
            asyncio.timeout(PATIENCE_ALTOGETHER),
            open_client(endpoint.base_url, key, CONNECTIONS, PATIENCE, endpoint.provider) as client,
        ):
            return await Probing(client, model).find_out()
    except TimeoutError:
        return NOTHING_KNOWN | {"error": f"It did not answer within {PATIENCE_ALTOGETHER:.0f} seconds."}
    except EndpointAddressError as error:
        return NOTHING_KNOWN | {"error": str(error)}
    except openai.APIError as error:
        return NOTHING_KNOWN | {"error": error.message.replace(key, "***")[:300]}


NOTHING_KNOWN: dict[str, Any] = {
    "chat": None,
    "completions": None,
    "logprobs": None,
    "echo": None,
    "prompt_logprobs": None,
    "embeddings": None,
    "seed": None,
    "context_length": None,
}


class Probing:
    """One model's calls. `refusal`: the endpoint's message at its last refusal."""

    def __init__(self, client: openai.AsyncOpenAI, model: str) -> None:
        self._client = client
        self._model = model
        self.refusal = ""

    async def find_out(self) -> dict[str, Any]:
        """Raises APIError where the endpoint cannot be reached, or lets nobody in."""
        chat = await self._says("/chat/completions", messages=_chat(QUESTION), max_tokens=ROOM_FOR_ANSWER)
        error = "" if chat else self.refusal
        completions = await self._says("/completions", prompt=QUESTION, max_tokens=ROOM_FOR_ANSWER)
        return {
            "chat": chat is not None,
            "completions": completions is not None,
            "logprobs": await self._gives_logprobs(chat is not None, completions is not None),
            "echo": completions is not None and await self._echoes(),
            "prompt_logprobs": completions is not None and await self._gives_prompt_logprobs(),
            "embeddings": await self._says("/embeddings", input=[QUESTION]) is not None,
            "seed": await self._keeps_to_seed(chat is not None) if chat or completions else None,
            "context_length": await self._context_length(),
            "error": error,
        }

    async def _gives_logprobs(self, chat: bool, completions: bool) -> bool:
        if chat:
            answer = await self._says(
                "/chat/completions", messages=_chat(QUESTION), max_tokens=1, logprobs=True, top_logprobs=5
            )
        elif completions:
            answer = await self._says("/completions", prompt=QUESTION, max_tokens=1, logprobs=5)
        else:
            return False
        return bool(answer and answer["choices"][0].get("logprobs"))

    async def _echoes(self) -> bool:
        """Whether a prompt comes back with its tokens' own log-probabilities. Some servers give each token that of the
        next: so a generated token must be as likely when it is echoed."""
        generation = await self._says("/completions", prompt=QUESTION, max_tokens=1, temperature=0, logprobs=1)
        try:
            generated = generation["choices"][0] if generation else {}
            prompt = QUESTION + (generated.get("text") or "")
            logprobs = (generated.get("logprobs") or {}).get("token_logprobs") or []
            # With room for no token at all some servers never answer.
            answer = await self._says("/completions", prompt=prompt, max_tokens=1, echo=True, logprobs=1)
            echoed = read_echo(answer["choices"][0], prompt) if answer else ()
            again = [token.logprob for token in echoed if token.start == len(QUESTION)]
            return bool(echoed) and all(abs(one - other) < CLOSE for one, other in zip(logprobs, again, strict=False))
        except (AttributeError, KeyError, TypeError, ValueError):
            return False

    async def _gives_prompt_logprobs(self) -> bool:
        answer = await self._says("/completions", prompt=QUESTION, max_tokens=1, prompt_logprobs=0)
        return bool(answer and answer["choices"][0].get("prompt_logprobs"))

    async def _keeps_to_seed(self, chat: bool) -> bool:
        sent: dict[str, Any] = {"max_tokens": ROOM_FOR_ANSWER, "temperature": 1.5, "seed": SEED}
        path, field = ("/chat/completions", "messages") if chat else ("/completions", "prompt")
        sent[field] = _chat(QUESTION) if chat else QUESTION
        answers = [await self._says(path, **sent) for _ in range(2)]
        texts = [_text(answer) for answer in answers if answer]
        return len(texts) == 2 and texts[0] == texts[1]

    async def _context_length(self) -> int | None:
        try:
            listed = await self._client.get("/models", cast_to=object)
        except openai.APIStatusError:
            return None
        models = listed.get("data") if isinstance(listed, dict) else None
        [entry] = [model for model in models or () if model.get("id") == self._model][:1] or [{}]
        described = {**(entry.get("meta") or {}), **entry}
        return next((int(described[name]) for name in CONTEXT_LENGTH if described.get(name)), None)

    async def _says(self, path: str, **body: Any) -> dict[str, Any] | None:
        """The answer; None where the endpoint refuses such a request."""
        sent: dict[str, Any] = {"model": self._model, **body}
        try:
            return await self._post(path, sent)
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            raise
        except openai.APIStatusError as error:
            self.refusal = f"answered {error.status_code}: {error.message}"[:300]
            return None
        except ValueError:
            return None

    async def _post(self, path: str, sent: Mapping[str, Any]) -> dict[str, Any] | None:
        """Raises as the client does. The limit and the temperature are sent as the model takes them: what is probed
        are its capabilities."""
        changes: Changes = {}
        while True:
            body, _ = apply(sent, changes.values())
            try:
                answer = await self._client.post(path, cast_to=object, body=body)
            except openai.APIStatusError as error:
                more = learn(changes, body, fault_of(error))
                if more is None or any(parameter not in ADAPTED for parameter, _ in more):
                    raise
                changes = more
            else:
                return answer if isinstance(answer, dict) and (answer.get("choices") or answer.get("data")) else None


def _chat(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def _text(answer: dict[str, Any]) -> str:
    choice = answer["choices"][0]
    return str((choice.get("message") or {}).get("content") or choice.get("text"))
