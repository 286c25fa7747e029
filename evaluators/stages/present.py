"""The page's chains and swaps with their figures, as rows and a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from annotate.statistics.caption import resampled, tested
from core.tables import PrintedTable, Table
from evaluators.stages.chains import Chain, Staged, Swap
from evaluators.stages.measure import Change, RunQuality, Two
from evaluators.stages.pipeline import Pipeline
from evaluators.stages.settings import FACTS, JUDGE, PASSAGES, Setting

WITH_GOLD = {FACTS: "with labelled facts", PASSAGES: "with cited passages"}
STAGE_NAMES = {FACTS: "Facts", PASSAGES: "Passages", JUDGE: "Judge"}
COLUMNS = (
    "stage", "before", "after", "f1_units", "f1_change", "f1_low", "f1_high", "f1_p_holm", "error_rate_responses",
    "error_rate_change", "error_rate_low", "error_rate_high", "cost_usd_before", "cost_usd_after", "tokens_before",
    "tokens_after", "seconds_before", "seconds_after", "f1_p_adjusted",
)  # fmt: skip
# Printed titles.
KEPT = {
    "stage": "Stage",
    "before": "Before",
    "after": "After",
    "f1_units": "n",
    "f1_change": "Change of F1",
    "f1_p_adjusted": "Adjusted p",
    "error_rate_change": "Change of error rate",
}
OTHERS = {
    "f1_p_holm": "p after Holm",
    "error_rate_responses": "Responses",
    "cost_usd_before": "US dollars before",
    "cost_usd_after": "US dollars after",
    "tokens_before": "Tokens before",
    "tokens_after": "Tokens after",
    "seconds_before": "Seconds before",
    "seconds_after": "Seconds after",
}
ENDS = {"f1_change": ("f1_low", "f1_high"), "error_rate_change": ("error_rate_low", "error_rate_high")}


@dataclass(frozen=True)
class ChainStep:
    """A row of a chain. run: None where it is missing, and then `missing` is what to run. f1, error_rate: the change
    against the step before that was run; None for the first."""

    stage: str
    title: str
    run: Staged | None
    quality: RunQuality | None
    f1: Change | None
    error_rate: Change | None
    missing: Pipeline | None
    command: str = ""

    @property
    def marks(self) -> list[float | None]:
        """The F1 of calling everything an error on this run's own units."""
        return [self.quality.all_errors_f1 if self.quality else None]


@dataclass(frozen=True)
class ChainRow:
    """left_f1, left_error_rate: the loss that remains in the end, the judge's share; None where undefined. whole:
    every step has been run."""

    name: str
    steps: tuple[ChainStep, ...]
    left_f1: float | None
    left_error_rate: float | None
    whole: bool


@dataclass(frozen=True)
class SwapRow:
    """differing: what differs between the two at the stage, as (name, before, after)."""

    swap: Swap
    before: RunQuality
    to: RunQuality
    f1: Change | None
    error_rate: Change | None
    differing: list[tuple[str, str, str]]


@dataclass(frozen=True)
class Changes:
    """The changes by the second of two runs, by the names of both."""

    f1: dict[Two, Change]
    error_rate: dict[Two, Change]


def twos_of(chains: Sequence[Chain], swaps: Sequence[Swap]) -> list[Two]:
    """All runs that the page holds against each other."""
    steps = [two for chain in chains for two in pairwise(run.name for run in chain.runs)]
    return [*steps, *((swap.before.name, swap.to.name) for swap in swaps)]


def show_chain(chain: Chain, changes: Changes, quality: dict[str, RunQuality], dataset: str) -> ChainRow:
    """dataset: its name, for the commands."""
    steps = [ChainStep("", "as it is", chain.start, quality[chain.start.name], None, None, None)]
    last = chain.start
    for link in chain.links:
        title = WITH_GOLD[link.stage]
        if link.run is None:
            command = link.pipeline.command(dataset)
            steps.append(ChainStep(link.stage, title, None, None, None, None, link.pipeline, command))
            continue
        two = (last.name, link.run.name)
        f1, error_rate = changes.f1.get(two), changes.error_rate.get(two)
        steps.append(ChainStep(link.stage, title, link.run, quality[link.run.name], f1, error_rate, None))
        last = link.run
    end = quality[last.name]
    f1_left = None if end.f1 is None else 1 - end.f1
    whole = all(link.run is not None for link in chain.links)
    return ChainRow(chain.start.name, tuple(steps), f1_left, end.error_rate, whole)


def show_swap(swap: Swap, changes: Changes, quality: dict[str, RunQuality]) -> SwapRow:
    two = (swap.before.name, swap.to.name)
    return SwapRow(
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
    return [(name.replace("_", " "), _text(one.get(name)), _text(other.get(name))) for name in names]


def _text(value: Any) -> str:
    return "none" if value is None or value == "" else str(value)


def table_of(swaps: Sequence[SwapRow], data: str) -> Table:
    """data: data set, gold and units in words."""
    rate = "Error rate: the mean over subject models on the responses that both scored, without an interval. "
    caption = (
        f"Changes of F1 where one stage of an evaluator is exchanged, on {data}, over the n units that both judged, "
        f"with simultaneous 95 % intervals. {rate if any(each.error_rate for each in swaps) else ''}"
        f"{tested('the changes of all stages and chains')}; {resampled()}."
    )
    printed = PrintedTable(KEPT, caption, ends=ENDS, titles=OTHERS, optional=("error_rate_change",))
    return Table("stages", "the changes by each stage", COLUMNS, [_cells(each) for each in swaps], printed)


def _cells(swap: SwapRow) -> list[Any]:
    return [
        swap.swap.stage,
        swap.swap.before.name,
        swap.swap.to.name,
        *_change(swap.f1),
        swap.f1.p_holm if swap.f1 else None,
        *_change(swap.error_rate),
        swap.before.cost_usd,
        swap.to.cost_usd,
        swap.before.tokens,
        swap.to.tokens,
        swap.before.seconds,
        swap.to.seconds,
        swap.f1.p_adjusted if swap.f1 else None,
    ]


def _change(change: Change | None) -> list[Any]:
    if change is None:
        return [None] * 4
    low, high = change.interval.ends() if change.interval else (None, None)
    return [change.n, change.difference, low, high]
