"""The trivial baseline that calls every unit supported (docs/statistics.md, Error detection)."""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import EVERY_SCHEME, Case, Judge, Judgement, Method, Outcome, Tools
from stats.baselines import SUPPORTED


def build(parameters: Mapping[str, Any]) -> Judge:
    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        return [Judgement(unit, SUPPORTED) for unit in case.units]

    return judge


METHOD = Method(
    name="always-supported",
    title="Always supported",
    description="Calls everything supported. A baseline: what a judge scores that looks at nothing.",
    build=build,
    schemes=EVERY_SCHEME,
)
