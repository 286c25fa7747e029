"""The estimated cost of a build before it starts."""

from dataclasses import dataclass
from decimal import Decimal

from factor.building.prompts import Templates
from factor.building.start import BuildRequest
from factor.filtering.settings import JUDGE, FilterSettings
from factor.generating.say import messages, template_name
from factor.models import FactorErrorType
from knowledge.models import Document, KnowledgeSource
from llm.models import Endpoint
from llm.price import cost_of, price_of
from llm.templates import PromptTemplate

CHARACTERS_A_TOKEN = 4  # of English, in the tokenizers in use
CHARACTERS_A_WORD = 6
SENTENCE = 150  # characters of an ordinary one


@dataclass(frozen=True)
class BuildEstimate:
    """documents: drawn of those that there are. calls: to the model that writes, at most, as if every type of error
    applied to every sentence; judged: the calls of judges among the filters, at most.

    prompt_tokens: what the calls that write would send, about; completion_tokens: what they would be answered, at most.
    cost_usd: theirs, at most; None where a part of the model's price is not known: then known_usd is that of the
    others, and unpriced lists these (llm.price.Part).
    """

    documents: int
    calls: int
    judged: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: Decimal | None
    known_usd: Decimal
    unpriced: tuple[str, ...]


def estimate(source: KnowledgeSource, endpoint: Endpoint, wish: BuildRequest, templates: Templates) -> BuildEstimate:
    """templates: by their names in prompt sets. No call is made, and no document read."""
    documents = min(wish.documents, Document.objects.visible().filter(source=source).count())
    calls = documents * len(FactorErrorType.values)
    prompt_tokens = (
        documents
        * sum(_characters(templates[template_name(kind)], wish) for kind in FactorErrorType.values)
        // CHARACTERS_A_TOKEN
    )
    completion_tokens = calls * wish.answer_tokens
    cost = cost_of(price_of(endpoint, wish.model.strip()), prompt_tokens, completion_tokens)
    return BuildEstimate(
        documents=documents,
        calls=calls,
        judged=calls * wish.contradictions * _judges(wish.filters),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost_usd=cost.usd,
        known_usd=cost.known_usd,
        unpriced=cost.unpriced,
    )


def _characters(template: PromptTemplate, wish: BuildRequest) -> int:
    """Of a prompt with an ordinary sentence."""
    context = " ".join(["x" * (CHARACTERS_A_WORD - 1)] * wish.context_words)
    turns = messages(template, context, "x" * SENTENCE, wish.contradictions)
    return sum(len(turn["content"]) for turn in turns)


def _judges(filters: FilterSettings) -> int:
    return (filters.contradiction.by == JUDGE) + (filters.fluency.by == JUDGE)
