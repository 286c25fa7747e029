"""Beginning a model's pass over a sample of a corpus."""

from dataclasses import dataclass

from django.db import transaction

from annotate.evidence.source import check_readable
from annotate.grants.allowances import check_left
from annotate.models import User
from factor.models import Perplexity, PerplexityItem, ScoredModel
from factor.selecting.draw import drawn
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from knowledge.models import Document, KnowledgeSource

BATCH = 500
SHORTEST_CONTEXT = 16
LONGEST_CONTEXT = 1_000_000
MOST_DOCUMENTS = 10_000


@dataclass(frozen=True)
class PerplexityRequest:
    """How many documents are drawn, by which seed, and how many tokens the model reads at once (FACTOR §4.1, §4.2)."""

    documents: int = 300
    seed: int = 0
    context_length: int = 1024


@transaction.atomic
def start(
    model: ScoredModel,
    source: KnowledgeSource,
    wish: PerplexityRequest,
    by: User | None = None,
    limits: Limits = NO_LIMITS,
) -> Perplexity:
    """Let the model be scored on documents of the source that the seed draws. Raises StartError.

    The same seed draws the same documents for every model, as long as the source stays as it is.
    """
    check(wish)
    check_readable(model.dataset, source)
    if model.endpoint is not None:
        check_left(model.dataset, by)
    there = Document.objects.visible().filter(source=source).values_list("key", "pk")
    sample = drawn(there.iterator(chunk_size=5000), wish.documents, wish.seed)
    if not sample:
        raise StartError(f"{source} has no document: import some first.")
    perplexity = Perplexity.objects.create(
        model=model,
        source=source,
        revision=source.revision,
        documents=len(sample),
        seed=wish.seed,
        context_length=wish.context_length,
        max_tokens=limits.tokens,
        max_cost_usd=limits.cost_usd,
        created_by=by,
    )
    PerplexityItem.objects.bulk_create(
        (PerplexityItem(perplexity=perplexity, document_id=pk) for pk in sample), batch_size=BATCH
    )
    return perplexity


def check(wish: PerplexityRequest) -> None:
    """StartError where it cannot be done so."""
    if not 1 <= wish.documents <= MOST_DOCUMENTS:
        raise StartError(f"Draw 1 to {MOST_DOCUMENTS:,} documents.")
    if not SHORTEST_CONTEXT <= wish.context_length <= LONGEST_CONTEXT:
        raise StartError(f"The context has {SHORTEST_CONTEXT} to {LONGEST_CONTEXT:,} tokens.")
