"""Figures as ratios to those of an empty view in the same run, and the ratios of the last landing.

A slower or busier machine changes both alike: ratios of different days can be compared, milliseconds cannot.
"""

import json
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")
# A loss that is told: the noise of two runs is smaller.
LOSS = 1.1

# What is measured → its figures.
Figures = Mapping[str, Mapping[str, float]]


def ratios(measured: Figures, empty: str = "empty") -> dict[str, dict[str, float]]:
    """Each figure as a multiple of the empty view's."""
    return {
        name: {figure: round(value / measured[empty][figure], 1) for figure, value in figures.items()}
        for name, figures in measured.items()
        if name != empty
    }


def read(file: Path = FILE) -> dict[str, dict[str, dict[str, float]]]:
    """By the database and its size; {} before the first."""
    kept: dict[str, dict[str, dict[str, float]]] = json.loads(file.read_text()) if file.exists() else {}
    return kept


def keep(now: Mapping[str, Figures], file: Path = FILE) -> None:
    """In place of those of the same databases."""
    file.write_text(json.dumps({**read(file), **now}, indent=2) + "\n")


def losses(before: Figures, now: Figures) -> list[str]:
    """A sentence for each ratio that has grown by more than a tenth."""
    return [
        f"{name}, {figure}: {value} times an empty view, {before[name][figure]} at the last landing: "
        f"{value / before[name][figure] - 1:.0%} lost"
        for name, figures in now.items()
        for figure, value in figures.items()
        if figure in before.get(name, {}) and value > before[name][figure] * LOSS
    ]
