"""An evaluator's figure from the labels that were drawn, round by round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluators.label_next.plan import PlannedPool
from evaluators.models import LabelRound
from stats.arrays import Flags
from stats.drawn_labels import FOLDS, DrawnEstimate, LabelledPool, estimate, later_variance
from stats.label_sampling import scale_for

MORE = (10, 20, 40, 80)


@dataclass(frozen=True)
class RoundEstimate:
    """A round with all before it. prompts, labels: drawn prompts and their units; awaited: prompts without whole gold.

    estimate: None while gold is awaited. random_labels: the labels that random sampling of prompts would need for the
    same interval, None where the estimate has none.
    """

    round: LabelRound
    prompts: int
    labels: int
    awaited: int
    estimate: DrawnEstimate | None
    random_labels: float | None

    @property
    def saved(self) -> float | None:
        """Labels saved against random sampling; below 0 where it costs more."""
        return None if self.random_labels is None else self.random_labels - self.labels


@dataclass(frozen=True)
class LaterDraw:
    """What another draw would give: prompts and labels more on average, and the width of the interval after it."""

    more: int
    labels: float
    width: float


def estimate_rounds(planned: PlannedPool, figure: str) -> list[RoundEstimate]:
    """The figure after each round of the plan."""
    return [_of_round(planned, figure, each) for each in planned.plan.rounds.all()]


def _of_round(planned: PlannedPool, figure: str, made: LabelRound) -> RoundEstimate:
    drawn, awaited = planned.drawn(made.scale), int(planned.awaited(made.scale).sum())
    units = planned.pool.units
    found = None if awaited else estimate(labelled_pool(planned, made.scale), figure)
    needed = found.random_prompts if found else None
    per_prompt = float(units[~planned.known].mean())
    return RoundEstimate(
        made,
        int(drawn.sum()),
        int(units[drawn].sum()),
        awaited,
        found,
        None if needed is None else needed * per_prompt,
    )


def labelled_pool(planned: PlannedPool, scale: float) -> LabelledPool:
    """The pool with the labels of the rounds up to this scale."""
    pool, labelled = planned.pool, planned.labelled(scale)
    generator = np.random.default_rng([planned.plan.seed, 1])
    return LabelledPool(
        decisions=pool.decisions,
        suspected=pool.suspected,
        error=pool.error & labelled[pool.prompt],
        counted=_counted(planned, labelled),
        prompt=pool.prompt,
        probability=planned.probability(scale),
        labelled=labelled,
        beforehand=planned.known,
        fold=generator.permutation(len(pool.key)) % FOLDS,
    )


def _counted(planned: PlannedPool, labelled: Flags) -> Flags:
    """Units that gold does not leave out; that is known of labelled prompts alone."""
    pool = planned.pool
    return pool.counted | ~labelled[pool.prompt]


def later_draws(planned: PlannedPool, figure: str, rounds: Sequence[RoundEstimate]) -> list[LaterDraw]:
    """What larger draws would give, as far as the labels so far tell; [] without an interval so far."""
    latest = rounds[-1] if rounds else None
    found = latest.estimate if latest else None
    if latest is None or found is None or found.interval is None or found.variance <= 0:
        return []
    pool = labelled_pool(planned, latest.round.scale)
    drawable = planned.score[~planned.known]
    low, high = found.interval
    draws = []
    for more in MORE:
        expected = latest.round.expected + more
        if expected > len(drawable):
            break
        probability = planned.probability(scale_for(drawable, expected))
        shrinking = later_variance(pool, found, probability) / found.variance
        labels = float((planned.pool.units * (probability - pool.probability)).sum())
        draws.append(LaterDraw(more, labels, (high - low) * max(shrinking, 0.0) ** 0.5))
    return draws
