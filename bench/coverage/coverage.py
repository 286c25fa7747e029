"""Coverage and width of intervals over simulated samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from bench.coverage.figures import FIGURES, SimulatedFigure
from bench.coverage.population import SCENARIOS, Population, Scenario, sampled, simulate
from stats.arrays import Floats
from stats.bootstrap import RESAMPLES, Interval, Resampling

SEED = 20_261


@dataclass(frozen=True)
class Effort:
    """samples: how many are drawn; resamples: of each."""

    samples: int
    resamples: int


WHOLE, QUICK = Effort(2_000, RESAMPLES), Effort(200, 500)


@dataclass(frozen=True)
class Held:
    """Intervals of one kind over samples: the share that holds the true value, and the mean width over the oracle's.

    The oracle's width is that of the middle 95 % of the figure's values over the samples.
    """

    share: float
    width: float
    given: int
    samples: int

    @property
    def error(self) -> float:
        """The standard error of the share by simulation."""
        return float(np.sqrt(self.share * (1 - self.share) / self.given)) if self.given else float("nan")

    @property
    def withheld(self) -> float:
        return 1 - self.given / self.samples


@dataclass(frozen=True)
class CoverageRow:
    """error_prompts: the mean number of prompts with an error in a sample."""

    scenario: str
    figure: str
    prompts: int
    error_prompts: float
    effective: Held
    percentile: Held


def coverage_rows(
    scenario: Scenario,
    sizes: Sequence[int],
    effort: Effort,
    figures: Sequence[SimulatedFigure] = FIGURES,
    labels: Path | None = None,
    strata: int = 1,
) -> list[CoverageRow]:
    """A row for each figure and size. strata: as many domains, of the same number of prompts, are resampled apart."""
    population = simulate(scenario, SEED, labels)
    return [_row(scenario, population, size, figure, effort, strata) for figure, size in product(figures, sizes)]


def _row(
    scenario: Scenario, population: Population, prompts: int, figure: SimulatedFigure, effort: Effort, strata: int
) -> CoverageRow:
    sums = figure.sums(population)
    with_error = population.evaluators[0][:, [0, 2]].any(axis=1)
    resampling = Resampling(np.arange(prompts) % strata, resamples=effort.resamples)
    values, ends, percentiles, counted = [], [], [], []
    for places in sampled(prompts, len(sums), effort.samples, SEED + prompts):
        own = sums[places]
        drawn = figure.compute(resampling.totals(own.reshape(prompts, -1)).reshape(-1, *own.shape[1:]))
        of_samples = figure.compute(own.sum(axis=0))
        values.append(of_samples)
        ends.append(_ends(figure.intervals(own, of_samples, drawn)))
        percentiles.append(_percentiles(drawn, of_samples))
        counted.append(with_error[places].sum(axis=0))
    truth, of_all = float(figure.compute(sums.sum(axis=0))), np.concatenate(values)
    return CoverageRow(
        scenario.name,
        figure.name,
        prompts,
        float(np.concatenate(counted).mean()),
        _held(np.concatenate(ends, axis=1), of_all, truth),
        _held(np.concatenate(percentiles, axis=1), of_all, truth),
    )


def _ends(intervals: Sequence[Interval | None]) -> Floats:
    """(2, S); nan where there is none."""
    return np.array([[np.nan, np.nan] if each is None else each.ends() for each in intervals]).T


def _percentiles(drawn: Floats, values: Floats) -> Floats:
    """The interval (2, S) between the quantiles 0.025 and 0.975 of the resamples, which was used before."""
    with np.errstate(all="ignore"):
        filled = np.where(np.isnan(drawn), values, drawn)
    return np.where(np.isnan(values), np.nan, np.quantile(filled, [0.025, 0.975], axis=0))


def _held(ends: Floats, values: Floats, truth: float) -> Held:
    given = ~np.isnan(ends[0])
    low, high = ends[:, given]
    oracle = np.subtract(*np.nanquantile(values, [0.975, 0.025]))
    if not given.any():
        return Held(float("nan"), float("nan"), 0, len(values))
    # Shares are quotients: the truth may stand at an end but for the last bits.
    holds = (low <= truth + 1e-12) & (truth <= high + 1e-12)
    return Held(float(holds.mean()), float((high - low).mean() / oracle), int(given.sum()), len(values))


HEAD = (
    "| evaluator | figure | prompts | with an error | coverage | width ÷ oracle | withheld | percentile coverage "
    "| width ÷ oracle |\n|---|---|---:|---:|---:|---:|---:|---:|---:|"
)


def line_of(row: CoverageRow) -> str:
    """The row of a Markdown table; coverage in percent ± its simulation error."""
    ours, theirs = row.effective, row.percentile
    cells = (
        row.scenario,
        row.figure,
        f"{row.prompts}",
        f"{row.error_prompts:.0f}",
        f"{_percent(ours.share)} ± {_percent(ours.error)}",
        f"{ours.width:.2f}",
        f"{100 * ours.withheld:.0f} %",
        f"{_percent(theirs.share)}",
        f"{theirs.width:.2f}",
    )
    return f"| {' | '.join(cells)} |".replace("nan ± nan", "–").replace("nan", "–")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


# As many prompts have an error as stand beside: 3, 9, 15, 30, 59 for common errors; 9, 15, 30 for rare ones.
SIZES = {0.18: (10, 30, 50, 100, 200), 0.05: (100, 170, 340)}


def summary_of(rows: Sequence[CoverageRow]) -> str:
    """A Markdown table, a line for each figure and a column for each sample: coverage, and that of the quantiles."""
    samples = list(dict.fromkeys((row.scenario, row.prompts) for row in rows))
    counts = {(row.scenario, row.prompts): row.error_prompts for row in rows}
    by_place = {(row.figure, row.scenario, row.prompts): row for row in rows}
    heads = [f"{scenario}: {counts[scenario, prompts]:.0f} of {prompts}" for scenario, prompts in samples]
    lines = [f"| figure | {' | '.join(heads)} |", f"|---|{'---:|' * len(samples)}"]
    for figure in dict.fromkeys(row.figure for row in rows):
        cells = [_summary_cell(by_place[figure, *sample]) for sample in samples]
        lines.append(f"| {figure} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _summary_cell(row: CoverageRow) -> str:
    mostly_given = row.effective.withheld < 0.5
    return f"{_percent(row.effective.share) if mostly_given else '–'} ({_percent(row.percentile.share)})"


def print_coverage(effort: Effort, labels: Path | None = None) -> None:
    print("Coverage of the 95 % intervals\n\n" + HEAD)
    rows: list[CoverageRow] = []
    for scenario in SCENARIOS:
        rows += coverage_rows(scenario, SIZES[scenario.errors], effort, labels=labels)
        for row in rows[-len(FIGURES) * len(SIZES[scenario.errors]) :]:
            print(line_of(row), flush=True)
    print(
        "\nBy prompts with an error of so many prompts; in brackets the interval between the quantiles of resamples\n"
    )
    print(summary_of(rows))
    print("\nThe same with the prompts in five domains, which are resampled apart\n\n" + HEAD)
    for row in coverage_rows(SCENARIOS[1], (30, 50, 100), effort, FIGURES[:5], labels, strata=5):
        print(line_of(row), flush=True)
