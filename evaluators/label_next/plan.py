"""Label plans: scores that are fixed once, and rounds that draw ever more prompts and assign their tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction

from annotate.models import Dataset, Response, Task, User
from annotate.tasks.assign import assign
from evaluators.comparison.study import ComparisonStudy, study_of
from evaluators.label_next.read import PlanError, PromptPool, pool_of
from evaluators.models import Evaluator, LabelPlan, LabelRound, PlannedPrompt
from stats.arrays import Flags, Floats, Ints
from stats.drawn_labels import slopes_of
from stats.label_sampling import (
    FLOOR,
    inclusion_probabilities,
    is_drawn,
    permanent_numbers,
    sampling_scores,
    scale_for,
    unit_totals,
)

BATCH = 500
NO_PLAN = "no plan has drawn labels here: the probabilities of those that are there are not known"


@dataclass(frozen=True)
class PlannedPool:
    """The prompts of a plan on which an evaluator has predictions, N; the units of other prompts are left out.

    score, number : (N,), nan of prompts with gold from before the plan. newcomers : prompts that the plan lacks.
    """

    plan: LabelPlan
    pool: PromptPool
    score: Floats
    number: Floats
    newcomers: int

    @property
    def known(self) -> Flags:
        """Prompts with gold from before the plan (N,)."""
        return np.isnan(self.score)

    def probability(self, scale: float) -> Floats:
        return np.where(self.known, 1.0, inclusion_probabilities(np.nan_to_num(self.score), scale))

    def drawn(self, scale: float) -> Flags:
        """Prompts that the rounds up to this scale hold (N,), without the known ones."""
        return ~self.known & is_drawn(np.where(self.known, np.inf, self.number), self.probability(scale))

    def labelled(self, scale: float) -> Flags:
        return self.known | self.drawn(scale)

    def awaited(self, scale: float) -> Flags:
        """Prompts whose gold is not whole yet, though they are drawn (N,)."""
        return self.labelled(scale) & ~self.pool.has_gold

    def outside(self) -> int:
        """How many prompts have gold that the rounds did not draw: it has no part in estimates."""
        latest = self.plan.rounds.last()
        drawn = self.labelled(latest.scale) if latest else self.known
        return int((self.pool.has_gold & ~drawn).sum())


def plan_of(dataset: Dataset) -> LabelPlan | None:
    """The plan in force."""
    plans = LabelPlan.objects.filter(dataset=dataset).select_related("dataset", "evaluator", "made_by")
    return plans.order_by("-pk").first()


def planned_pool(plan: LabelPlan, study: ComparisonStudy, name: str) -> PlannedPool:
    """The plan beside the predictions of the evaluator of that name. PlanError: as `pool_of`, or none is planned."""
    pool = pool_of(study, name)
    rows = {prompt: (score, number) for prompt, score, number in plan.prompts.values_list("prompt", "score", "number")}
    planned = np.array([key in rows for key in pool.key.tolist()], dtype=np.bool_)
    if not planned.any():
        raise PlanError(f"{name} has no predictions for prompts of the plan.")
    kept = pool.only(planned)
    scores, numbers = np.array([rows[key] for key in kept.key.tolist()], dtype=np.float64).T
    return PlannedPool(plan, kept, scores, numbers, int((~planned).sum()))


def awaited_prompts(plan: LabelPlan, study: ComparisonStudy) -> int:
    """How many prompts that the plan has drawn wait for gold."""
    latest = plan.rounds.last()
    return 0 if latest is None else int(planned_pool(plan, study, plan.evaluator.name).awaited(latest.scale).sum())


@transaction.atomic
def make_plan(dataset: Dataset, name: str, figure: str, seed: int, who: User | None, floor: float = FLOOR) -> LabelPlan:
    """A plan for a figure of the evaluator of that name; it takes the place of the one in force.

    PlanError: as `pool_of`, nothing is left to label, the figure is undefined, or drawn prompts wait for gold.
    """
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    study = study_of(dataset, None)
    pool = pool_of(study, name)
    before = plan_of(dataset)
    waiting = awaited_prompts(before, study) if before is not None else 0
    if waiting:
        raise PlanError(
            f"{waiting} prompts that the plan in force has drawn wait for gold; a new one comes after them."
        )
    left = ~pool.has_gold
    if not left.any():
        raise PlanError("No prompts to draw: all prompts with predictions have gold.")
    scores, numbers = _design(pool, left, figure, seed, floor)
    plan = LabelPlan.objects.create(
        dataset=dataset,
        evaluator=Evaluator.objects.get(name=name),
        figure=figure,
        seed=seed,
        floor=floor,
        made_by=who,
    )
    drawable = dict(zip(pool.key[left].tolist(), zip(scores.tolist(), numbers.tolist(), strict=True), strict=True))
    PlannedPrompt.objects.bulk_create(
        [
            PlannedPrompt(plan=plan, prompt_id=key, score=score, number=number)
            for key in pool.key.tolist()
            for score, number in [drawable.get(key, (None, None))]
        ],
        batch_size=BATCH,
    )
    return plan


def _design(pool: PromptPool, left: Flags, figure: str, seed: int, floor: float) -> tuple[Floats, Floats]:
    """Scores and permanent numbers of the prompts that are left."""
    known = pool.has_gold[pool.prompt]
    error = np.where(known, pool.error, pool.suspected)
    totals = unit_totals(pool.decisions, error, pool.prompt, len(pool.key)).sum(axis=0)
    slopes = slopes_of(figure, totals)
    if slopes is None:
        raise PlanError("The figure is undefined: the evaluator called no unit an error.")
    rest = pool.only(left)
    scores = sampling_scores(slopes, rest.decisions, rest.suspected, rest.prompt, len(rest.key), floor)
    return scores, permanent_numbers(rest.stratum, seed)


@dataclass(frozen=True)
class NextDraw:
    """A draw of `more` prompts on average: the scale, the mean number of all draws, the prompts it adds (rows)."""

    more: int
    scale: float
    expected: float
    rows: Ints


def next_draw(planned: PlannedPool, more: int) -> NextDraw:
    """PlanError: nothing is left to draw."""
    latest = planned.plan.rounds.last()
    before = planned.drawn(latest.scale) if latest else np.zeros(len(planned.score), dtype=np.bool_)
    drawable = planned.score[~planned.known]
    if not len(drawable) or before.sum() == len(drawable):
        raise PlanError("No prompts to draw: all prompts of the plan are drawn.")
    expected = min((latest.expected if latest else 0.0) + more, float(len(drawable)))
    scale = scale_for(drawable, expected)
    return NextDraw(more, scale, expected, np.flatnonzero(planned.drawn(scale) & ~before))


@transaction.atomic
def draw_round(plan: LabelPlan, more: int, annotators: Sequence[str], who: User | None) -> LabelRound:
    """Draw so many more prompts on average, and reserve places on their tasks for these annotators (user names).

    Prompts that have gold by now are drawn and not assigned.
    PlanError, AssignError, AnnotatorError: nothing was changed.
    """
    LabelPlan.objects.select_for_update().get(pk=plan.pk)
    planned = planned_pool(plan, study_of(plan.dataset, None), plan.evaluator.name)
    draw = next_draw(planned, more)
    latest = plan.rounds.last()
    made = plan.rounds.create(
        number=latest.number + 1 if latest else 1, scale=draw.scale, expected=draw.expected, made_by=who
    )
    new = planned.pool.key[draw.rows[~planned.pool.has_gold[draw.rows]]]
    assign(plan.dataset, annotators, plan.dataset.overlap, plan.seed, prompts=new.tolist())
    _store_probabilities(planned, draw.scale)
    return made


def _store_probabilities(planned: PlannedPool, scale: float) -> None:
    """The probabilities of all prompts drawn so far, with their tasks."""
    drawn = planned.drawn(scale)
    probability = planned.probability(scale)
    of_prompt = dict(zip(planned.pool.key[drawn].tolist(), probability[drawn].tolist(), strict=True))
    in_tasks = Response.objects.filter(prompt__in=of_prompt, task__isnull=False).values_list("task", "prompt")
    tasks = [Task(pk=task, probability=of_prompt[prompt]) for task, prompt in in_tasks]
    Task.objects.bulk_update(tasks, ["probability"], batch_size=BATCH)
