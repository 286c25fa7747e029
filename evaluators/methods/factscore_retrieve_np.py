"""Retrieve→LM + NP (FActScore §4.1): supported only if both the model that is asked and the probability say so."""

import asyncio
from collections.abc import Mapping
from typing import Any

from evaluators.methods import factscore_np, factscore_retrieve
from evaluators.methods.base import FACTS, Case, Judge, Judgement, Method, Outcome, Tools, UnitOutcome, units_of
from evaluators.methods.factscore_facts import FACTS_PARAMETERS
from evaluators.methods.factscore_np import NONPARAMETRIC
from evaluators.methods.factscore_passages import RETRIEVAL
from evaluators.methods.factscore_prompting import PROMPTING
from stats.baselines import NOT_SUPPORTED, SUPPORTED


def supported_by_both(first: Judge, second: Judge) -> Judge:
    """A skip by either is a skip. An unparsed answer stays unparsed, unless the other does not support the fact."""

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        ones, others = await asyncio.gather(first(case, tools), second(case, tools))
        of_second = {outcome.unit: outcome for outcome in units_of(others)}
        return [combine(outcome, of_second[outcome.unit]) for outcome in units_of(ones)]

    return judge


def combine(one: UnitOutcome, other: UnitOutcome) -> UnitOutcome:
    """The score is the lower of the two: it is high exactly where both are."""
    if not isinstance(one, Judgement):
        return one
    if not isinstance(other, Judgement):
        return other
    values, scores = (one.value, other.value), (one.score, other.score)
    known = [score for score in scores if score is not None]
    return Judgement(
        one.unit,
        _both(values),
        min(known) if len(known) == len(scores) else None,
        f"{one.rationale} | {other.rationale}",
        (*one.calls, *other.calls),
    )


def _both(values: tuple[str | None, str | None]) -> str | None:
    if all(value == SUPPORTED for value in values):
        return SUPPORTED
    return NOT_SUPPORTED if any(value not in (SUPPORTED, None) for value in values) else None


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template, NotReadyError where the extra or weights are not
    there."""
    return supported_by_both(factscore_retrieve.build(parameters), factscore_np.build(parameters))


METHOD = Method(
    name="factscore-retrieve-np",
    title="FActScore, retrieve→LM + NP",
    description="Calls an atomic fact supported only if both retrieve→LM and NP do. Needs the extra neural.",
    build=build,
    schemes=(FACTS,),
    needs_model=True,
    answer_tokens=20,
    needs_source=True,
    prompt="factscore_retrieve",
    own_parameters=(*PROMPTING, *RETRIEVAL, *NONPARAMETRIC, *FACTS_PARAMETERS),
    calls=factscore_retrieve.count_calls,
    rehearsal=factscore_retrieve.rehearse,
)
