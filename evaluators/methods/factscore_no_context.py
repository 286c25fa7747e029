"""No-context LM (FActScore §4.1): each fact is put to the model by itself."""

import asyncio
from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import FACTS, Case, Judge, Judgement, Method, Outcome, Tools, Unit
from evaluators.methods.factscore_facts import FACTS_PARAMETERS, unless_abstained
from evaluators.methods.factscore_prompting import PROMPTING, build_prompting, calls_of_fact, count_votes


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    put = build_prompting(parameters, "no_context")
    samples: int = parameters["samples"]

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        return list(await asyncio.gather(*(judge_fact(case, unit, tools) for unit in case.units)))

    async def judge_fact(case: Case, unit: Unit, tools: Tools) -> Judgement:
        votes = await asyncio.gather(*(put(tools, case, unit, "", sample) for sample in range(samples)))
        return count_votes(unit, votes)

    return unless_abstained(judge, parameters)


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    return len(case.units) * calls_of_fact(parameters)


METHOD = Method(
    name="factscore-no-context",
    title="FActScore, no context",
    description="Asks a model of each atomic fact whether it is true, by what the model knows.",
    build=build,
    schemes=(FACTS,),
    needs_model=True,
    answer_tokens=20,
    prompt="factscore_no_context",
    own_parameters=(*PROMPTING, *FACTS_PARAMETERS),
    calls=count_calls,
)
