"""The asking of a model for facts or segments, as a kind of work."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from annotate.facts import ask as facts
from annotate.facts.propose import sentences_of, store_facts
from annotate.grants.endpoints import check_granted, granted_default
from annotate.models import Proposal, Segmentation
from annotate.proposals.templates import ProposalTemplates, templates_of
from annotate.segments import ask as segments
from annotate.segments.cutting import Span
from annotate.segments.rewrite import rewrite
from jobs.errors import JobError
from jobs.kinds import CALLS_IN_FLIGHT, AsyncJobKind, Question, Queue, Store, WorkerContext
from jobs.leases import Lease
from llm.asker import Asker
from llm.models import Endpoint
from llm.price import price_of
from llm.retries import RetryPolicy
from llm.templates import PromptError

SENT = {"temperature": 0}


class PromptsGoneError(JobError):
    """The prompt set that was chosen is there no more, or cannot be read."""


@dataclass(frozen=True)
class ProposalResource:
    ask: Asker
    templates: ProposalTemplates


class ProposalJob(AsyncJobKind[Proposal, Proposal, ProposalResource]):
    """All that waits in a dataset is enqueued together; one opening asks for one kind by one model at one endpoint with
    one prompt set, for one person.

    retries: of calls; None as the settings say.
    """

    name = "proposal"
    queue = Queue.LONG
    items = Proposal
    key = "response__dataset"
    related = ("response__prompt", "response__dataset", "endpoint")
    alike = ("kind", "model", "endpoint_id", "prompts", "created_by_id")

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    @asynccontextmanager
    async def open(self, subject: Proposal, context: WorkerContext) -> AsyncIterator[ProposalResource]:
        dataset = subject.response.dataset
        endpoint = await context.in_database_thread(_endpoint_of, subject)
        price = await context.in_database_thread(price_of, endpoint, subject.model)
        templates = await context.in_database_thread(_templates_of, subject)
        async with Asker(
            endpoint,
            subject.model,
            SENT,
            CALLS_IN_FLIGHT,
            context.database_thread,
            price=price,
            retries=self._retries,
            budget=context.budget,
            permitted=partial(check_granted, dataset, endpoint),
        ) as ask:
            yield ProposalResource(ask, templates)

    def prepare(self, item: Proposal) -> Question[ProposalResource]:
        """Storing may raise FixedError or ChangedError."""
        return (_facts if item.kind == Proposal.Kind.FACTS else _segments)(item, _asked_before(item))


def _endpoint_of(proposal: Proposal) -> Endpoint:
    """Raises NotGrantedError where the dataset may not use it, or not any more."""
    dataset = proposal.response.dataset
    if proposal.endpoint is None:
        return granted_default(dataset)
    check_granted(dataset, proposal.endpoint)
    return proposal.endpoint


def _templates_of(proposal: Proposal) -> ProposalTemplates:
    """Raises PromptsGoneError."""
    try:
        return templates_of(proposal.response.dataset, proposal.prompts, proposal.kind)
    except PromptError as error:
        raise PromptsGoneError(str(error)) from error


def _asked_before(proposal: Proposal) -> int:
    """The number of settled proposals of the same: another answer is wanted then, not the cached one."""
    settled = Proposal.objects.filter(response=proposal.response_id, kind=proposal.kind, model=proposal.model)
    settled = settled.filter(prompts=proposal.prompts)
    return settled.exclude(pk=proposal.pk).count()


def _facts(proposal: Proposal, sample: int) -> Question[ProposalResource]:
    response = proposal.response
    sentences = sentences_of(response.pk)

    async def question(resource: ProposalResource) -> Store:
        template, again = resource.templates.request_for(""), resource.templates.again

        def messages_of(sentence: str) -> list[dict[str, str]]:
            return template.messages(sentence=sentence)

        texts = [text for _, text in sentences]
        proposed = await facts.ask_for_facts(texts, resource.ask, messages_of, again, sample)
        return _storing(lambda: store_facts(response, sentences, proposed, proposal.model, template.hash))

    return question


def _segments(proposal: Proposal, sample: int) -> Question[ProposalResource]:
    response = proposal.response

    async def question(resource: ProposalResource) -> Store:
        template = resource.templates.request_for(response.prompt.domain)
        spans = await segments.ask_for_segments(response.text, resource.ask, template, resource.templates.again, sample)
        return _storing(lambda: _cut(proposal, spans, template.hash))

    return question


def _cut(proposal: Proposal, spans: list[Span], prompt_hash: str) -> None:
    rewrite(proposal.response, spans, Segmentation.Origin.MODEL, model=proposal.model, prompt_hash=prompt_hash)


def _storing(bring: Callable[[], None]) -> Store:
    def store(lease: Lease[Proposal]) -> None:
        if lease.finish():
            bring()

    return store
