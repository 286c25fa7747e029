"""The models that a dataset may ask: those known at the endpoints that it may use."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotate.grants.endpoints import endpoints_of, named_default
from annotate.models import Dataset, Proposal
from core.numbers import read_number
from llm.errors import ModelError
from llm.models import Capabilities, Endpoint, Price

LONGEST_MODEL = 200


@dataclass(frozen=True)
class EndpointModels:
    """An endpoint that the dataset may use, and the names of its models, sorted. error: why it lists no others."""

    endpoint: Endpoint
    names: tuple[str, ...]
    error: str = ""


def models_of(dataset: Dataset, ask: bool = False, only: Endpoint | None = None) -> list[EndpointModels]:
    """Models that were probed and can chat, have a price, or were asked for proposals in the dataset. ask: also those
    that the endpoints list, which takes a call to each. only: of this endpoint, which the dataset may use."""
    default = named_default()
    endpoints = [only] if only else list(endpoints_of(dataset))
    known: set[tuple[int, str]] = set()
    known.update(
        Capabilities.objects.filter(endpoint__in=endpoints).exclude(chat=False).values_list("endpoint", "model")
    )
    known.update(Price.objects.filter(endpoint__in=endpoints).values_list("endpoint", "model"))
    asked = Proposal.objects.filter(response__dataset=dataset).order_by().values_list("endpoint", "model").distinct()
    known.update((endpoint or (default.pk if default else 0), model) for endpoint, model in asked)
    return [_models_at(each, (model for endpoint, model in known if endpoint == each.pk), ask) for each in endpoints]


def find_choice(dataset: Dataset, sent: str) -> tuple[Endpoint, str] | None:
    """The endpoint and model of a choice as "<key of the endpoint>:<model>"; None where the dataset may not use such an
    endpoint."""
    key, _, model = sent.partition(":")
    number = read_number(key)
    endpoint = endpoints_of(dataset).filter(pk=number).first() if number is not None else None
    return (endpoint, model) if endpoint is not None and 0 < len(model) <= LONGEST_MODEL else None


def _models_at(endpoint: Endpoint, known: Iterable[str], ask: bool) -> EndpointModels:
    listed: list[str] = []
    error = ""
    if ask:
        # With openai, which no other page imports.
        from llm.listing import listed_models

        try:
            listed = listed_models(endpoint)
        except ModelError as caught:
            error = str(caught)
    return EndpointModels(endpoint, tuple(sorted({*known, *listed})), error)
