"""The resource of a worker that builds."""

from collections.abc import Mapping
from dataclasses import dataclass

from factor.filtering.measure import Filters
from llm.asker import Asker
from llm.templates import PromptTemplate


@dataclass(frozen=True)
class BuildResource:
    """ask: the model that writes the contradictions. templates: by their names in prompt sets."""

    ask: Asker
    filters: Filters
    templates: Mapping[str, PromptTemplate]
