"""The resource of a worker that builds."""

from dataclasses import dataclass

from factor.filtering.measure import Filters
from llm.asker import Asker


@dataclass(frozen=True)
class BuildResource:
    """ask: the model that writes the contradictions."""

    ask: Asker
    filters: Filters
