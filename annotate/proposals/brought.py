"""What is asked for each kind of proposal, and where the answer goes."""

from collections.abc import Callable

from django.db import transaction

from annotate.facts import ask as facts
from annotate.facts.propose import sentences_of, store_facts
from annotate.models import Proposal, Segmentation
from annotate.proposals.asking import Ask
from annotate.proposals.settle import finish
from annotate.segments import ask as segments
from annotate.segments.cutting import Span
from annotate.segments.rewrite import rewrite

Sentences = list[tuple[int, str]]
Store = Callable[[], None]


def read_sentences(proposal: Proposal) -> Sentences:
    """What is asked about: the sentences that facts are wanted of; none for segments, where it is the text."""
    return sentences_of(proposal.response_id) if proposal.kind == Proposal.Kind.FACTS else []


def asked_before(proposal: Proposal) -> int:
    """How often the same was asked for and settled: another answer is wanted then, not the one that is kept."""
    settled = Proposal.objects.filter(response=proposal.response_id, kind=proposal.kind, model=proposal.model)
    return settled.exclude(pk=proposal.pk).count()


async def ask_for(proposal: Proposal, sentences: Sentences, ask: Ask, sample: int) -> Store:
    """Ask the model, and return what stores the answer. Raises UnreadableError or ModelError."""
    response, model = proposal.response, proposal.model
    if proposal.kind == Proposal.Kind.FACTS:
        found = await facts.ask_for_facts([text for _, text in sentences], ask, sample)
        return lambda: store_facts(response, sentences, found, model, facts.template().hash)
    domain = response.prompt.domain
    spans = await segments.ask_for_segments(response.text, domain, ask, sample)
    prompt_hash = segments.template_for(domain).hash
    return lambda: _cut(proposal, spans, prompt_hash)


def _cut(proposal: Proposal, spans: list[Span], prompt_hash: str) -> None:
    rewrite(proposal.response, spans, Segmentation.Origin.MODEL, model=proposal.model, prompt_hash=prompt_hash)


def store(proposal: Proposal, owner: str, bring: Store) -> None:
    """Store the answer and settle the proposal, both or neither; nothing where the lease was lost.

    Raises FixedError or ChangedError.
    """
    with transaction.atomic():
        if finish(proposal, owner):
            bring()
