"""The charts of the comparison page: its tables, drawn."""

from collections.abc import Callable, Mapping, Sequence

from annotate.templatetags.amounts import domain_name
from core.numbers import dollars_text
from evaluators.charts.chart import Chart, Row, Spec, name_of_part
from evaluators.charts.marks import Axis, ReferenceLine, dots, facets, scatter
from evaluators.charts.theme import MOST_LABELS
from evaluators.comparison.evaluator_rows import EvaluatorRow, HumanReference, figure_value, without_baselines
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED
from evaluators.comparison.page_state import ComparisonState
from evaluators.comparison.slices import ALL

# An evaluator without a price has no place on an axis of prices, and a chart of one point shows nothing.
FEWEST_PRICED = 2


def charts_of(
    lines: Sequence[EvaluatorRow], people: Mapping[str, HumanReference], state: ComparisonState
) -> list[Chart]:
    """Charts by evaluator, by slice where there is more than one, and against price where prices are known."""
    references = _references(lines, state, people[ALL].f1 if people else None)
    charts = [_by_evaluator(lines, state, references)]
    if len(state.shown_slices) > 1 and without_baselines(lines):
        charts += _by_slice(lines, state)
    priced = [line for line in without_baselines(lines) if line.cost_usd is not None]
    if len(priced) >= FEWEST_PRICED:
        charts += _by_price(priced, state, references)
    return charts


def names_of_charts(lines: Sequence[EvaluatorRow], state: ComparisonState) -> list[str]:
    """The charts by evaluator and by slice, under the names that `charts_of` gives them."""
    if len(state.shown_slices) < 2 or not without_baselines(lines):
        return ["evaluators"]
    parts = facets([{"evaluator": line.name} for line in lines if _stands_in_slices(line)], "evaluator")
    return ["evaluators", *(name_of_part("slices", place) for place, _ in enumerate(parts, 1))]


def _by_evaluator(lines: Sequence[EvaluatorRow], state: ComparisonState, references: list[ReferenceLine]) -> Chart:
    rows = [{"evaluator": line.name, **_row(line, ALL, state)} for line in lines]
    text = " ".join(f"{row['evaluator']}: {_in_words(row)}." for row in rows)
    return Chart(
        name="evaluators",
        title=f"{state.figure_title} by evaluator",
        description=f"A dot on its 95 % interval for each evaluator. {text} {_rules(references)}".strip(),
        spec=dots(rows, "evaluator", _axis(state), references=references),
        rows=rows,
    )


def _by_slice(lines: Sequence[EvaluatorRow], state: ComparisonState) -> list[Chart]:
    """One chart, or more where there are more evaluators than one keeps apart."""
    rows = [
        {"slice": domain_name(name), "evaluator": line.name, **_row(line, name, state)}
        for name in state.shown_slices
        for line in lines
        if _stands_in_slices(line)
    ]
    text = " ".join(_spread(rows, domain_name(name)) for name in state.shown_slices)
    return _in_parts(
        "slices",
        f"{state.figure_title} by {state.by.title.lower()}",
        rows,
        lambda part: f"The evaluators in each slice, with the judge that calls everything an error. {text}",
        lambda part: dots(part, "slice", _axis(state), series="evaluator"),
    )


def _stands_in_slices(line: EvaluatorRow) -> bool:
    return not line.baseline or line.method == ALWAYS_NOT_SUPPORTED


def _in_parts(
    name: str,
    title: str,
    rows: Sequence[Row],
    describe: Callable[[Sequence[Row]], str],
    draw: Callable[[Sequence[Row]], Spec],
) -> list[Chart]:
    """A chart of the series "evaluator", or several where there are more evaluators than one keeps apart."""
    parts = facets(rows, "evaluator")
    return [
        Chart(
            name=name_of_part(name, place),
            title=f"{title}, {place} of {len(parts)}" if parts[1:] else title,
            description=describe(part),
            spec=draw(part),
            rows=part,
        )
        for place, part in enumerate(parts, 1)
    ]


def _by_price(lines: Sequence[EvaluatorRow], state: ComparisonState, references: list[ReferenceLine]) -> list[Chart]:
    """As `_by_slice`; the axes of all parts are the same."""
    rows = [{"evaluator": line.name, "price": line.cost_usd, **_row(line, ALL, state)} for line in lines]
    price = Axis("price", "Price of the run in US dollars (logarithmic)", logarithmic=True)
    label, series = ("evaluator", None) if len(rows) <= MOST_LABELS else (None, "evaluator")

    def describe(part: Sequence[Row]) -> str:
        text = " ".join(f"{row['evaluator']}: {dollars_text(row['price'])}, {_in_words(row)}." for row in part)
        return f"{text} {_rules(references)}".strip()

    return _in_parts(
        "price",
        f"{state.figure_title} against price",
        rows,
        describe,
        lambda part: scatter(part, price, _axis(state), label, series, references=references, framed_by=rows),
    )


def _references(lines: Sequence[EvaluatorRow], state: ComparisonState, of_people: float | None) -> list[ReferenceLine]:
    """Calling everything an error, and one annotator against the other."""
    trivial = next(line.whole["pessimistic"][state.figure] for line in lines if line.method == ALWAYS_NOT_SUPPORTED)
    lines_drawn = []
    if trivial is not None:
        lines_drawn.append(ReferenceLine(f"everything an error {trivial:.2f}", trivial, "trivial"))
    if of_people is not None:
        lines_drawn.append(ReferenceLine(f"annotator by annotator {of_people:.2f}", of_people, "human"))
    return lines_drawn


def _row(line: EvaluatorRow, slice: str, state: ComparisonState) -> Row:
    value = figure_value(line.results.get(slice), state.figure)
    low, high = (value.interval if value else None) or (None, None)
    return {"figure": value.value if value else None, "low": low, "high": high, "n": value.n if value else 0}


def _axis(state: ComparisonState) -> Axis:
    return Axis("figure", state.figure_title, (0, 1))


def _in_words(row: Row) -> str:
    if row["figure"] is None:
        return "undefined"
    interval = "" if row["low"] is None else f", interval {row['low']:.2f} to {row['high']:.2f}"
    return f"{row['figure']:.2f}{interval}"


def _spread(rows: Sequence[Row], slice: str) -> str:
    """The lowest and the highest figure of a slice. No evaluator is named: no slice is tested."""
    known = [float(row["figure"]) for row in rows if row["slice"] == slice and row["figure"] is not None]
    return f"{slice}: {min(known):.2f} to {max(known):.2f}." if known else f"{slice}: undefined for all."


def _rules(references: Sequence[ReferenceLine]) -> str:
    return f"Rules to read it against: {', '.join(each.name for each in references)}." if references else ""
