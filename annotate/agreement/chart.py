"""Agreement over time as a drawing: where its points, whiskers and lines stand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

WIDTH, HEIGHT = 720, 200
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 26


@dataclass(frozen=True)
class Point:
    """A batch with a figure: its centre, and the ends of its whisker where there is an interval."""

    number: int
    x: float
    y: float
    whisker: tuple[float, float] | None


@dataclass(frozen=True)
class AgreementChart:
    """`lines` join points of batches that follow each other; `marks` are the heights of round figures."""

    points: tuple[Point, ...]
    lines: tuple[tuple[Point, Point], ...]
    marks: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT

    @property
    def right(self) -> int:
        return self.width - RIGHT

    @property
    def foot(self) -> int:
        """Where the numbers of the batches stand."""
        return self.height - 8


def draw(rows: Sequence[dict[str, Any]], figure: str) -> AgreementChart:
    """Batches from left to right; a batch without the figure is a gap. The axis goes from 0, or from −1 where anything
    is below 0, to 1."""
    least = -1.0 if any(end < 0 for row in rows for end in _ends(row, figure)) else 0.0

    def height(value: float) -> float:
        return round(TOP + (1 - value) / (1 - least) * (HEIGHT - TOP - BOTTOM), 1)

    step = (WIDTH - LEFT - RIGHT) / max(1, len(rows))
    places = [round(LEFT + step * (number + 0.5), 1) for number in range(len(rows))]
    points = tuple(
        Point(number, x, height(row[figure]), _whisker(row, figure, height))
        for number, (x, row) in enumerate(zip(places, rows, strict=True), start=1)
        if row[figure] is not None
    )
    lines = tuple((one, other) for one, other in pairwise(points) if other.number == one.number + 1)
    marks = tuple((height(mark), f"{mark:g}") for mark in ((-1.0, -0.5) if least else ()) + (0.0, 0.5, 1.0))
    return AgreementChart(points, lines, marks, tuple(enumerate(places, start=1)))


def _ends(row: dict[str, Any], figure: str) -> list[float]:
    """All heights that a batch reaches."""
    return [] if row[figure] is None else [row[figure], *row["intervals"].get(figure, ())]


def _whisker(row: dict[str, Any], figure: str, height: Callable[[float], float]) -> tuple[float, float] | None:
    low, high = row["intervals"].get(figure, (None, None))
    return None if low is None else (height(low), height(high))
