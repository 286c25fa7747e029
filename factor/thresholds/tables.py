"""The tables of the thresholds' page, to read and to take away."""

from collections.abc import Sequence

from core.tables import Cell, Table
from factor.models import ErrorType, ThresholdItem
from factor.thresholds.sweeps import Study, Sweep, TypeRow
from stats.proportions import Proportion

SWEEP = (
    *("threshold", "kept", "good_kept", "precision", "precision_low", "precision_high"),
    *("dropped", "dropped_share", "dropped_low", "dropped_high", "found_share", "drops_at_most_35_percent", "chosen"),
)
TYPES = (
    *("error_type", "threshold", "n", "dropped", "dropped_share", "dropped_low", "dropped_high"),
    *("precision", "precision_low", "precision_high"),
)
LABELS = (
    *("position", "error_type", "original", "candidate", "contradiction", "fluency"),
    *("contradictory", "sound", "labelled_by"),
)


def tables_of(study: Study) -> list[Table]:
    return [
        *(sweep_table(each) for each in study.sweeps),
        Table("types", "the table of error types", TYPES, [_type_row(row) for row in study.types]),
        Table("labels", "the labels", LABELS, [_label_row(item) for item in study.items]),
    ]


def sweep_table(swept: Sweep) -> Table:
    rows = []
    for step in swept.steps:
        row: list[Cell] = [
            step.threshold,
            step.precision.n,
            step.precision.hits,
            *_with_ends(step.precision),
            step.dropped.hits,
            *_with_ends(step.dropped),
            step.retained.value,
            int(step.is_allowed),
            int(step == swept.chosen),
        ]
        rows.append(row)
    return Table(swept.name, f"the sweep of {swept.title.lower()}", SWEEP, rows)


def _type_row(row: TypeRow) -> list[Cell]:
    return [
        ErrorType(row.error_type).label,
        row.threshold,
        row.dropped.n,
        row.dropped.hits,
        *_with_ends(row.dropped),
        *_with_ends(row.precision),
    ]


def _label_row(item: ThresholdItem) -> list[Cell]:
    candidate, label = item.candidate, item.label
    return [
        item.position + 1,
        candidate.error_type,
        candidate.item.sentence,
        candidate.text,
        candidate.contradiction,
        candidate.fluency,
        int(label.contradictory),
        int(label.sound),
        label.rater.get_username(),
    ]


def _with_ends(share: Proportion) -> Sequence[Cell]:
    low, high = share.interval or (None, None)
    return share.value, low, high
