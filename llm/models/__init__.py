"""The tables of endpoints and what they can do, of the answer cache, of batches, and of limits that workers share."""

from llm.models.batches import BatchedRequest, RequestBatch
from llm.models.calls import Call, Embedding
from llm.models.endpoint import Adaptation, Capabilities, Endpoint, Price
from llm.models.limits import ConcurrencyUse, RateUse

__all__ = [
    "Adaptation",
    "BatchedRequest",
    "Call",
    "Capabilities",
    "ConcurrencyUse",
    "Embedding",
    "Endpoint",
    "Price",
    "RateUse",
    "RequestBatch",
]
