"""The random baseline: each unit an error with P = 0.5, independent of the prevalence.

See docs/statistics.md, Error detection.
"""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import EVERY_SCHEME, Case, Judge, Judgement, Method, Outcome, Parameter, Tools
from stats.baselines import RANDOM_SEED, random_value


def build(parameters: Mapping[str, Any]) -> Judge:
    seed: int = parameters["seed"]

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        return [Judgement(unit, random_value(seed, case.index, unit.segment, unit.fact)) for unit in case.units]

    return judge


METHOD = Method(
    name="random",
    title="Random",
    description="Draws each judgement by lot, error or not with equal chance, repeatable by its seed. A baseline.",
    build=build,
    schemes=EVERY_SCHEME,
    own_parameters=(Parameter("seed", RANDOM_SEED, "Seed of the draw.", minimum=0, label="Seed"),),
)
