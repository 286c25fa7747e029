"""Retrieve→LM (FActScore §4.1): each fact beside the passages of its topic's page that bear on it most."""

import asyncio
from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import FACTS, Case, Judge, Method, Outcome, Parameter, Skip, Tools, Unit
from evaluators.methods.factscore_facts import FACTS_PARAMETERS, unless_abstained
from evaluators.methods.factscore_passages import BM25, RETRIEVALS, Passages, find_passages, show
from evaluators.methods.factscore_prompting import PROMPTING, build_prompting, calls_of_fact, count_votes

NO_PAGE = "no page of the topic"

RETRIEVAL = (
    Parameter("passages", 5, "Passages of the topic's page shown with each fact.", minimum=1, maximum=100),
    Parameter("retrieval", BM25, "How they are chosen.", choices=RETRIEVALS),
    Parameter(
        "embedding_model", "", "The model that embeds facts and passages for dense retrieval (empty: the run's own)."
    ),
)


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    put = build_prompting(parameters, "retrieve")
    samples: int = parameters["samples"]

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        found = await find_passages(tools, case, parameters["passages"], parameters["retrieval"])
        return list(
            await asyncio.gather(
                *(judge_fact(case, unit, passages, tools) for unit, passages in zip(case.units, found, strict=True))
            )
        )

    async def judge_fact(case: Case, unit: Unit, passages: Passages, tools: Tools) -> Outcome:
        if not passages:
            return Skip(unit, NO_PAGE)
        asked = [put(tools, case, unit, show(passages), sample) for sample in range(samples)]
        return count_votes(unit, await asyncio.gather(*asked))

    return unless_abstained(judge, parameters)


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    return len(case.units) * calls_of_fact(parameters)


METHOD = Method(
    name="factscore-retrieve",
    title="FActScore, retrieve→LM",
    description="Asks a model of each atomic fact whether the best passages of the topic's page in the knowledge "
    "source support it. Leaves out topics without a page.",
    build=build,
    schemes=(FACTS,),
    needs_model=True,
    prompt="factscore_retrieve",
    own_parameters=(*PROMPTING, *RETRIEVAL, *FACTS_PARAMETERS),
    calls=count_calls,
)
