"""What is asked for each kind of proposal, and where the answer goes."""

from collections.abc import Callable

from django.db import transaction

from annotate.facts import ask as facts
from annotate.facts.propose import sentences_of, store_facts
from annotate.leased.settle import finish
from annotate.leased.shift import Question, Store
from annotate.models import Proposal, Segmentation
from annotate.models.leased import LeasedQuerySet
from annotate.segments import ask as segments
from annotate.segments.cutting import Span
from annotate.segments.rewrite import rewrite
from llm.asker import Asker


def prepare(proposal: Proposal) -> Question:
    """What asks the model and returns what stores its answer; that raises FixedError or ChangedError."""
    return (_facts if proposal.kind == Proposal.Kind.FACTS else _segments)(proposal, _asked_before(proposal))


def _asked_before(proposal: Proposal) -> int:
    """How often the same was asked for and settled: another answer is wanted then, not the one that is kept."""
    settled = Proposal.objects.filter(response=proposal.response_id, kind=proposal.kind, model=proposal.model)
    return settled.exclude(pk=proposal.pk).count()


def _facts(proposal: Proposal, sample: int) -> Question:
    response = proposal.response
    sentences = sentences_of(response.pk)

    async def question(ask: Asker) -> Store:
        found = await facts.ask_for_facts([text for _, text in sentences], ask, sample)
        return _storing(lambda: store_facts(response, sentences, found, proposal.model, facts.template().hash))

    return question


def _segments(proposal: Proposal, sample: int) -> Question:
    response = proposal.response
    domain = response.prompt.domain

    async def question(ask: Asker) -> Store:
        spans = await segments.ask_for_segments(response.text, domain, ask, sample)
        return _storing(lambda: _cut(proposal, spans, segments.template_for(domain).hash))

    return question


def _cut(proposal: Proposal, spans: list[Span], prompt_hash: str) -> None:
    rewrite(proposal.response, spans, Segmentation.Origin.MODEL, model=proposal.model, prompt_hash=prompt_hash)


def _storing(bring: Callable[[], None]) -> Store:
    def store(held: LeasedQuerySet[Proposal]) -> None:
        with transaction.atomic():
            if finish(held):
                bring()

    return store
