"""Self-check LM (FActScore §4.1, after SelfCheckGPT): each fact is held against the subject's other samples."""

import asyncio
from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import FACTS, Case, Judge, Method, Outcome, Skip, Tools, Unit
from evaluators.methods.factscore_facts import FACTS_PARAMETERS, unless_abstained
from evaluators.methods.factscore_prompting import PROMPTING, build_prompting, calls_of_fact, count_votes
from evaluators.methods.selfcheck_samples import NO_SAMPLES


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    put = build_prompting(parameters, "self_check")
    samples: int = parameters["samples"]

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        return list(await asyncio.gather(*(judge_fact(case, unit, tools) for unit in case.units)))

    async def judge_fact(case: Case, unit: Unit, tools: Tools) -> Outcome:
        """The majority over all samples of the subject, each asked `samples` times."""
        if not case.samples:
            return Skip(unit, NO_SAMPLES)
        requests = [put(tools, case, unit, text, sample) for text in case.samples for sample in range(samples)]
        return count_votes(unit, await asyncio.gather(*requests))

    return unless_abstained(judge, parameters)


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    return len(case.units) * len(case.samples) * calls_of_fact(parameters)


METHOD = Method(
    name="factscore-self-check",
    title="FActScore, self-check",
    description="Asks a model of each atomic fact whether the subject model's other answers to the same prompt bear it "
    "out; the majority of them decides. Leaves out responses without other samples.",
    build=build,
    schemes=(FACTS,),
    needs_model=True,
    answer_tokens=20,
    prompt="factscore_self_check",
    own_parameters=(*PROMPTING, *FACTS_PARAMETERS),
    calls=count_calls,
)
