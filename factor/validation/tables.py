"""The tables of a validation from its document, and every rating as CSV."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.people.names import Names
from core.csv import csv_line
from core.tables import Cell, PrintedTable, Table, with_ends
from factor.benchmarks.caption import benchmark_named, document_intervals
from factor.models import CompletionRating, FactorErrorType
from factor.validation.agreement import COEFFICIENTS
from factor.validation.read import RatedCompletion
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
    rows += [
        ["Edit distance, mean", *with_ends(edit["mean"], edit["interval"]), edit["examples"], None, None, None],
        ["Edit distance, sd", edit["sd"], None, None, edit["examples"], None, None, None],
    ]
    printed = _printed(
        {"Property": "Property", "Share": "Share, or words", "n": "n", "Open": "Open", "Unanimous": "Unanimous"},
        f"Properties of false completions, and their edit distance in words, of {_sample(report)}, with "
        f"{_intervals(report)}.",
    )
    return Table("properties", "table 2", columns, rows, printed)


def error_types_table(report: dict[str, Any]) -> Table:
    """Table 3 of the paper, beside how the completions were generated."""
    columns = ("Type", "Share", "Low", "High", "Completions", "n", "Generated as")
    rows = [
        [TYPES[each["error_type"]], *_figure(each), each["hits"], each["n"], each["generated"]]
        for each in report["error_types"]
    ]
    printed = _printed(
        {name: name for name in ("Type", "Share", "Completions", "n", "Generated as")},
        f"Error types of the completions that are found non-factual, of {_sample(report)}, with {_intervals(report)}.",
    )
    return Table("error-types", "table 3", columns, rows, printed)


@dataclass(frozen=True)
class Confusion:
    """`columns`: titles of the outcomes; each of `lines`: the type as generated, its counts, and their sum."""

    columns: list[str]
    lines: list[tuple[str, list[int], int]]


def confusion_of(report: dict[str, Any]) -> Confusion:
    """All types; factual, open and unknown prompts only where they occur."""
    counts = {(each["generated"], each["found"]): each["count"] for each in report["confusion"]}
    outcomes = [
        *FactorErrorType.values,
        *(name for name in (FACTUAL, OPEN) if any(name == outcome for _, outcome in counts)),
    ]
    generated = [*FactorErrorType.values, *([""] if any(not kind for kind, _ in counts) else [])]
    lines = [(kind, [counts.get((kind, outcome), 0) for outcome in outcomes]) for kind in generated]
    names = {**TYPES, FACTUAL: "Factual", OPEN: "Open"}
    return Confusion(
        [names[outcome] for outcome in outcomes],
        [(TYPES.get(kind, NOT_KNOWN), cells, sum(cells)) for kind, cells in lines],
    )


def confusion_table(report: dict[str, Any]) -> Table:
    confusion = confusion_of(report)
    columns = ("Generated as", *(f"Found {name.lower()}" for name in confusion.columns), "All")
    printed = _printed(
        {name: name for name in columns}, f"Error types as generated and as people find them, of {_sample(report)}."
    )
    rows: list[list[Cell]] = [[name, *cells, total] for name, cells, total in confusion.lines]
    return Table("confusion", "types", columns, rows, printed)


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
    printed = _printed(
        {name: name for name in ("Generated as", "Completions", *names.values())},
        f"Properties of false completions by the type as which they were generated, of {_sample(report)}, with "
        f"{_intervals(report)}.",
    )
    return Table("by-type", "by type", columns, rows, printed)


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
            *(cell for name in COEFFICIENTS for cell in with_ends(each[name], each["intervals"].get(name))),
        ]
        for each in report["agreement"]
    ]
    printed = _printed(
        {name: name for name in ("Question", "Raters", "n", *(each.title for each in COEFFICIENTS.values()))},
        f"Agreement of raters, before anything is settled, on {_sample(report)}, with {_intervals(report)}.",
    )
    return Table("agreement", "agreement", columns, rows, printed)


def _sample(report: dict[str, Any]) -> str:
    """The completions that were rated, for captions."""
    raters = report["raters_each"]
    return (
        f"{benchmark_named(report['dataset'], report['benchmark'])} (n = {report['completions']:,} completions of "
        f"{report['examples']:,} examples, drawn with seed {report['seed']}, "
        f"{raters} rater{'' if raters == 1 else 's'} each)"
    )


def _intervals(report: dict[str, Any]) -> str:
    return document_intervals(report["bootstrap"]["resamples"], report["bootstrap"]["seed"])


def _printed(columns: Mapping[str, str], caption: str) -> PrintedTable:
    return PrintedTable(columns, caption, ends={"Share": ("Low", "High")})


def _figure(each: dict[str, Any]) -> tuple[Cell, Cell, Cell]:
    return with_ends(each["value"], each["interval"])


EXPORT = (
    *("example", "place", "original", "completion", "generated_type", "role", "who"),
    *("non_factual", "fluent", "self_consistent", "error_type", "note"),
)


def export_lines(completions: Sequence[RatedCompletion], names: Names) -> Iterator[str]:
    """CSV: the header, then a line a rating and one for a settlement; examples count from 1."""
    yield csv_line(EXPORT)
    for each in completions:
        of_completion = (each.position + 1, each.place, each.true, each.text, each.generated)
        verdicts: list[tuple[str, str, Any]] = [("rater", names.of(by.rater), by) for by in each.verdicts]
        if each.settlement is not None:
            verdicts.append(("adjudicator", each.settlement.settled_by.get_username(), each.settlement))
        for role, who, verdict in verdicts:
            answers = (int(getattr(verdict, question)) for question in CompletionRating.QUESTIONS)
            yield csv_line((*of_completion, role, who, *answers, verdict.error_type, verdict.note))
