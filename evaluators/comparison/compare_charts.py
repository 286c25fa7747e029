"""The charts of the comparison page: its tables, drawn."""

from collections.abc import Mapping, Sequence

from annotate.templatetags.amounts import domain_name
from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, Reference, dots, scatter
from evaluators.comparison.compare import Line, People, evaluators_among, measured
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED
from evaluators.comparison.page_state import Chosen
from evaluators.comparison.slices import ALL

# What costs nothing has no place on an axis of prices, and a chart of one point shows nothing.
FEWEST_PRICED = 2


def charts_of(lines: Sequence[Line], people: Mapping[str, People], chosen: Chosen) -> list[Chart]:
    """By evaluator, by slice where there is more than one, and against price where prices are known."""
    references = _references(lines, chosen, people[ALL].f1 if people else None)
    charts = [_by_evaluator(lines, chosen, references)]
    if len(chosen.shown_slices) > 1 and evaluators_among(lines):
        charts.append(_by_slice(lines, chosen))
    priced = [line for line in evaluators_among(lines) if line.cost_usd]
    if len(priced) >= FEWEST_PRICED:
        charts.append(_by_price(priced, chosen, references))
    return charts


def _by_evaluator(lines: Sequence[Line], chosen: Chosen, references: list[Reference]) -> Chart:
    rows = [{"evaluator": line.name, **_row(line, ALL, chosen)} for line in lines]
    told = " ".join(f"{row['evaluator']}: {_in_words(row)}." for row in rows)
    return Chart(
        name="evaluators",
        title=f"{chosen.figure_title} by evaluator",
        description=f"A dot on its 95 % interval for each evaluator. {told} {_rules(references)}".strip(),
        spec=dots(rows, "evaluator", _axis(chosen), references=references),
        rows=rows,
    )


def _by_slice(lines: Sequence[Line], chosen: Chosen) -> Chart:
    rows = [
        {"slice": domain_name(name), "evaluator": line.name, **_row(line, name, chosen)}
        for name in chosen.shown_slices
        for line in lines
        if not line.baseline or line.method == ALWAYS_NOT_SUPPORTED
    ]
    told = " ".join(_highest(rows, domain_name(name)) for name in chosen.shown_slices)
    return Chart(
        name="slices",
        title=f"{chosen.figure_title} by {chosen.by.title.lower()}",
        description=f"The evaluators in each slice, with the judge that calls everything an error. {told}",
        spec=dots(rows, "slice", _axis(chosen), series="evaluator"),
        rows=rows,
    )


def _by_price(lines: Sequence[Line], chosen: Chosen, references: list[Reference]) -> Chart:
    rows = [{"evaluator": line.name, "price": line.cost_usd, **_row(line, ALL, chosen)} for line in lines]
    told = " ".join(f"{row['evaluator']}: ${row['price']:.4f}, {_in_words(row)}." for row in rows)
    price = Axis("price", "Price of the run in US dollars, each step ten times the last", logarithmic=True)
    return Chart(
        name="price",
        title=f"{chosen.figure_title} against price",
        description=f"{told} {_rules(references)}".strip(),
        spec=scatter(rows, price, _axis(chosen), label="evaluator", references=references),
        rows=rows,
    )


def _references(lines: Sequence[Line], chosen: Chosen, of_people: float | None) -> list[Reference]:
    """Calling everything an error, and one annotator against the other."""
    trivial = next(line.whole[chosen.figure] for line in lines if line.method == ALWAYS_NOT_SUPPORTED)
    found = []
    if trivial is not None:
        found.append(Reference(f"everything an error {trivial:.2f}", trivial, "trivial"))
    if of_people is not None:
        found.append(Reference(f"annotator by annotator {of_people:.2f}", of_people, "human"))
    return found


def _row(line: Line, slice: str, chosen: Chosen) -> Row:
    shown = measured(line.results.get(slice), chosen.figure)
    low, high = (shown.interval if shown else None) or (None, None)
    return {"figure": shown.value if shown else None, "low": low, "high": high, "n": shown.n if shown else 0}


def _axis(chosen: Chosen) -> Axis:
    return Axis("figure", chosen.figure_title, (0, 1))


def _in_words(row: Row) -> str:
    if row["figure"] is None:
        return "undefined"
    interval = "" if row["low"] is None else f", interval {row['low']:.2f} to {row['high']:.2f}"
    return f"{row['figure']:.2f}{interval}"


def _highest(rows: Sequence[Row], slice: str) -> str:
    known = [row for row in rows if row["slice"] == slice and row["figure"] is not None]
    if not known:
        return f"{slice}: undefined for all."
    best = max(known, key=lambda row: float(row["figure"]))
    return f"{slice}: the highest is {best['evaluator']} with {best['figure']:.2f}."


def _rules(references: Sequence[Reference]) -> str:
    return f"Rules to read it against: {', '.join(each.name for each in references)}." if references else ""
