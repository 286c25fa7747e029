"""Retrieve→LM (FActScore §4.1): each fact beside the passages of its topic's page that bear on it most."""

import asyncio
from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import FACTS, Case, Judge, Method, Outcome, Skip, Tools, Unit
from evaluators.methods.factscore_facts import FACTS_PARAMETERS, unless_abstained
from evaluators.methods.factscore_passages import (
    BM25,
    DENSE_LOCAL,
    GOLD,
    NO_EVIDENCE,
    NO_PAGE,
    RETRIEVAL,
    Passages,
    build_retrieval,
    show,
)
from evaluators.methods.factscore_prompting import PROMPTING, build_prompting, calls_of_fact, count_votes
from evaluators.methods.parameters import layout_of


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template, NotReadyError where a local model is to embed, and is
    not there."""
    put = build_prompting(parameters, "retrieve")
    find = build_retrieval(parameters)
    samples: int = parameters["samples"]
    layout = layout_of(parameters)
    missing = NO_EVIDENCE if parameters["retrieval"] == GOLD else NO_PAGE

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        passages_by_unit = await find(tools, case)
        return list(
            await asyncio.gather(
                *(
                    judge_fact(case, unit, passages, tools)
                    for unit, passages in zip(case.units, passages_by_unit, strict=True)
                )
            )
        )

    async def judge_fact(case: Case, unit: Unit, passages: Passages, tools: Tools) -> Outcome:
        if not passages:
            return Skip(unit, missing)
        requests = [put(tools, case, unit, show(passages, layout), sample) for sample in range(samples)]
        return count_votes(unit, await asyncio.gather(*requests))

    return unless_abstained(judge, parameters)


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    return len(case.units) * calls_of_fact(parameters)


def rehearse(parameters: Mapping[str, Any]) -> Judge:
    """A judge for estimates: the choice of passages hardly changes the size of requests, and needs no local model."""
    local = parameters["retrieval"] == DENSE_LOCAL
    return build({**parameters, "retrieval": BM25} if local else parameters)


METHOD = Method(
    name="factscore-retrieve",
    title="FActScore, retrieve→LM",
    description="Asks a model of each atomic fact whether the best passages of the topic's page in the knowledge "
    "source support it. Leaves out topics without a page.",
    build=build,
    schemes=(FACTS,),
    needs_model=True,
    answer_tokens=20,
    needs_source=True,
    sourceless=("retrieval", GOLD),
    prompt="factscore_retrieve",
    own_parameters=(*PROMPTING, *RETRIEVAL, *FACTS_PARAMETERS),
    calls=count_calls,
    rehearsal=rehearse,
)
