"""The results of a threshold sample as tables to take away, as charts, and as plain JSON values."""

from typing import Any

from annotate.people.names import Names
from core.tables import Cell, PrintedTable, Table, with_ends
from evaluators.charts import chart
from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, ReferenceLine, lines
from factor.benchmarks.caption import benchmark_of
from factor.models import FactorErrorType, ThresholdItem, ThresholdSample
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
# Printed titles.
KEPT_OF_SWEEP = {
    "threshold": "Threshold",
    "kept": "Kept",
    "precision": "Precision",
    "dropped_share": "Dropped",
    "found_share": "Good candidates kept",
    "chosen": "Chosen",
}
KEPT_OF_TYPES = {
    "error_type": "Error type",
    "threshold": "Threshold",
    "n": "n",
    "dropped_share": "Dropped",
    "precision": "Precision",
}
KEPT_OF_LABELS = {
    "position": "Place",
    "error_type": "Error type",
    "candidate": "Candidate",
    "contradictory": "Contradictory",
    "sound": "Sound",
}
OTHER_TITLES = {
    "good_kept": "Good and kept",
    "dropped": "Number dropped",
    "drops_at_most_35_percent": f"Drops at most {100 * MOST_DROPPED:g} %",
    "original": "Original",
    "contradiction": "Probability of a contradiction",
    "fluency": "Fluency",
    "labelled_by": "Labelled by",
}
ENDS = {"dropped_share": ("dropped_low", "dropped_high")}
WILSON = "95 % intervals (Wilson, each candidate an independent draw)"


def tables_of(sample: ThresholdSample, results: ThresholdResults, names: Names) -> list[Table]:
    return [
        *(_sweep_table(each, sample, results) for each in results.sweeps),
        _types_table(sample, results),
        _labels_table(sample, results, names),
    ]


def _sweep_table(swept: Sweep, sample: ThresholdSample, results: ThresholdResults) -> Table:
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
    caption = (
        f"Thresholds of the filter ({swept.title.lower()}) over n = {len(swept.samples):,} of "
        f"{_sample(sample, results)}, with {WILSON}. Precision: the share of {swept.good} ones among the kept. Chosen: "
        f"the highest precision where at most {100 * MOST_DROPPED:g} % are dropped."
    )
    printed = PrintedTable(KEPT_OF_SWEEP, caption, ends=ENDS, titles=OTHER_TITLES)
    return Table(swept.name, f"the sweep of {swept.title.lower()}", SWEEP, rows, printed)


def _types_table(sample: ThresholdSample, results: ThresholdResults) -> Table:
    caption = (
        f"Error types under the thresholds in use, over {_sample(sample, results)}, with {WILSON}. Precision: the "
        "share of contradictory ones among the kept."
    )
    printed = PrintedTable(KEPT_OF_TYPES, caption, ends=ENDS, titles=OTHER_TITLES)
    return Table("types", "the table of error types", TYPES, [_type_row(row) for row in results.types], printed)


def _labels_table(sample: ThresholdSample, results: ThresholdResults, names: Names) -> Table:
    printed = PrintedTable(KEPT_OF_LABELS, f"Labels of {_sample(sample, results)}.", titles=OTHER_TITLES)
    return Table("labels", "the labels", LABELS, [_label_row(item, names) for item in results.items], printed)


def _sample(sample: ThresholdSample, results: ThresholdResults) -> str:
    """The labelled candidates, for captions."""
    return (
        f"{len(results.items):,} labelled candidates of {results.sentences:,} sentences of "
        f"{benchmark_of(sample.build.benchmark)} (seed of the draw {sample.seed})"
    )


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
