"""The tables of a validation to take away, from its document."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.tables import Cell, Table
from factor.models import FactorErrorType
from factor.validation.agreement import COEFFICIENTS
from factor.validation.report import FACTUAL, OPEN

TYPES = dict(FactorErrorType.choices)
PROPERTIES = {"non_factual": "Non-factual", "fluent": "Fluent", "self_consistent": "Self-consistent"}
NOT_KNOWN = "Not known"
QUESTIONS = {**PROPERTIES, "error_type": "Error type"}


def tables_of(report: dict[str, Any]) -> Iterator[Table]:
    yield properties_table(report)
    yield error_types_table(report)
    yield confusion_table(report)
    yield generated_table(report)
    yield agreement_table(report)


def properties_table(report: dict[str, Any]) -> Table:
    """Table 2 of the paper."""
    columns = ("Property", "Share", "Low", "High", "n", "Open", "By rating", "Unanimous")
    rows: list[list[Cell]] = [
        [
            PROPERTIES[each["property"]],
            *_figure(each),
            each["n"],
            each["open"],
            each["by_rating"],
            each["unanimous"],
        ]
        for each in report["properties"]
    ]
    edit = report["edit_distance"]
    low, high = edit["interval"] or (None, None)
    rows += [
        ["Edit distance, mean", edit["mean"], low, high, edit["examples"], None, None, None],
        ["Edit distance, sd", edit["sd"], None, None, edit["examples"], None, None, None],
    ]
    return Table("properties", "table 2", columns, rows)


def error_types_table(report: dict[str, Any]) -> Table:
    """Table 3 of the paper, beside how the completions were generated."""
    columns = ("Type", "Share", "Low", "High", "Completions", "n", "Generated as")
    rows = [
        [TYPES[each["error_type"]], *_figure(each), each["hits"], each["n"], each["generated"]]
        for each in report["error_types"]
    ]
    return Table("error-types", "table 3", columns, rows)


@dataclass(frozen=True)
class Confusion:
    """`columns`: what was found; each of `lines`: the type as generated, its counts, and their sum."""

    columns: list[str]
    lines: list[tuple[str, list[int], int]]


def confusion_of(report: dict[str, Any]) -> Confusion:
    """Only what occurs is shown of what is no type: completions found factual, still open, or of no known prompt."""
    counts = {(each["generated"], each["found"]): each["count"] for each in report["confusion"]}
    shown = {found for _, found in counts}
    found = [*FactorErrorType.values, *(name for name in (FACTUAL, OPEN) if name in shown)]
    generated = [*FactorErrorType.values, *([""] if any(not kind for kind, _ in counts) else [])]
    lines = [(kind, [counts.get((kind, name), 0) for name in found]) for kind in generated]
    names = {**TYPES, FACTUAL: "Factual", OPEN: "Open"}
    return Confusion(
        [names[name] for name in found], [(TYPES.get(kind, NOT_KNOWN), cells, sum(cells)) for kind, cells in lines]
    )


def confusion_table(report: dict[str, Any]) -> Table:
    confusion = confusion_of(report)
    columns = ("Generated as", *(f"Found {name.lower()}" for name in confusion.columns), "All")
    return Table("confusion", "types", columns, [[name, *cells, total] for name, cells, total in confusion.lines])


def generated_table(report: dict[str, Any]) -> Table:
    """Table 2 by the type of the prompt."""
    names = {**PROPERTIES, "as_generated": "Of that type", "edit_distance": "Edit distance"}
    columns = (
        "Generated as",
        "Completions",
        *(f"{name}{end}" for name in names.values() for end in ("", " low", " high")),
    )
    rows = [
        [
            TYPES.get(each["generated"], NOT_KNOWN),
            each["completions"],
            *(cell for name in names for cell in _figure(each.get(name, {"value": None, "interval": None}))),
        ]
        for each in report["by_generated"]
    ]
    return Table("by-type", "by type", columns, rows)


def agreement_table(report: dict[str, Any]) -> Table:
    columns = (
        "Question",
        "Raters",
        "n",
        *(f"{each.title}{end}" for each in COEFFICIENTS.values() for end in ("", " low", " high")),
    )
    rows = [
        [
            QUESTIONS[each["question"]],
            ", ".join(each["raters"]),
            each["n"],
            *(cell for name in COEFFICIENTS for cell in (each[name], *(each["intervals"].get(name) or (None, None)))),
        ]
        for each in report["agreement"]
    ]
    return Table("agreement", "agreement", columns, rows)


def _figure(each: dict[str, Any]) -> tuple[Cell, Cell, Cell]:
    low, high = each["interval"] or (None, None)
    return each["value"], low, high
