"""The results of a threshold sample as tables to take away, as charts, and as plain JSON values."""

from typing import Any

from annotate.people.names import Names
from core.tables import Cell, Table, with_ends
from evaluators.charts import chart
from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, ReferenceLine, lines
from factor.models import FactorErrorType, ThresholdItem
from factor.thresholds.sweeps import Sweep, ThresholdResults, TypeRow
from stats.filter_thresholds import MOST_DROPPED, ThresholdStep
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


def tables_of(results: ThresholdResults, names: Names) -> list[Table]:
    return [
        *(sweep_table(each) for each in results.sweeps),
        Table("types", "the table of error types", TYPES, [_type_row(row) for row in results.types]),
        Table("labels", "the labels", LABELS, [_label_row(item, names) for item in results.items]),
    ]


def sweep_table(swept: Sweep) -> Table:
    rows = []
    for step in swept.steps:
        row: list[Cell] = [
            step.threshold,
            step.precision.n,
            step.precision.hits,
            *with_ends(step.precision.value, step.precision.interval),
            step.dropped.hits,
            *with_ends(step.dropped.value, step.dropped.interval),
            step.retained.value,
            int(step.is_allowed),
            int(step == swept.chosen),
        ]
        rows.append(row)
    return Table(swept.name, f"the sweep of {swept.title.lower()}", SWEEP, rows)


def _type_row(row: TypeRow) -> list[Cell]:
    return [
        FactorErrorType(row.error_type).label,
        row.threshold,
        row.dropped.n,
        row.dropped.hits,
        *with_ends(row.dropped.value, row.dropped.interval),
        *with_ends(row.precision.value, row.precision.interval),
    ]


def _label_row(item: ThresholdItem, names: Names) -> list[Cell]:
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
        names.of(label.rater),
    ]


UNIT = (0.0, 1.0)


def charts_of(results: ThresholdResults) -> list[Chart]:
    """A chart for each sweep that has labelled candidates: precision beside the share dropped."""
    return [_chart(each) for each in results.sweeps if each.samples]


def _chart(swept: Sweep) -> Chart:
    rows: list[Row] = []
    for step in swept.steps:
        for name, share in ((f"kept ones {swept.good}", step.precision), ("dropped", step.dropped)):
            figure = chart.with_ends("share", share.value, share.interval)
            rows.append({"threshold": step.threshold, **figure, "of": name, "n": share.n})
    chosen = swept.chosen.threshold if swept.chosen else None
    best = "none: each drops more than 35 %" if chosen is None else f"{chosen:g}"
    return Chart(
        swept.name,
        f"{swept.title}: what each threshold keeps",
        f"For each threshold from 0.1 to 0.9 the share of {swept.good} candidates among those kept, and the share of "
        f"candidates dropped, with 95 % intervals, over {len(swept.samples)} labelled candidates. "
        f"The dashed rule is the most that may be dropped, 35 %. By the rule the best threshold is {best}; "
        f"in use is {swept.in_use:g}.",
        lines(
            rows,
            Axis("threshold", "Margin" if swept.name == "margin" else "Threshold", UNIT),
            Axis("share", "Share of candidates", UNIT),
            "of",
            ("low", "high"),
            references=[ReferenceLine("at most 35 % dropped", MOST_DROPPED)],
            upright=[
                ReferenceLine(f"in use: {swept.in_use:g}", swept.in_use),
                ReferenceLine(f"chosen: {best}", chosen, "human"),
            ],
            points=True,
        ),
        rows,
    )


def describe(results: ThresholdResults) -> dict[str, Any]:
    """Shares with their counts and 95 % intervals; null where undefined, and where the rule chooses none."""
    return {
        "labelled": len(results.items),
        "sentences": results.sentences,
        "filters": results.settings.as_json(),
        "sweeps": [
            {
                "name": each.name,
                "n": len(each.samples),
                "unmeasured": each.unmeasured,
                "in_use": each.in_use,
                "chosen": None if each.chosen is None else each.chosen.threshold,
                "steps": [_step(step) for step in each.steps],
            }
            for each in results.sweeps
        ],
        "error_types": [
            {
                "error_type": row.error_type,
                "threshold": row.threshold,
                "dropped": _share(row.dropped),
                "precision": _share(row.precision),
            }
            for row in results.types
        ],
    }


def _step(step: ThresholdStep) -> dict[str, Any]:
    return {
        "threshold": step.threshold,
        "precision": _share(step.precision),
        "dropped": _share(step.dropped),
        "found": _share(step.retained),
        "drops_at_most_35_percent": step.is_allowed,
    }


def _share(share: Proportion) -> dict[str, Any]:
    interval = None if share.interval is None else list(share.interval)
    return {"hits": share.hits, "n": share.n, "value": share.value, "interval": interval}
