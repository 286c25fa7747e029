"""Beginning to make a benchmark."""

import math
from dataclasses import dataclass, field

from django.db import transaction

from annotate.evidence.source import check_readable
from annotate.grants.allowances import check_left
from annotate.grants.endpoints import check_granted
from annotate.models import Dataset, User
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.sets import find_set
from factor.building.prompts import hashes_of, templates_for
from factor.filtering.ready import check_ready
from factor.filtering.settings import FilterSettings
from factor.models import Benchmark, BenchmarkBuild, BenchmarkBuildItem
from factor.selecting.draw import drawn
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from knowledge.models import Document, KnowledgeSource
from llm.interfaces import CHAT, INTERFACES
from llm.models import Endpoint
from llm.price import check_price
from llm.templates import PromptError
from llm.weights import NotReadyError

LONGEST_NAME = 200
MOST_DOCUMENTS = 100_000
MOST_CONTRADICTIONS = 20
MOST_CONTEXT = 2000
MOST_TOKENS = 100_000
HOTTEST = 2.0
BATCH = 500


@dataclass(frozen=True)
class BuildRequest:
    """How a benchmark is to be made (factor.models.BenchmarkBuild has the same fields)."""

    model: str
    documents: int = 100
    seed: int = 7
    interface: str = CHAT
    temperature: float = 0.0
    contradictions: int = 3
    context_words: int = 100
    answer_tokens: int = 1024
    filters: FilterSettings = field(default_factory=FilterSettings)
    prompts: str = PROJECT_SET


def start(
    dataset: Dataset,
    name: str,
    source: KnowledgeSource,
    endpoint: Endpoint,
    wish: BuildRequest,
    by: User | None = None,
    limits: Limits = NO_LIMITS,
) -> BenchmarkBuild:
    """A new benchmark of this name, and the documents that it is to be made of, drawn. Raises StartError."""
    name = name.strip()
    check(name, wish)
    check_granted(dataset, endpoint)
    check_price(endpoint, wish.model, limits)
    check_left(dataset, by)
    try:
        check_ready(wish.filters, dataset)
        prompts = find_set(dataset, wish.prompts).name
        templates = templates_for(dataset, prompts, wish.filters)
    except (NotReadyError, PromptError) as error:
        raise StartError(str(error)) from None
    documents = drawn_documents(source, wish)
    check_readable(dataset, source)
    with transaction.atomic():
        benchmark, new = Benchmark.objects.get_or_create(
            dataset=dataset, name=name, defaults={"source": source, "created_by": by}
        )
        if not new:
            raise StartError(f"{dataset} already has a benchmark named {name}: enter another name.")
        build = BenchmarkBuild.objects.create(
            benchmark=benchmark,
            source=source,
            source_revision=source.revision,
            endpoint=endpoint,
            max_tokens=limits.tokens,
            max_cost_usd=limits.cost_usd,
            created_by=by,
            templates=hashes_of(templates),
            **{**vars(wish), "model": wish.model.strip(), "filters": wish.filters.as_json(), "prompts": prompts},
        )
        BenchmarkBuildItem.objects.bulk_create(
            (BenchmarkBuildItem(build=build, document_id=pk, position=place) for place, pk in enumerate(documents)),
            batch_size=BATCH,
        )
    return build


def drawn_documents(source: KnowledgeSource, wish: BuildRequest) -> list[int]:
    """The primary keys of the documents that the seed draws, of the source's revision. Raises StartError."""
    if source.revision == 0:
        raise StartError(f"The first import into {source} has not ended: make the benchmark when it has.")
    there = Document.objects.filter(source=source, revision__lte=source.revision).order_by().values_list("key", "pk")
    documents = drawn(there.iterator(chunk_size=5000), wish.documents, wish.seed)
    if not documents:
        raise StartError(f"{source} has no document: import some first.")
    return documents


def check(name: str, wish: BuildRequest) -> None:
    """StartError where a benchmark cannot be made so."""
    if not name or len(name) > LONGEST_NAME:
        raise StartError(f"A benchmark's name has 1 to {LONGEST_NAME} characters.")
    if not wish.model.strip() or len(wish.model.strip()) > LONGEST_NAME:
        raise StartError(f"Enter the model for the contradictions, in at most {LONGEST_NAME} characters.")
    if wish.interface not in INTERFACES:
        raise StartError(f"The interface is one of {', '.join(INTERFACES)}.")
    if not (math.isfinite(wish.temperature) and 0 <= wish.temperature <= HOTTEST):
        raise StartError(f"The temperature must be 0 to {HOTTEST:g}.")
    for called, number, least, most in (
        ("number of documents", wish.documents, 1, MOST_DOCUMENTS),
        ("number of contradictions in a call", wish.contradictions, 1, MOST_CONTRADICTIONS),
        ("number of words of context", wish.context_words, 0, MOST_CONTEXT),
        ("number of tokens of an answer", wish.answer_tokens, 1, MOST_TOKENS),
    ):
        if not least <= number <= most:
            raise StartError(f"The {called} must be {least:,} to {most:,}.")
    if not -(2**63) <= wish.seed < 2**63:
        raise StartError("The seed is a whole number of at most 64 bits.")
