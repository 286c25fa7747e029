"""Where the labels of a scatter's points stand: beside their points, and clear of each other and of other points.

Places are found for the drawing on a wide screen and for the narrow one; the theme chooses when it is drawn.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.charts.chart import Row
from evaluators.charts.encodings import Axis, at_the_foot
from evaluators.charts.sizes import LABEL_WIDTHS, TEXT_SIZE, WIDE

# The plane of the drawing in pixels, without its axes and edges.
PLANES = {"wide": (WIDE - 70, 310), "narrow": (270, 310)}
# A letter is half as wide as the text is high, on average.
LETTER = 0.55 * TEXT_SIZE
POINT = 6
# Pixels above and below a point at which a label is tried, the nearest first.
RINGS = tuple(range(0, 157, 13))
# A label farther up or down than this has a line to its point.
NEAR = 20


@dataclass(frozen=True)
class LabelPlace:
    """align: "left" or "right" of the text; dx, dy: pixels from the point to that end, at half the text's height."""

    align: str
    dx: float
    dy: float

    @property
    def is_near(self) -> bool:
        return abs(self.dy) <= NEAR


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        """The common area in square pixels."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)

    def outside(self, width: float, height: float) -> float:
        """The area beyond the plane."""
        whole = Box(0, 0, width, height)
        return (self.right - self.left) * (self.bottom - self.top) - self.overlap(whole)


def placed_labels(
    rows: Sequence[Row], x: Axis, y: Axis, label: str, size: str, notes: Iterable[tuple[str, float]] = ()
) -> list[LabelPlace]:
    """A place for the label of each row, also of one without a text, in the order of the rows; size: a name of PLANES.

    Each takes the candidate with the least common area with points, with labels placed before, and with the outside.
    notes: names of level rules, with their values; they stand under the left ends of the rules, at the foot over them.
    """
    width, height = PLANES[size]
    points = list(zip(_pixels(rows, x, width), (height - at for at in _pixels(rows, y, height)), strict=True))
    taken = [Box(left - POINT, top - POINT, left + POINT, top + POINT) for left, top in points]
    low, high = domain_of(rows, y)
    for name, value in notes:
        at = height - (value - low) / (high - low) * height
        top = at - TEXT_SIZE - 5 if at_the_foot(y, value) else at - 2
        taken.append(Box(0, top, len(name) * LETTER, top + TEXT_SIZE + 7))
    places = []
    for (left, top), row in zip(points, rows, strict=True):
        long = min(len(str(row[label] or "")) * LETTER, LABEL_WIDTHS[size])
        best = min(_candidates(), key=lambda each: _cost(_box(left, top, long, each), taken, width, height))
        taken.append(_box(left, top, long, best))
        places.append(best)
    return places


def domain_of(rows: Iterable[Row], axis: Axis) -> tuple[float, float]:
    """The ends of the axis: its own, or those of the data with a margin, so that a point's pixel is known here."""
    if axis.domain is not None:
        return axis.domain
    values = [float(row[axis.column]) for row in rows if row[axis.column] is not None]
    values = [value for value in values if value > 0 or not axis.logarithmic]
    if not values:
        return (1, 10) if axis.logarithmic else (0, 1)
    if axis.logarithmic:
        return min(values) / 2, max(values) * 2
    margin = 0.08 * (max(values) - min(values)) or 0.1
    low = min(values) - margin
    return max(low, 0.0) if min(values) >= 0 else low, max(values) + margin


def _pixels(rows: Sequence[Row], axis: Axis, length: float) -> list[float]:
    scale = math.log if axis.logarithmic else float
    low, high = (scale(end) for end in domain_of(rows, axis))
    return [(scale(row[axis.column]) - low) / (high - low) * length for row in rows]


def _candidates() -> Iterable[LabelPlace]:
    """The nearest first: right and left of the point, then above and below, farther and farther."""
    for ring in RINGS:
        for dy in dict.fromkeys((-6.0 - ring, 6.0 + ring, -float(ring), float(ring))):
            for align, sign in (("left", 1), ("right", -1)):
                yield LabelPlace(align, sign * 8.0, dy)


def _box(left: float, top: float, long: float, place: LabelPlace) -> Box:
    start = left + place.dx if place.align == "left" else left + place.dx - long
    middle = top + place.dy
    return Box(start, middle - TEXT_SIZE / 2, start + long, middle + TEXT_SIZE / 2)


def _cost(box: Box, taken: Iterable[Box], width: float, height: float) -> float:
    return sum(box.overlap(other) for other in taken) + 4 * box.outside(width, height)


def zero_place(rows: Iterable[Row], axis: Axis) -> float | None:
    """Where a value of 0 stands on a logarithmic axis, left of a break: None where no row has it."""
    values = [row[axis.column] for row in rows if row[axis.column] is not None]
    positive = [value for value in values if value > 0]
    if not axis.logarithmic or len(positive) == len(values):
        return None
    if not positive:
        return 1.0
    spread = max(1.0, math.log10(max(positive) / min(positive)))
    return float(min(positive) / 10 ** max(0.7, 0.25 * spread))


def break_place(zero: float, rows: Iterable[Row], axis: Axis) -> float:
    """Where the axis is broken: halfway, on its scale, between 0 and the smallest other value."""
    values = sorted(row[axis.column] for row in rows if row[axis.column])
    return math.sqrt(zero * values[0]) if values else zero * 3
