"""The rounds of a plan as a table to take away."""

from collections.abc import Sequence

from annotate.statistics.caption import data_of
from core.tables import PrintedTable, Table, with_ends
from evaluators.label_next.estimate import RoundEstimate
from evaluators.label_next.plan import PlannedPool

COLUMNS = (
    *("round", "prompts", "labels", "awaited", "awaited_labels", "value", "low", "high", "weight"),
    *("random_labels", "saved", "withheld"),
)
# Printed titles; that of the value is the figure's.
OTHERS = {
    "awaited": "Prompts awaited",
    "awaited_labels": "Labels awaited",
    "weight": "Weight of predictions",
    "random_labels": "Labels needed at random",
    "withheld": "No interval because",
}


def rounds_table(rounds: Sequence[RoundEstimate], planned: PlannedPool, name: str, figure: str) -> Table:
    """name: of the evaluator that is estimated; figure: the title of its figure."""
    rows = [
        [
            *(each.round.number, each.prompts, each.labels, each.awaited, each.awaited_labels),
            *(with_ends(each.estimate.value, each.estimate.interval) if each.estimate else (None, None, None)),
            each.estimate.weight if each.estimate else None,
            each.random_labels,
            each.saved,
            each.estimate.withheld if each.estimate else None,
        ]
        for each in rounds
    ]
    kept = {"round": "Round", "prompts": "Prompts", "labels": "Labels", "value": figure, "saved": "Labels saved"}
    printed = PrintedTable(kept, _caption(planned, name, figure), ends={"value": ("low", "high")}, titles=OTHERS)
    return Table("rounds", "the rounds of the plan", COLUMNS, rows, printed)


def _caption(planned: PlannedPool, name: str, figure: str) -> str:
    plan = planned.plan
    return (
        f"{figure} of {name} on {data_of(plan.dataset.name, None)}, estimated after each round from labels drawn with "
        f"known probabilities and predictions of all n = {len(planned.score):,} prompts, with 95 % intervals "
        f"(linearised variance over prompts; seed of the draw {plan.seed})."
    )
