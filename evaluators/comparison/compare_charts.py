"""The charts of the comparison page: its tables, drawn."""

from collections.abc import Callable, Sequence

from annotate.templatetags.amounts import domain_name
from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, Reference, dots, scatter
from evaluators.comparison.chosen import Chosen
from evaluators.comparison.compare import Line, measured
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED

# An imported judge and a method that calls no model have no price, and a chart of one point shows nothing.
FEWEST_PRICED = 2


def charts_of(lines: Sequence[Line], chosen: Chosen, human: float | None) -> list[Chart]:
    """By evaluator, by slice where there is more than one, and against price where prices are known."""
    charts = [_by_evaluator(lines, chosen, human)]
    if len(chosen.shown_slices) > 1:
        charts.append(_by_slice(lines, chosen))
    if sum(bool(line.cost_usd) for line in lines) >= FEWEST_PRICED:
        charts.append(_by_price(lines, chosen, human))
    return charts


def _by_evaluator(lines: Sequence[Line], chosen: Chosen, human: float | None) -> Chart:
    rows = [_row(line, chosen, line.whole) for line in lines]
    return Chart(
        name="evaluators",
        title=f"{chosen.figure_title} by evaluator",
        description=_in_words(rows, chosen.figure_title),
        spec=dots(rows, "evaluator", _axis(chosen), references=references(lines, chosen, human)),
        rows=rows,
    )


def _by_slice(lines: Sequence[Line], chosen: Chosen) -> Chart:
    rows = [
        {"slice": domain_name(name), **_row(line, chosen, line.by_slice[name])}
        for name in chosen.shown_slices
        for line in lines
        if not line.baseline
    ]
    best = [_best(rows, domain_name(name)) for name in chosen.shown_slices]
    return Chart(
        name="slices",
        title=f"{chosen.figure_title} by {chosen.by.title.lower()}",
        description=" ".join(found for found in best if found) or "No figure is defined in any slice.",
        spec=dots(rows, "slice", _axis(chosen), series="evaluator"),
        rows=rows,
    )


def _by_price(lines: Sequence[Line], chosen: Chosen, human: float | None) -> Chart:
    rows = [{**_row(line, chosen, line.whole), "price": line.cost_usd} for line in lines if line.cost_usd]
    axes = Axis("price", "Price of the run in US dollars", logarithmic=True), _axis(chosen)
    return Chart(
        name="price",
        title=f"Price against {chosen.figure_title}",
        description=" ".join(
            f"{row['evaluator']}: ${row['price']:.4f}, {chosen.figure_title} {_number(row['figure'])}." for row in rows
        ),
        spec=scatter(rows, *axes, label="evaluator", references=references(lines, chosen, human)),
        rows=rows,
    )


def references(lines: Sequence[Line], chosen: Chosen, human: float | None) -> list[Reference]:
    """Calling everything an error, and one annotator against the other."""
    everything = next(line for line in lines if line.judge.method == ALWAYS_NOT_SUPPORTED)
    named: tuple[tuple[str, float | None, Callable[[str, float | None], Reference]], ...] = (
        ("everything an error", everything.whole[chosen.figure], lambda name, value: Reference(name, value, "trivial")),
        ("one annotator by another", human, lambda name, value: Reference(name, value, "human")),
    )
    return [make(f"{name} {value:.2f}", value) for name, value, make in named if value is not None]


def _row(line: Line, chosen: Chosen, result: dict[str, object]) -> Row:
    shown = measured(result, chosen.figure)
    low, high = shown.interval or (None, None)
    return {"evaluator": line.name, "figure": shown.value, "low": low, "high": high, "n": shown.n}


def _axis(chosen: Chosen) -> Axis:
    return Axis("figure", chosen.figure_title, (0, 1))


def _in_words(rows: Sequence[Row], title: str) -> str:
    told = (
        f"{row['evaluator']}: {_number(row['figure'])}"
        + (f", 95 % interval {row['low']:.2f} to {row['high']:.2f}." if row["low"] is not None else ".")
        for row in rows
    )
    return f"{title}, a dot on its interval for each evaluator. {' '.join(told)}"


def _best(rows: Sequence[Row], slice: str) -> str:
    known = [row for row in rows if row["slice"] == slice and row["figure"] is not None]
    if not known:
        return f"{slice}: undefined for all."
    best = max(known, key=lambda row: float(row["figure"]))
    return f"{slice}: the highest is {best['evaluator']} with {best['figure']:.2f}."


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
