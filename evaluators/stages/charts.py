"""The charts of the page."""

from collections.abc import Sequence

from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, ReferenceLine, bars
from evaluators.stages.measure import Change, RunQuality
from evaluators.stages.present import STAGE_NAMES, ChainRow, SwapRow
from evaluators.stages.settings import FACTS, PASSAGES
from stats.detection import METRICS

SHORT = {"": "", FACTS: ", + gold facts", PASSAGES: ", + gold passages"}
FIGURES = {
    "f1": (METRICS["f1"].title, "F1 gained by the swap"),
    "error_rate": ("Error rate", "Error rate taken away by the swap"),
}


def charts_of(chains: Sequence[ChainRow], swaps: Sequence[SwapRow], references: Sequence[ReferenceLine]) -> list[Chart]:
    """The steps of the chains, and the change by each swap, in F1 and in error rate; a figure without a value is left
    out. references: rules beside an F1."""
    steps = [_steps_chart(chains, figure, references if figure == "f1" else ()) for figure in FIGURES]
    return [chart for chart in (*steps, *(_swaps_chart(swaps, figure) for figure in FIGURES)) if chart is not None]


def _steps_chart(chains: Sequence[ChainRow], figure: str, references: Sequence[ReferenceLine]) -> Chart | None:
    name = FIGURES[figure][0]
    rows = [
        {"step": f"{chain.name}{SHORT[step.stage]}", "value": value, "low": low, "high": high}
        for chain in chains
        for step in chain.steps
        if step.quality is not None
        for value, (low, high) in [_value(step.quality, figure)]
        if value is not None
    ]
    if not rows:
        return None
    words = f"{name} of each evaluator as it is, and with gold swapped in stage by stage: " + "; ".join(
        f"{row['step']} {row['value']:.3f}" for row in rows
    )
    spec = bars(rows, "step", Axis("value", name, (0, 1)), references=references)
    return Chart(f"{figure.replace('_', '-')}-steps", f"{name}, stage by stage", f"{words}.", spec, rows)


def _value(quality: RunQuality, figure: str) -> tuple[float | None, tuple[float | None, float | None]]:
    """The figure with the ends of its interval; an error rate has none."""
    if figure == "f1":
        low, high = (quality.detection["f1_interval"] if quality.detection else None) or (None, None)
        return quality.f1, (low, high)
    return quality.error_rate, (None, None)


def _swaps_chart(swaps: Sequence[SwapRow], figure: str) -> Chart | None:
    name, title = FIGURES[figure]
    rows = []
    for swap in swaps:
        change: Change | None = getattr(swap, figure)
        if change is None or change.difference is None:
            continue
        sign = 1 if figure == "f1" else -1  # an error rate that falls is a gain
        ends = sorted(sign * end for end in change.interval.ends()) if change.interval else [None, None]
        rows.append(
            {
                "swap": f"{STAGE_NAMES[swap.swap.stage]}: {swap.swap.before.name} → {swap.swap.to.name}",
                "gain": sign * change.difference,
                "low": ends[0],
                "high": ends[1],
                "n": change.n,
            }
        )
    if not rows:
        return None
    words = f"A bar for each two runs that differ at one stage: how much the second is better by {name}. " + "; ".join(
        f"{row['swap']} {row['gain']:+.3f}" for row in rows
    )
    return Chart(figure.replace("_", "-"), title, f"{words}.", bars(rows, "swap", Axis("gain", title)), rows)
