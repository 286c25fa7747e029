"""Endpoints and what they can do, the answer cache, and the limits that workers keep together."""

from llm.models.calls import Call, Embedding
from llm.models.endpoint import Capabilities, Endpoint, Price
from llm.models.limits import Meter, Seat

__all__ = ["Call", "Capabilities", "Embedding", "Endpoint", "Meter", "Price", "Seat"]
