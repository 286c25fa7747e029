"""The tables of endpoints and what they can do, of the answer cache, and of limits that workers share."""

from llm.models.calls import Call, Embedding
from llm.models.endpoint import Capabilities, Endpoint, Price
from llm.models.limits import Meter, Seat

__all__ = ["Call", "Capabilities", "Embedding", "Endpoint", "Meter", "Price", "Seat"]
