"""Reference lines of a chart: trivial baselines, people, and y = x."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evaluators.charts.encodings import LINE_SIZE, Axis, at_the_foot, data_of, x_of, y_of
from evaluators.charts.theme import DASHED, SOLID

if TYPE_CHECKING:
    import altair as alt

DASH_OF = {"trivial": DASHED, "human": SOLID}


@dataclass(frozen=True)
class ReferenceLine:
    """A rule to read a chart against; none where its value is None. Dashed for trivial baselines, solid for people.

    name: with its figure, and of at most 30 characters, or a narrow drawing breaks or cuts it.
    """

    name: str
    value: float | None
    kind: Literal["trivial", "human"] = "trivial"


def upright_rules(value: Axis, references: Iterable[ReferenceLine]) -> tuple[list["alt.Chart"], list[str]]:
    """References as upright rules, and the entries of their legend."""
    import altair as alt

    drawn = [each for each in references if each.value is not None]
    if not drawn:
        return [], []
    names = [each.name for each in drawn]
    scale = alt.Scale(domain=names, range=[DASH_OF[each.kind] for each in drawn])
    rules = [{value.column: each.value, "reference": each.name} for each in drawn]
    dash = alt.StrokeDash("reference:N", scale=scale, title=None, legend=alt.Legend(symbolSize=LINE_SIZE))
    return [alt.Chart(data_of(rules)).mark_rule(style="reference").encode(x=x_of(value), strokeDash=dash)], names


def level_rules(value: Axis, references: Iterable[ReferenceLine]) -> list["alt.Chart"]:
    """References as level rules, each with its name written under its left end, or over it at the foot of the plane."""
    import altair as alt

    layers = []
    for each in references:
        if each.value is None:
            continue
        base = alt.Chart(data_of([{value.column: each.value, "reference": each.name}])).encode(y=y_of(value))
        layers.append(base.mark_rule(style="reference", strokeDash=DASH_OF[each.kind]))
        style = "note-above" if at_the_foot(value, each.value) else "note"
        layers.append(base.mark_text(style=style, x=0).encode(text="reference:N"))
    return layers


def named_upright_rules(value: Axis, references: Iterable[ReferenceLine]) -> list["alt.Chart"]:
    """References as upright rules, each with its name written along it: the first before it, the others after it."""
    import altair as alt

    layers = []
    for place, each in enumerate(each for each in references if each.value is not None):
        base = alt.Chart(data_of([{value.column: each.value, "reference": each.name}])).encode(x=x_of(value))
        layers.append(base.mark_rule(style="reference", strokeDash=DASH_OF[each.kind]))
        style = "note-after" if place else "note-before"
        layers.append(base.mark_text(style=style, y=0).encode(text="reference:N"))
    return layers


def diagonal(x: Axis, y: Axis) -> "alt.Chart":
    import altair as alt

    low, high = x.domain or (0, 1)
    ends = [{x.column: low, y.column: low}, {x.column: high, y.column: high}]
    drawn: alt.Chart = alt.Chart(data_of(ends)).mark_line(style="identity").encode(x=x_of(x), y=y_of(y))
    return drawn
