"""A model that answers FELM's two kinds of request, each from a script of its own."""

import asyncio
from typing import Any

from evaluators.methods import METHODS
from evaluators.methods.base import Case, Claim, UnitOutcome
from evaluators.methods.parameters import read_parameters
from llm.answer import Answer
from tests.evaluators.methods.cases import ScriptedModel, units_and_claims

EXTRACTION, JUDGING = 400, 500  # the first call_id of each kind


class FelmModel(ScriptedModel):
    """Tools whose model answers the n-th extraction with the n-th of `claims`, and judges sample by sample as told."""

    def __init__(self, *texts: str, claims: tuple[str, ...] = (), finish_reason: str = "stop") -> None:
        super().__init__(*texts, finish_reason=finish_reason)
        self.claims = claims
        self.extractions: list[list[dict[str, str]]] = []
        self.overrides: list[dict[str, Any]] = []

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        if "You break answers up into claims" not in messages[0]["content"]:
            return await super().ask(messages, sample, **overrides)
        self.extractions.append(messages)
        self.overrides.append({"sample": sample, **overrides})
        place = len(self.extractions) - 1
        return Answer(EXTRACTION + place, self.claims[place % len(self.claims)], "stop")


def judge(name: str, model: ScriptedModel, case: Case, **parameters: object) -> list[Any]:
    """What the method makes of the units of the case."""
    return judge_by_claims(name, model, case, **parameters)[0]


def judge_by_claims(
    name: str, model: ScriptedModel, case: Case, **parameters: object
) -> tuple[list[UnitOutcome], list[Claim]]:
    """What the method makes of the units of the case, and the claims that it gives."""
    method = METHODS[name]
    return units_and_claims(asyncio.run(method.build(read_parameters(method, parameters))(case, model)))


def values(outcomes: list[Any]) -> list[str | None]:
    """The values judged, in order."""
    return [outcome.value for outcome in outcomes]
