"""Shared parameters of FActScore's methods: the facts that are judged, and the responses that abstain."""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.abstention import ABSTAINED, abstains
from evaluators.methods.base import Case, Judge, Outcome, Parameter, Skip, Tools

JUDGED, GENERATED = "judged", "generated"

ABSTENTION = (
    Parameter("abstain_apology", True, "A response that opens with an apology abstains."),
    Parameter("abstain_asks_more", True, "A response that asks to be provided with more abstains."),
    Parameter("abstain_nothing_found", True, "A response that opens with nothing having been found abstains."),
    Parameter("abstain_no_fact", True, "A response without any fact abstains."),
)
FACTS_PARAMETERS = (
    Parameter(
        "facts",
        JUDGED,
        "The facts that people judge (the paper's oracle setting), or facts that the model generates in the run.",
        choices=(JUDGED, GENERATED),
    ),
    Parameter(
        "demonstrations",
        1,
        "Generating facts: demonstrations from the pool, the nearest to each sentence, besides the fixed ones.",
        minimum=0,
        maximum=8,
    ),
    *ABSTENTION,
)


def unless_abstained(judge: Judge, parameters: Mapping[str, Any]) -> Judge:
    """The judge, but for responses that abstain: nothing of them is judged."""

    async def judge_response(case: Case, tools: Tools) -> list[Outcome]:
        if abstains(case.response, parameters):
            return [Skip(unit, ABSTAINED) for unit in case.units]
        return await judge(case, tools)

    return judge_response
