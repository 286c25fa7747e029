"""The rounds of a plan as a table to take away."""

from collections.abc import Sequence

from core.tables import Table, with_ends
from evaluators.label_next.estimate import RoundEstimate

COLUMNS = (
    *("round", "prompts", "labels", "awaited", "value", "low", "high", "weight"),
    *("random_labels", "saved", "withheld"),
)


def rounds_table(rounds: Sequence[RoundEstimate]) -> Table:
    rows = [
        [
            *(each.round.number, each.prompts, each.labels, each.awaited),
            *(with_ends(each.estimate.value, each.estimate.interval) if each.estimate else (None, None, None)),
            each.estimate.weight if each.estimate else None,
            each.random_labels,
            each.saved,
            each.estimate.withheld if each.estimate else None,
        ]
        for each in rounds
    ]
    return Table("rounds", "the rounds of the plan", COLUMNS, rows)
