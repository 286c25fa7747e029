"""The tables of the results page, to take away: unrounded, the ends of intervals in columns of their own."""

from collections.abc import Sequence

from core.tables import Cell, Table
from factor.results.page_state import ResultsState
from factor.results.report_types import FactorReport, PairFigures, PartKind, PerplexityReport
from factor.results.scoring_rows import ScoringRow
from factor.results.study import TYPE_NAMES, TYPES
from stats.factor import RULES, SIDES, STRATA

# The groupings of examples and pairs: title, groups as the report names them, and their names for people.
PARTED: dict[PartKind, tuple[str, Sequence[str | None], dict[str | None, str]]] = {
    "types": (
        "type of error",
        tuple(each or None for each in TYPES),
        {each or None: name for each, name in TYPE_NAMES.items()},
    ),
    "strata": ("edit distance", STRATA, {each: each for each in STRATA}),
    "dated": ("training cut-off", SIDES, {"before": "before it", "after": "after it", "unknown": "not known"}),
}


def tables_of(report: FactorReport, rows: Sequence[ScoringRow], state: ResultsState) -> dict[str, Table]:
    """By name: scorings, pairs, retrieval, perplexity, and the groupings of PARTED."""
    names = {each["scoring"]: each["name"] for each in report["scorings"]}
    tables = [
        _scorings(rows),
        _differences("pairs", "the differences in accuracy", report["pairs"], names),
        _differences("retrieval", "what retrieval adds", report["retrieval"], names),
        _perplexity(report["perplexity"]),
        *(_parted(kind, report, state) for kind in PARTED),
    ]
    return {table.name: table for table in tables}


def groups_of(report: FactorReport, kind: PartKind) -> list[str | None]:
    """The groups of a kind in which a scoring has a unit, in their order."""
    _, groups, _ = PARTED[kind]
    named = {part["name"] for each in report["scorings"] for part in each[kind]}
    return [group for group in groups if group in named]


def _scorings(rows: Sequence[ScoringRow]) -> Table:
    heads = ["Scoring", "Model", "Family", "Parameters", "Context", "Prefix", "Retrieval", "Rank"]
    for title in RULES.values():
        heads += [title, f"{title} low", f"{title} high", f"{title} ties"]
    heads += ["Pair accuracy", "Pair accuracy low", "Pair accuracy high", "n", "Missing", "Coverage"]
    lines: list[list[Cell]] = []
    for row in rows:
        entry = row.entry
        line: list[Cell] = [
            entry["name"],
            entry["model"],
            entry["family"],
            entry["parameters"],
            entry["context_length"],
        ]
        line += ["yes" if entry["with_prefix"] else "no", entry["retrieval"], row.rank]
        for rule in RULES:
            figures = entry["rules"][rule]
            line += [figures["accuracy"], *_ends(figures["interval"]), figures["ties"]]
        pairs = entry["pair_accuracy"]
        lines.append(
            [*line, pairs["accuracy"], *_ends(pairs["interval"]), entry["n"], entry["missing"], entry["coverage"]]
        )
    return Table("scorings", "the table of scorings", heads, lines)


def _differences(name: str, title: str, pairs: Sequence[PairFigures], names: dict[int, str]) -> Table:
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
        "Adjusted p",
        "Simultaneous low",
        "Simultaneous high",
    )
    rows: list[list[Cell]] = [
        [
            names[pair["one"]],
            names[pair["other"]],
            pair["n"],
            pair["difference"],
            *_ends(pair["interval"]),
            pair["p"],
            pair["p_holm"],
            pair["mcnemar"],
            "not told apart" if pair["better"] is None else names[pair["better"]],
            pair["p_adjusted"],
            *_ends(pair["simultaneous_interval"]),
        ]
        for pair in pairs
    ]
    return Table(name, title, columns, rows)


def _perplexity(perplexity: PerplexityReport | None) -> Table:
    models = perplexity["models"] if perplexity else []
    rows: list[list[Cell]] = [
        [
            each["name"],
            each["family"],
            each["perplexity"],
            *_ends(each["perplexity_interval"]),
            each["bits_per_character"],
            each["accuracy"],
            *_ends(each["interval"]),
            each["n"],
        ]
        for each in models
    ]
    predicted = ("Perplexity", "Perplexity low", "Perplexity high", "Bits per character")
    columns = ("Scoring", "Family", *predicted, "Accuracy", "Accuracy low", "Accuracy high", "n")
    return Table("perplexity", "accuracy against perplexity", columns, rows)


def _parted(kind: PartKind, report: FactorReport, state: ResultsState) -> Table:
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
            line += [None] * 4 if part is None else [part["accuracy"], *_ends(part["interval"]), part["n"]]
        lines.append(line)
    return Table(kind, f"accuracy by {title}, {state.rule_title.lower()}", heads, lines)


def _ends(interval: list[float] | None) -> tuple[float | None, float | None]:
    low, high = interval or (None, None)
    return low, high
