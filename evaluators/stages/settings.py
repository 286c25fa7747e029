"""The settings of an evaluator at each stage of its pipeline, read from its method and parameters.

Every parameter belongs to the one stage at which it matters, so two evaluators whose settings differ at one stage only
differ in nothing else. Plain values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluators.methods.base import RELEASED_CODE
from evaluators.methods.factscore_facts import ABSTENTION, GENERATED, JUDGED
from evaluators.methods.factscore_passages import BM25, DENSE, DENSE_LOCAL, GOLD
from evaluators.methods.factscore_prompting import PROMPTING
from evaluators.methods.felm import ROWS
from evaluators.methods.felm_judge import DOCUMENT, LINK, THOUGHT
from evaluators.methods.parameters import layout_of

FACTS, PASSAGES, JUDGE = "facts", "passages", "judge"
STAGES = (FACTS, PASSAGES, JUDGE)

NO_CONTEXT, SELF_CHECK, RETRIEVE = "factscore-no-context", "factscore-self-check", "factscore-retrieve"
NP, RETRIEVE_NP, SELF_CONSISTENCY = "factscore-np", "factscore-retrieve-np", "felm-self-consistency"
NOTHING, SAMPLES, LINKS, DOCUMENTS = "nothing", "other answers of the subject", "links", "documents"
SEGMENTS, CLAIMS = "segments", "claims"

# Sent with every request of a run, of whichever stage.
OF_ALL_REQUESTS = ("reasoning_effort", "top_p", "extra_body")
SHARED = (
    "temperature",
    "max_tokens",
    "samples",
    "profile",
    "layout",
    "prompts",
    "interface",
    "endpoint",
    *OF_ALL_REQUESTS,
)
ASKED = tuple(parameter.name for parameter in PROMPTING)
WRITERS = (
    "demonstrations",
    "demonstration_order",
    "json_schema",
    "prompts",
    "profile",
    "interface",
    "endpoint",
    *OF_ALL_REQUESTS,
)
ABSTAINS = tuple(parameter.name for parameter in ABSTENTION)
NP_JUDGES = ("np_weights", "np_threshold")
# The parameters of a retriever besides the number of passages.
RETRIEVERS: dict[str, tuple[str, ...]] = {
    BM25: (),
    DENSE: ("embedding_model",),
    DENSE_LOCAL: ("retrieval_weights",),
    GOLD: (),
}

GOLD_SETTINGS = (("facts", JUDGED), ("units", SEGMENTS), ("retrieval", GOLD), ("references", DOCUMENTS))

Setting = tuple[tuple[str, Any], ...]
"""Names and values of all that matters at a stage; the first is its subject."""


@dataclass(frozen=True)
class StageSettings:
    """One setting a stage."""

    facts: Setting
    passages: Setting
    judge: Setting

    def at(self, stage: str) -> Setting:
        setting: Setting = getattr(self, stage)
        return setting

    def differing(self, other: "StageSettings") -> tuple[str, ...]:
        """The stages at which the two differ."""
        return tuple(stage for stage in STAGES if self.at(stage) != other.at(stage))

    def beats(self, other: "StageSettings", stage: str) -> bool:
        """Whether the two differ at this stage alone, and here is what is best known there: the facts that people
        judged, or the passages that they went by."""
        return self.differing(other) == (stage,) and self.at(stage)[0] in GOLD_SETTINGS


def settings_of(method: str, model: str, parameters: Mapping[str, Any]) -> StageSettings | None:
    """None: nothing is known of its stages, as of one that ran elsewhere."""
    if method in ROWS or method == SELF_CONSISTENCY:
        return _felm(method, model, parameters)
    if method in (NO_CONTEXT, SELF_CHECK, RETRIEVE, NP, RETRIEVE_NP):
        return _factscore(method, model, parameters)
    return None


def _felm(method: str, model: str, parameters: Mapping[str, Any]) -> StageSettings:
    variant = ROWS[parameters["over"] if method == SELF_CONSISTENCY else method]
    asked = _named(parameters, "claim_tokens", "prompts", "endpoint", *OF_ALL_REQUESTS)
    claims = {"units": CLAIMS, "model": model, **asked}
    references = {LINK: LINKS, DOCUMENT: DOCUMENTS}.get(variant.prompting, NOTHING)
    chunks = _named(parameters, "chunk_tokens", "tokenizer") if references == DOCUMENTS else {}
    prompting = "chain of thought" if variant.prompting == THOUGHT else "list"
    return StageSettings(
        facts=_setting(claims if variant.claims else {"units": SEGMENTS}),
        passages=_setting({"references": references, **chunks}),
        judge=_setting(
            {
                "model": model,
                "prompting": prompting,
                **_named(parameters, "context", "logprobs", "reader", "ending", *SHARED),
            }
        ),
    )


def _factscore(method: str, model: str, parameters: Mapping[str, Any]) -> StageSettings:
    facts = {"facts": parameters.get("facts", JUDGED), **_named(parameters, *ABSTAINS)}
    if facts["facts"] == GENERATED:
        facts |= {"model": model, **_named(parameters, *WRITERS)}
    judge = {"model": model, **_named(parameters, *ASKED, *SHARED)} if method != NP else {}
    probability = _named(parameters, *NP_JUDGES, "np_passages") if method in (NP, RETRIEVE_NP) else {}
    if method == NP:
        probability = {**_named(parameters, *NP_JUDGES, "profile")}
    return StageSettings(
        facts=_setting(facts),
        passages=_setting(_passages(method, model, parameters)),
        judge=_setting({**judge, **probability}),
    )


def _passages(method: str, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence that the judge sees."""
    as_released = {"ranked": RELEASED_CODE} if _is_released(parameters) else {}
    if method == NP:
        return {"looked in": BM25, "passages": parameters["np_passages"], **as_released}
    if method not in (RETRIEVE, RETRIEVE_NP):
        return {"retrieval": NOTHING if method == NO_CONTEXT else SAMPLES}
    retrieval = parameters["retrieval"]
    passages = {
        "retrieval": retrieval,
        "passages": parameters["passages"],
        **_named(parameters, *RETRIEVERS[retrieval]),
        **as_released,
    }
    if passages.get("embedding_model") == "":
        passages["embedding_model"] = model
    return passages


def _is_released(parameters: Mapping[str, Any]) -> bool:
    return "profile" in parameters and layout_of(parameters) == RELEASED_CODE


def _named(parameters: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: parameters[name] for name in names if name in parameters}


def _setting(values: Mapping[str, Any]) -> Setting:
    return tuple(values.items())
