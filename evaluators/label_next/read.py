"""A dataset's prompts as a pool to draw from: the units of each, what evaluators say of them, and gold."""

from dataclasses import dataclass

import numpy as np

from annotate.models import Dataset, Response
from core.errors import DataError
from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.comparison.levels import decide, judged_in_relevant
from evaluators.comparison.study import ComparisonStudy
from stats.arrays import Flags, Floats, Ints
from stats.detection import CORRECT, ERROR, Decisions
from stats.gold_table import NO_GOLD
from stats.label_sampling import suspicion

ALONE = "no other evaluator has judged this dataset: what they say of a unit is what tells which labels are worth most"


class PlanError(DataError):
    """Nothing can be drawn or estimated; the message says why."""


@dataclass(frozen=True)
class PromptPool:
    """The prompts on which an evaluator has predictions, N, and their U units.

    key : primary keys (N,); stratum : numbers of domains (N,); prompt : number of each unit's prompt (U,).
    decisions : of the evaluator (U,); suspected : share of the others that call a unit an error (U,).
    against : whether most of the others contradict the evaluator (U,).
    error : gold says so (U,); counted : gold does not leave the unit out (U,).
    open : number of units without gold of each prompt (N,).
    """

    key: Ints
    stratum: Ints
    prompt: Ints
    decisions: Decisions
    suspected: Floats
    against: Flags
    error: Flags
    counted: Flags
    open: Ints

    @property
    def has_gold(self) -> Flags:
        """Whether all units of a prompt have gold (N,)."""
        return np.asarray(self.open == 0, dtype=np.bool_)

    @property
    def units(self) -> Ints:
        """The number of units of each prompt (N,)."""
        return np.bincount(self.prompt, minlength=len(self.key))

    def only(self, kept: Flags) -> "PromptPool":
        """The pool of some prompts (N,)."""
        units = kept[self.prompt]
        of_prompts = {name: getattr(self, name)[kept] for name in ("key", "stratum", "open")}
        names = ("decisions", "suspected", "against", "error", "counted")
        of_units = {name: getattr(self, name)[units] for name in names}
        return PromptPool(prompt=(np.cumsum(kept) - 1)[self.prompt[units]], **of_prompts, **of_units)


def judges_of(study: ComparisonStudy) -> list[Judge]:
    """The evaluators whose figures can be estimated: all but the trivial ones."""
    return [judge for judge in study.judges if judge.method not in TRIVIAL]


def pool_of(study: ComparisonStudy, name: str) -> PromptPool:
    """The pool of the evaluator of that name. PlanError: it has no finished run, or it is alone."""
    judges = judges_of(study)
    judge = next((each for each in judges if each.name == name), None)
    if judge is None:
        raise PlanError(f"{study.dataset.name} has no finished run of an evaluator {name!r}.")
    table = study.table
    labelled_ones = ~table.responses.abstained[table.response_of_unit]
    decisions = decide(judge.predictions.units)
    others = [decide(each.predictions.units) for each in judges if each is not judge]
    if not others:
        raise PlanError(f"Nothing can be drawn: {ALONE}.")
    decided = np.isin(decisions, (CORRECT, ERROR)) & labelled_ones
    rows = np.unique(table.prompt_of_unit[decided])
    if not len(rows):
        raise PlanError(f"{name} has no predictions.")
    of_pool = labelled_ones & np.isin(table.prompt_of_unit, rows)
    prompt = np.searchsorted(rows, table.prompt_of_unit[of_pool])
    removed = table.responses.removed[table.response_of_unit]
    without_gold = ((table.units.value == NO_GOLD) & ~removed)[of_pool]
    suspected = suspicion([each[of_pool] for each in others])
    return PromptPool(
        key=_keys(study.dataset, study)[rows],
        stratum=table.strata[rows],
        prompt=prompt,
        decisions=decisions[of_pool],
        suspected=suspected,
        against=(suspected > 0.5) != (decisions[of_pool] == ERROR),
        error=(decide(table.units.value) == ERROR)[of_pool],
        counted=(judged_in_relevant(table) & ~removed)[of_pool],
        open=np.bincount(prompt[without_gold], minlength=len(rows)),
    )


def _keys(dataset: Dataset, study: ComparisonStudy) -> Ints:
    """The primary key of each prompt of the table."""
    of_response = dict(Response.objects.filter(dataset=dataset).values_list("pk", "prompt_id"))
    keys = np.zeros(len(study.table.prompts.domain), dtype=np.int64)
    keys[study.table.responses.prompt] = [of_response[key] for key in study.table.responses.key.tolist()]
    return keys
