"""Beginning a model's pass over a benchmark."""

from dataclasses import dataclass

from django.db import transaction

from annotate.evidence.source import check_readable
from annotate.grants.allowances import check_left
from annotate.models import User
from factor.language_models.open import DEFAULT_CONTEXT
from factor.language_models.ready import check_ready
from factor.models import Benchmark, ScoredModel, Scoring, ScoringItem
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from knowledge.models import KnowledgeSource
from llm.price import is_priced
from llm.weights import NotReadyError

BATCH = 500
SHORTEST_CONTEXT = 16
LONGEST_CONTEXT = 1_000_000
MOST_TOKENS = 10_000  # of a stride or a query
WISHED = ("context_length", "with_prefix", "start_token", "source", "stride", "query_tokens")


@dataclass(frozen=True)
class ScoringRequest:
    """How a benchmark is to be scored: see factor.models.Scoring."""

    context_length: int = DEFAULT_CONTEXT
    with_prefix: bool = True
    start_token: bool = False
    source: KnowledgeSource | None = None
    stride: int = 8
    query_tokens: int = 32


def start(
    benchmark: Benchmark,
    model: ScoredModel,
    wish: ScoringRequest,
    by: User | None = None,
    limit: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Scoring:
    """Let the model, which is stored with it where it is new, be scored on the first `limit` examples.

    Raises StartError, before anything is run or stored.
    """
    check(model, wish)
    if wish.source is not None:
        check_readable(benchmark.dataset, wish.source)
    if limits.cost_usd is not None and (model.endpoint is None or not is_priced(model.endpoint, model.reached_as)):
        raise StartError(f"The price of {model} is unknown: limit tokens instead of the price.")
    if model.endpoint is not None:
        check_left(benchmark.dataset, by)
    examples = benchmark.examples.order_by("position").values_list("pk", flat=True)[:limit]
    with transaction.atomic():
        if model.pk is None:
            model.save()
        scoring = Scoring.objects.create(
            benchmark=benchmark,
            model=model,
            **{name: getattr(wish, name) for name in WISHED},
            max_tokens=limits.tokens,
            max_cost_usd=limits.cost_usd,
            created_by=by,
        )
        items = [ScoringItem(scoring=scoring, example_id=example) for example in examples]
        if not items:
            raise StartError(f"{benchmark} has no examples yet.")
        ScoringItem.objects.bulk_create(items, batch_size=BATCH)
    return scoring


def begun_so(benchmark: Benchmark, model: ScoredModel, wish: ScoringRequest) -> Scoring | None:
    """The latest scoring of the model in this way that has not finished."""
    same = {name: getattr(wish, name) for name in WISHED}
    return benchmark.scorings.filter(model=model, **same).exclude(state=Scoring.State.FINISHED).first()


def check(model: ScoredModel, wish: ScoringRequest) -> None:
    """StartError where the model cannot be scored so."""
    if not SHORTEST_CONTEXT <= wish.context_length <= LONGEST_CONTEXT:
        raise StartError(f"The context has {SHORTEST_CONTEXT} to {LONGEST_CONTEXT:,} tokens.")
    if wish.source is not None and not wish.with_prefix:
        raise StartError("Retrieval needs the prefix.")
    if not (1 <= wish.stride <= MOST_TOKENS and 1 <= wish.query_tokens <= MOST_TOKENS):
        raise StartError(f"A stride and a query have 1 to {MOST_TOKENS:,} tokens.")
    try:
        check_ready(model, wish.context_length)
    except NotReadyError as error:
        raise StartError(str(error)) from None
