"""The prompts of the next draw, each with its probability and the reason for it."""

from dataclasses import dataclass

import numpy as np

from annotate.models import Prompt
from evaluators.label_next.plan import NextDraw, PlannedPool


@dataclass(frozen=True)
class DrawnPrompt:
    """against: units at which most other evaluators contradict the evaluator."""

    prompt: Prompt
    probability: float
    units: int
    against: int

    @property
    def why(self) -> str:
        if not self.against:
            return "the others agree with it; every prompt has a chance"
        return f"most others contradict it at {self.against} of {self.units} units"


def drawn_prompts(planned: PlannedPool, draw: NextDraw) -> list[DrawnPrompt]:
    """The most probable first."""
    pool, probability = planned.pool, planned.probability(draw.scale)
    against = np.bincount(pool.prompt, weights=pool.against, minlength=len(pool.key)).astype(np.int64)
    prompts = Prompt.objects.in_bulk(pool.key[draw.rows].tolist())
    found = [
        DrawnPrompt(prompts[int(pool.key[row])], float(probability[row]), int(pool.units[row]), int(against[row]))
        for row in draw.rows.tolist()
    ]
    return sorted(found, key=lambda each: (-each.probability, each.prompt.pk))
