"""Retrieve→LM + NP (FActScore §4.1): supported only if both the model that is asked and the probability say so."""

from collections.abc import Mapping
from typing import Any

from evaluators.methods import factscore_np, factscore_retrieve
from evaluators.methods.base import FACTS, Judge, Method
from evaluators.methods.factscore_both import supported_by_both
from evaluators.methods.factscore_facts import FACTS_PARAMETERS
from evaluators.methods.factscore_np import NONPARAMETRIC
from evaluators.methods.factscore_passages import RETRIEVAL
from evaluators.methods.factscore_prompting import PROMPTING


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
    needs_source=True,
    prompt="factscore_retrieve",
    own_parameters=(*PROMPTING, *RETRIEVAL, *NONPARAMETRIC, *FACTS_PARAMETERS),
    calls=factscore_retrieve.count_calls,
    rehearsal=factscore_retrieve.rehearse,
)
