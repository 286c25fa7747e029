"""Endpoints and the answer cache."""

from llm.models.calls import Call
from llm.models.endpoint import Endpoint, Price

__all__ = ["Call", "Endpoint", "Price"]
