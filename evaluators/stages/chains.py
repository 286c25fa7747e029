"""Pairs of finished runs that differ at exactly one stage, and chains of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluators.comparison.judges import Judge
from evaluators.stages.pipeline import Pipeline
from evaluators.stages.settings import FACTS, JUDGE, PASSAGES, StageSettings


@dataclass(frozen=True)
class Staged:
    """A finished run whose stages are known."""

    judge: Judge
    pipeline: Pipeline
    settings: StageSettings

    @property
    def name(self) -> str:
        return self.judge.name


@dataclass(frozen=True)
class Swap:
    """Two runs that differ at this stage alone; `to` is the one with gold there, if either has it."""

    stage: str
    before: Staged
    to: Staged


@dataclass(frozen=True)
class Link:
    """A step of a chain: gold at one more stage. run: None where it is missing; `pipeline` is the one to run."""

    stage: str
    pipeline: Pipeline
    run: Staged | None


@dataclass(frozen=True)
class Chain:
    """An evaluator as it is, then with gold swapped in stage by stage; the loss that remains is its judge's."""

    start: Staged
    links: tuple[Link, ...]

    @property
    def runs(self) -> tuple[Staged, ...]:
        """The steps with a run, in order."""
        return (self.start, *(link.run for link in self.links if link.run is not None))


def stage_runs(judges: Sequence[Judge]) -> list[Staged]:
    """The runs with known stages."""
    staged = []
    for judge in judges:
        if judge.run is None:
            continue
        evaluator = judge.run.evaluator
        pipeline = Pipeline(evaluator.method, evaluator.model, evaluator.parameters)
        if pipeline.settings is not None:
            staged.append(Staged(judge, pipeline, pipeline.settings))
    return staged


def find_swaps(runs: Sequence[Staged]) -> list[Swap]:
    """Every two runs that differ at exactly one stage, by stage."""
    swaps = []
    for one, other in combinations(runs, 2):
        stages = one.settings.differing(other.settings)
        if len(stages) == 1:
            turned = one.settings.beats(other.settings, stages[0])
            swaps.append(Swap(stages[0], *((other, one) if turned else (one, other))))
    order = [FACTS, PASSAGES, JUDGE]
    return sorted(swaps, key=lambda swap: (order.index(swap.stage), swap.before.name, swap.to.name))


def find_chains(runs: Sequence[Staged]) -> list[Chain]:
    """A chain from every run that has something to swap, but for those that only repeat the end of another."""
    chains = [chain for chain in (_chain(run, runs) for run in runs) if chain.links]
    later = {id(run) for chain in chains for run in chain.runs[1:]}
    return [chain for chain in chains if id(chain.start) not in later]


def _chain(start: Staged, runs: Sequence[Staged]) -> Chain:
    links: list[Link] = []
    here, pipeline = start.settings, start.pipeline
    for stage in (FACTS, PASSAGES):
        swapped = pipeline.with_gold(stage)
        if swapped is None or swapped.settings is None:
            continue
        there = next((run for run in runs if run.settings == swapped.settings), None)
        there = there or next((run for run in runs if run.settings.beats(here, stage)), None)
        pipeline = there.pipeline if there else swapped
        here = there.settings if there else swapped.settings
        links.append(Link(stage, pipeline, there))
    return Chain(start, tuple(links))
