"""The sweep of a threshold as a chart: precision beside what is dropped."""

from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, ReferenceLine, lines
from factor.thresholds.sweeps import Sweep
from stats.filter_thresholds import MOST_DROPPED

UNIT = (0.0, 1.0)


def sweep_chart(swept: Sweep) -> Chart:
    rows: list[Row] = []
    for step in swept.steps:
        for name, share in ((f"kept ones {swept.good}", step.precision), ("dropped", step.dropped)):
            low, high = share.interval or (None, None)
            rows.append(
                {"threshold": step.threshold, "share": share.value, "low": low, "high": high, "of": name, "n": share.n}
            )
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
