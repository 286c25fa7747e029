"""Shared parameters of FActScore's methods: the facts that are judged, and the responses that abstain."""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.abstention import ABSTAINED, DETECTORS, NO_DETECTOR, RULED, abstains
from evaluators.methods.answer_forms import JSON_SCHEMA
from evaluators.methods.base import Case, Judge, Outcome, Parameter, Skip, Tools

JUDGED, GENERATED, FILE = "judged", "generated", "file"
NEAREST_LAST, RELEASED = "nearest-last", "released"

ABSTENTION = (
    Parameter(
        "abstention",
        RULED,
        "What tells a response that declines: our rules below, or a detector of the published code.",
        choices=(RULED, *DETECTORS),
        released=NO_DETECTOR,
        label="Detection of abstentions",
    ),
    Parameter("abstain_apology", True, "A response that opens with an apology abstains.", label="An apology abstains"),
    Parameter(
        "abstain_asks_more",
        True,
        "A response that asks to be provided with more abstains.",
        label="Asking for more abstains",
    ),
    Parameter(
        "abstain_nothing_found",
        True,
        "A response that opens with nothing having been found abstains.",
        label="Nothing found abstains",
    ),
    Parameter("abstain_no_fact", True, "A response without any fact abstains.", label="No fact abstains"),
)
FACTS_PARAMETERS = (
    Parameter(
        "facts",
        JUDGED,
        "The facts that people judge (the paper's oracle setting), facts that the model generates in the run, or the "
        "model's facts that the dataset's file came with (model-atomic-facts).",
        choices=(JUDGED, GENERATED, FILE),
        label="Facts",
    ),
    Parameter(
        "demonstrations",
        1,
        "Generating facts: demonstrations from the pool, the nearest to each sentence, besides the fixed ones.",
        minimum=0,
        maximum=8,
        label="Demonstrations",
    ),
    Parameter(
        "demonstration_order",
        NEAREST_LAST,
        "Generating facts: which of the pool are the nearest, by their content words; or as in the published code, "
        "which takes all words as they are and the fixed demonstrations into the pool. The nearest stands last.",
        choices=(NEAREST_LAST, RELEASED),
        released=RELEASED,
        label="Choice of demonstrations",
    ),
    JSON_SCHEMA,
    *ABSTENTION,
)


def facts_of(parameters: Mapping[str, Any]) -> str:
    """Which facts a run with these parameters judges; gold is known of JUDGED ones only."""
    return str(parameters.get("facts", JUDGED))


def unless_abstained(judge: Judge, parameters: Mapping[str, Any]) -> Judge:
    """The judge, but for responses that abstain: nothing of them is judged."""

    async def judge_response(case: Case, tools: Tools) -> list[Outcome]:
        if abstains(case.response, parameters):
            return [Skip(unit, ABSTAINED) for unit in case.units]
        return await judge(case, tools)

    return judge_response
