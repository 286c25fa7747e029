"""The estimated cost of asking a model, before it starts."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from annotate.models import CollectedPrompt, Dataset
from annotate.prompts.ask import messages_of, sent
from annotate.prompts.start import GenerationSettings, check, unanswered
from llm.cache import known
from llm.models import Endpoint
from llm.price import cost_of, price_of
from llm.requests import Request

CHARACTERS_A_TOKEN = 4  # of English, in the tokenizers in use; the price is an estimate


@dataclass(frozen=True)
class AnswerEstimate:
    """prompts: to be answered. known: answers that are there already and cost nothing; calls: those that remain.

    prompt_tokens: of the calls, about; completion_tokens: of the answers, at most. cost_usd:
    at most; None where a part of the model's price is not known: then known_usd is that of the others, and unpriced
    lists these (llm.price.Part).
    """

    prompts: int
    known: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: Decimal | None
    known_usd: Decimal
    unpriced: tuple[str, ...]


def estimate(
    dataset: Dataset, endpoint: Endpoint, settings: GenerationSettings, limit: int | None = None
) -> AnswerEstimate:
    """The calls, tokens and cost of a generation with these settings; no call is made. Raises StartError."""
    check(settings)
    prompts = unanswered(dataset, settings.name)[:limit]
    requests = [request for prompt in prompts for request in _requests(prompt, endpoint, settings)]
    answered = known([request.hash for request in requests])
    to_make = [request for request in requests if request.hash not in answered]
    characters = sum(len(message["content"]) for request in to_make for message in request.messages)
    prompt_tokens = round(characters / CHARACTERS_A_TOKEN)
    completion_tokens = len(to_make) * settings.max_tokens
    cost = cost_of(price_of(endpoint, settings.model.strip()), prompt_tokens, completion_tokens)
    return AnswerEstimate(
        prompts=len(prompts),
        known=len(requests) - len(to_make),
        calls=len(to_make),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost_usd=cost.usd,
        known_usd=cost.known_usd,
        unpriced=cost.unpriced,
    )


def _requests(prompt: CollectedPrompt, endpoint: Endpoint, settings: GenerationSettings) -> Iterator[Request]:
    """The answer's, then those of the other samples."""
    for sample in range(settings.samples + 1):
        temperature = settings.sample_temperature if sample else settings.temperature
        parameters = sent(temperature, settings.max_tokens)
        yield Request(
            endpoint.base_url, settings.model.strip(), messages_of(prompt), parameters, sample, settings.interface
        )
