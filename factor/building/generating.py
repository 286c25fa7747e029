"""The second stage of an item: the contradictions that the model writes of its sentence (factor/generating)."""

import asyncio
from collections.abc import Sequence
from typing import Any

from factor.applicability.error_types import applicable_types
from factor.building.resource import BuildResource
from factor.building.steps import leave_out, step_to
from factor.filtering.sentence_pairs import near_context
from factor.generating.read import WrittenContradiction, read
from factor.generating.say import messages, template_name
from factor.generating.sift import Sifted, sift
from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate
from jobs.kinds import Question, Store
from jobs.leases import Lease
from llm.answer import Answer

CUT_OFF = "length"


def prepare_generating(item: BenchmarkBuildItem) -> Question[BuildResource]:
    """Ask once for each type of error that applies to the sentence."""
    sentence = item.sentence
    near, wanted = near_context(item.prefix, item.build.context_words), item.build.contradictions

    async def question(resource: BuildResource) -> Store:
        types = list(await asyncio.to_thread(applicable_types, sentence))
        outcomes = await asyncio.gather(
            *(
                resource.ask(messages(resource.templates[template_name(error_type)], near, sentence, wanted))
                for error_type in types
            ),
            return_exceptions=True,  # where one fails the others still end: they are paid for, and kept in the cache
        )
        answers = {error_type: _read(outcome) for error_type, outcome in zip(types, outcomes, strict=True)}
        sifted = sift(sentence, answers)
        return lambda lease: _store(lease, sifted)

    return question


def sent(build: BenchmarkBuild) -> dict[str, Any]:
    """The parameters of a request for contradictions."""
    return {"temperature": build.temperature, "max_tokens": build.answer_tokens}


def _read(outcome: Answer | BaseException) -> tuple[str, list[WrittenContradiction]]:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome.text, read(outcome.text, cut_off=outcome.finish_reason == CUT_OFF)


def _store(lease: Lease[BenchmarkBuildItem], sifted: Sequence[Sifted]) -> None:
    """Store every contradiction; contradictions that are no candidates with the reason."""
    if any(each.unfit is None for each in sifted):
        mine = step_to(BenchmarkBuildItem.Stage.FILTER, lease)
    else:
        reasons = BenchmarkBuildItem.Reason
        mine = leave_out(reasons.NOTHING_GENERATED if sifted else reasons.NO_TYPE, lease)
    if mine:
        Candidate.objects.bulk_create([_candidate(lease.item, each) for each in sifted])


def _candidate(item: BenchmarkBuildItem, sifted: Sifted) -> Candidate:
    outcomes = Candidate.Outcome
    return Candidate(
        item=item,
        error_type=sifted.error_type,
        position=sifted.position,
        edits=sifted.edits,
        text=sifted.text,
        outcome=outcomes.WAITING if sifted.unfit is None else outcomes.DROPPED,
        reason=sifted.unfit or "",
    )
