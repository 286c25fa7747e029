"""The tables of the results page, to take away: unrounded, the ends of intervals in columns of their own."""

from collections.abc import Sequence
from typing import Any

from core.tables import Cell, Table
from factor.results.page_state import ResultsState
from factor.results.scoring_rows import ScoringRow
from factor.results.study import TYPE_NAMES, TYPES
from stats.factor import RULES, SIDES, STRATA

Document = dict[str, Any]
# What examples or pairs are parted by: what it is, its groups as the report names them, and their names for people.
PARTED: dict[str, tuple[str, Sequence[str | None], dict[str | None, str]]] = {
    "types": (
        "type of error",
        tuple(each or None for each in TYPES),
        {each or None: name for each, name in TYPE_NAMES.items()},
    ),
    "strata": ("edit distance", STRATA, {each: each for each in STRATA}),
    "dated": ("training cut-off", SIDES, {"before": "before it", "after": "after it", "unknown": "not known"}),
}


def tables_of(report: Document, rows: Sequence[ScoringRow], state: ResultsState) -> dict[str, Table]:
    """By name: scorings, pairs, retrieval, perplexity, and those of PARTED."""
    names = {each["scoring"]: each["name"] for each in report["scorings"]}
    tables = [
        _scorings(rows),
        _differences("pairs", "the differences in accuracy", report["pairs"], names),
        _differences("retrieval", "what retrieval adds", report["retrieval"], names),
        _perplexity(report["perplexity"]),
        *(_parted(kind, report, state) for kind in PARTED),
    ]
    return {table.name: table for table in tables}


def groups_of(report: Document, kind: str) -> list[str | None]:
    """The groups of a kind in which a scoring has a unit, in their order."""
    _, groups, _ = PARTED[kind]
    found = {part["name"] for each in report["scorings"] for part in each[kind]}
    return [group for group in groups if group in found]


def _scorings(rows: Sequence[ScoringRow]) -> Table:
    heads = ["Scoring", "Model", "Family", "Parameters", "Context", "Prefix", "Retrieval", "Rank"]
    for title in RULES.values():
        heads += [title, f"{title} low", f"{title} high", f"{title} ties"]
    heads += ["Pair accuracy", "Pair accuracy low", "Pair accuracy high", "n", "Missing", "Coverage"]
    lines: list[list[Cell]] = []
    for row in rows:
        entry = row.entry
        line: list[Cell] = [entry[key] for key in ("name", "model", "family", "parameters", "context_length")]
        line += ["yes" if entry["with_prefix"] else "no", entry["retrieval"], row.rank]
        for rule in RULES:
            figures = entry["rules"][rule]
            line += [figures["accuracy"], *_ends(figures), figures["ties"]]
        pairs = entry["pair_accuracy"]
        lines.append([*line, pairs["accuracy"], *_ends(pairs), entry["n"], entry["missing"], entry["coverage"]])
    return Table("scorings", "the table of scorings", heads, lines)


def _differences(name: str, title: str, pairs: Sequence[Document], names: dict[int, str]) -> Table:
    columns = (
        "One",
        "Other",
        "Examples of both",
        "Difference",
        "Low",
        "High",
        "p",
        "p after Holm",
        "McNemar",
        "Better",
    )
    rows: list[list[Cell]] = [
        [
            names[pair["one"]],
            names[pair["other"]],
            pair["n"],
            pair["difference"],
            *_ends(pair),
            pair["p"],
            pair["p_holm"],
            pair["mcnemar"],
            names.get(pair["better"], "not told apart"),
        ]
        for pair in pairs
    ]
    return Table(name, title, columns, rows)


def _perplexity(found: Document | None) -> Table:
    models = found["models"] if found else []
    rows: list[list[Cell]] = [
        [
            each["name"],
            each["family"],
            each["perplexity"],
            *(each["perplexity_interval"] or (None, None)),
            each["bits_per_character"],
            each["accuracy"],
            *_ends(each),
            each["n"],
        ]
        for each in models
    ]
    predicted = ("Perplexity", "Perplexity low", "Perplexity high", "Bits per character")
    columns = ("Scoring", "Family", *predicted, "Accuracy", "Accuracy low", "Accuracy high", "n")
    return Table("perplexity", "accuracy against perplexity", columns, rows)


def _parted(kind: str, report: Document, state: ResultsState) -> Table:
    title, _, names = PARTED[kind]
    groups = groups_of(report, kind)
    heads = ["Scoring"]
    for group in groups:
        heads += [f"{names[group]}", f"{names[group]} low", f"{names[group]} high", f"{names[group]} n"]
    lines: list[list[Cell]] = []
    for each in report["scorings"]:
        parts = {part["name"]: part for part in each[kind]}
        line: list[Cell] = [each["name"]]
        for group in groups:
            part = parts.get(group)
            line += [None] * 4 if part is None else [part["accuracy"], *_ends(part), part["n"]]
        lines.append(line)
    return Table(kind, f"accuracy by {title}, {state.rule_title.lower()}", heads, lines)


def _ends(figures: Document) -> tuple[float | None, float | None]:
    low, high = figures["interval"] or (None, None)
    return low, high
