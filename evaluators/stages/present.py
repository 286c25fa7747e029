"""The page's chains and swaps with their figures, as rows, tables and charts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, Reference, bars
from evaluators.stages.chains import Chain, Staged, Swap
from evaluators.stages.measure import Change, Quality, Two
from evaluators.stages.pipeline import Pipeline
from evaluators.stages.settings import FACTS, JUDGE, PASSAGES, Setting
from evaluators.tables.table import Table

WITH_GOLD = {FACTS: "with the facts that people judged", PASSAGES: "with the passages that people went by"}
SHORT = {"": "", FACTS: ", + gold facts", PASSAGES: ", + gold passages"}
STAGE_NAMES = {FACTS: "Facts", PASSAGES: "Passages", JUDGE: "Judge"}
COLUMNS = (
    "stage", "before", "after", "f1_units", "f1_change", "f1_low", "f1_high", "f1_p_holm", "error_rate_responses",
    "error_rate_change", "error_rate_low", "error_rate_high", "cost_usd_before", "cost_usd_after", "tokens_before",
    "tokens_after", "seconds_before", "seconds_after",
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A row of a chain. run: None where it is missing, and then `missing` is what to run. f1, error_rate: the change
    against the step before that was run; None for the first."""

    stage: str
    title: str
    run: Staged | None
    quality: Quality | None
    f1: Change | None
    error_rate: Change | None
    missing: Pipeline | None
    command: str = ""


@dataclass(frozen=True)
class ShownChain:
    """left_f1, left_error_rate: what is still lost in the end, the judge's share; None where it is not defined. whole:
    every step has been run."""

    name: str
    steps: tuple[Step, ...]
    left_f1: float | None
    left_error_rate: float | None
    whole: bool


@dataclass(frozen=True)
class ShownSwap:
    """differing: what differs between the two at the stage, as (name, before, after)."""

    swap: Swap
    before: Quality
    to: Quality
    f1: Change | None
    error_rate: Change | None
    differing: list[tuple[str, str, str]]


@dataclass(frozen=True)
class Changes:
    """By the names of two runs what the second changes."""

    f1: dict[Two, Change]
    error_rate: dict[Two, Change]


def twos_of(chains: Sequence[Chain], swaps: Sequence[Swap]) -> list[Two]:
    """All runs that the page holds against each other."""
    steps = [two for chain in chains for two in pairwise(run.name for run in chain.runs)]
    return [*steps, *((swap.before.name, swap.to.name) for swap in swaps)]


def show_chain(chain: Chain, changes: Changes, quality: dict[str, Quality], dataset: str) -> ShownChain:
    """dataset: its name, for the commands."""
    steps = [Step("", "as it is", chain.start, quality[chain.start.name], None, None, None)]
    last = chain.start
    for link in chain.links:
        title = WITH_GOLD[link.stage]
        if link.run is None:
            command = link.pipeline.command(dataset)
            steps.append(Step(link.stage, title, None, None, None, None, link.pipeline, command))
            continue
        two = (last.name, link.run.name)
        f1, error_rate = changes.f1.get(two), changes.error_rate.get(two)
        steps.append(Step(link.stage, title, link.run, quality[link.run.name], f1, error_rate, None))
        last = link.run
    end = quality[last.name]
    f1_left = None if end.f1 is None else 1 - end.f1
    whole = all(link.run is not None for link in chain.links)
    return ShownChain(chain.start.name, tuple(steps), f1_left, end.error_rate, whole)


def show_swap(swap: Swap, changes: Changes, quality: dict[str, Quality]) -> ShownSwap:
    two = (swap.before.name, swap.to.name)
    return ShownSwap(
        swap,
        quality[swap.before.name],
        quality[swap.to.name],
        changes.f1.get(two),
        changes.error_rate.get(two),
        differing(swap.before.settings.at(swap.stage), swap.to.settings.at(swap.stage)),
    )


def differing(before: Setting, after: Setting) -> list[tuple[str, str, str]]:
    one, other = dict(before), dict(after)
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return [(name.replace("_", " "), _said(one.get(name)), _said(other.get(name))) for name in names]


def _said(value: Any) -> str:
    return "none" if value is None or value == "" else str(value)


def table_of(swaps: Sequence[ShownSwap]) -> Table:
    return Table("stages", "What each stage changes", COLUMNS, [_cells(each) for each in swaps])


def _cells(shown: ShownSwap) -> list[Any]:
    return [
        shown.swap.stage,
        shown.swap.before.name,
        shown.swap.to.name,
        *_change(shown.f1),
        shown.f1.p_holm if shown.f1 else None,
        *_change(shown.error_rate),
        shown.before.cost_usd,
        shown.to.cost_usd,
        shown.before.tokens,
        shown.to.tokens,
        shown.before.seconds,
        shown.to.seconds,
    ]


def _change(change: Change | None) -> list[Any]:
    if change is None:
        return [None] * 4
    low, high = change.interval.ends() if change.interval else (None, None)
    return [change.n, change.difference, low, high]


FIGURES = {"f1": ("F1", "F1 gained by the swap"), "error_rate": ("Error rate", "Error rate taken away by the swap")}


def charts_of(chains: Sequence[ShownChain], swaps: Sequence[ShownSwap], references: Sequence[Reference]) -> list[Chart]:
    """The steps of the chains, and what each swap changes, by F1 and by error rate; a figure that nobody has is left
    out. references: what an F1 is read against."""
    steps = [_steps_chart(chains, figure, references if figure == "f1" else ()) for figure in FIGURES]
    return [chart for chart in (*steps, *(_swaps_chart(swaps, figure) for figure in FIGURES)) if chart is not None]


def _steps_chart(chains: Sequence[ShownChain], figure: str, references: Sequence[Reference]) -> Chart | None:
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


def _value(quality: Quality, figure: str) -> tuple[float | None, tuple[float | None, float | None]]:
    """With the ends of its interval."""
    if figure == "f1":
        low, high = (quality.detection or {}).get("f1_interval") or (None, None)
        return quality.f1, (low, high)
    low, high = quality.error_rate_interval or (None, None)
    return quality.error_rate, (low, high)


def _swaps_chart(swaps: Sequence[ShownSwap], figure: str) -> Chart | None:
    name, title = FIGURES[figure]
    rows = []
    for shown in swaps:
        change: Change | None = getattr(shown, figure)
        if change is None or change.difference is None:
            continue
        sign = 1 if figure == "f1" else -1  # an error rate that falls is a gain
        ends = sorted(sign * end for end in change.interval.ends()) if change.interval else [None, None]
        rows.append(
            {
                "swap": f"{STAGE_NAMES[shown.swap.stage]}: {shown.swap.before.name} → {shown.swap.to.name}",
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
