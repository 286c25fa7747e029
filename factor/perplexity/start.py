"""A model's pass over a sample of a corpus: start, stop, go on."""

from dataclasses import dataclass

from django.db import transaction

from annotate.leased.limits import NO_LIMITS, Limits, NoRoomError, check_room, raised
from annotate.models import User
from annotate.models.leased import Leased
from factor.models import Perplexity, PerplexityItem, ScoredModel
from factor.selecting.draw import drawn
from knowledge.models import Document, KnowledgeSource

BATCH = 500
SHORTEST_CONTEXT = 16
LONGEST_CONTEXT = 1_000_000
MOST_DOCUMENTS = 10_000


class StartError(Exception):
    """Why nothing can be scored: one sentence for a person."""


@dataclass(frozen=True)
class Wish:
    """How many documents are drawn, by which seed, and how many tokens the model reads at once (FACTOR §4.1, §4.2)."""

    documents: int = 300
    seed: int = 0
    context_length: int = 1024


@transaction.atomic
def start(
    model: ScoredModel, source: KnowledgeSource, wish: Wish, by: User | None = None, limits: Limits = NO_LIMITS
) -> Perplexity:
    """Let the model be scored on documents of the source that the seed draws. Raises StartError.

    The same seed draws the same documents for every model, as long as the source stays as it is.
    """
    check(wish)
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


def stop(perplexity: Perplexity) -> None:
    """Take up no other document; calls under way end, and what they bring is kept."""
    Perplexity.objects.under_way().filter(pk=perplexity.pk).update(state=Perplexity.State.STOPPED)


def go_on(perplexity: Perplexity, limits: Limits = NO_LIMITS) -> None:
    """Score what is left, and what failed once more, under the limits given or else its own. Raises StartError."""
    limits = raised(perplexity, limits)
    try:
        check_room(perplexity, limits, "pass")
    except NoRoomError as error:
        raise StartError(str(error)) from None
    budget = {"max_tokens": limits.tokens, "max_cost_usd": limits.cost_usd}
    with transaction.atomic():
        stopped = Perplexity.objects.filter(pk=perplexity.pk, state=Perplexity.State.STOPPED)
        if stopped.update(state=Perplexity.State.SCORING, error="", **budget):
            failed = PerplexityItem.objects.filter(perplexity=perplexity, state=Leased.State.FAILED)
            failed.put(Leased.State.WAITING, attempts=0, settled_at=None)


def check(wish: Wish) -> None:
    """StartError where it cannot be done so."""
    if not 1 <= wish.documents <= MOST_DOCUMENTS:
        raise StartError(f"Draw 1 to {MOST_DOCUMENTS:,} documents.")
    if not SHORTEST_CONTEXT <= wish.context_length <= LONGEST_CONTEXT:
        raise StartError(f"The context has {SHORTEST_CONTEXT} to {LONGEST_CONTEXT:,} tokens.")
