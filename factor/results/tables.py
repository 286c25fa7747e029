"""The tables of the results page, to take away: unrounded, the ends of intervals in columns of their own."""

from collections.abc import Mapping, Sequence
from typing import Literal

from annotate.statistics.caption import resampled, tested
from core.tables import Cell, PrintedTable, Table
from factor.benchmarks.caption import benchmark_named, document_intervals
from factor.results.page_state import ResultsState
from factor.results.report_types import FactorReport, PartKind
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

DifferenceKind = Literal["pairs", "retrieval"]
# The differences of a table, and the pairs that are tested together.
OF_DIFFERENCES: dict[DifferenceKind, tuple[str, str]] = {
    "pairs": ("Differences in accuracy between language models", "every pair of scorings"),
    "retrieval": ("Differences in accuracy by retrieval", "every scoring with retrieval against the one without"),
}


def tables_of(report: FactorReport, rows: Sequence[ScoringRow], state: ResultsState) -> dict[str, Table]:
    """By name: scorings, pairs, retrieval, perplexity, and the groupings of PARTED."""
    names = {each["scoring"]: each["name"] for each in report["scorings"]}
    tables = [
        _scorings(report, rows, state),
        _differences("pairs", "the differences in accuracy", report, names),
        _differences("retrieval", "what retrieval adds", report, names),
        _perplexity(report),
        *(_parted(kind, report, state) for kind in PARTED),
    ]
    return {table.name: table for table in tables}


def groups_of(report: FactorReport, kind: PartKind) -> list[str | None]:
    """The groups of a kind in which a scoring has a unit, in their order."""
    _, groups, _ = PARTED[kind]
    named = {part["name"] for each in report["scorings"] for part in each[kind]}
    return [group for group in groups if group in named]


def _scorings(report: FactorReport, rows: Sequence[ScoringRow], state: ResultsState) -> Table:
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
    kept = ("Rank", "Scoring", state.rule_title, "Pair accuracy", "n", "Coverage")
    caption = (
        f"Accuracy of language models on {_benchmark(report)}, with {_intervals(report)}. Ties and missing scores are "
        f"never right. Ranks by the {_rule(report)}; bold: no other scoring is significantly better. "
        f"{_test('every pair of scorings')}; {_resampling(report)}."
    )
    top = frozenset(place for place, row in enumerate(rows) if row.is_top)
    printed = PrintedTable({name: name for name in kept}, caption, top, state.rule_title)
    return Table("scorings", "the table of scorings", heads, lines, printed)


def _differences(name: DifferenceKind, title: str, report: FactorReport, names: dict[int, str]) -> Table:
    what, family = OF_DIFFERENCES[name]
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
        for pair in report[name]
    ]
    caption = (
        f"{what} by the {_rule(report)} on {_benchmark(report)}, with simultaneous 95 % intervals. {_test(family)}; "
        f"{_resampling(report)}."
    )
    kept = ("One", "Other", "Examples of both", "Difference", "Adjusted p", "Better")
    ends = {"Difference": ("Simultaneous low", "Simultaneous high")}
    return Table(name, title, columns, rows, _printed(kept, caption, ends))


def _perplexity(report: FactorReport) -> Table:
    perplexity = report["perplexity"]
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
    corpus = f" on {perplexity['corpus']} ({perplexity['documents']:,} documents)" if perplexity else ""
    caption = (
        f"Perplexity of language models{corpus} beside their accuracy by the {_rule(report)} on {_benchmark(report)}, "
        f"with {_intervals(report)}. Models are not tested."
    )
    kept = ("Scoring", "Perplexity", "Bits per character", "Accuracy", "n")
    return Table("perplexity", "accuracy against perplexity", columns, rows, _printed(kept, caption))


def _parted(kind: PartKind, report: FactorReport, state: ResultsState) -> Table:
    title, _, names = PARTED[kind]
    groups = groups_of(report, kind)
    heads, kept = ["Scoring"], {"Scoring": "Scoring"}
    for group in groups:
        head = names[group]
        heads += [head, f"{head} low", f"{head} high", f"{head} n"]
        kept |= {head: _titled(head)}
    lines: list[list[Cell]] = []
    for each in report["scorings"]:
        parts = {part["name"]: part for part in each[kind]}
        line: list[Cell] = [each["name"]]
        for group in groups:
            part = parts.get(group)
            line += [None] * 4 if part is None else [part["accuracy"], *_ends(part["interval"]), part["n"]]
        lines.append(line)
    caption = (
        f"Accuracy of language models by {title} and the {_rule(report)}, on {_benchmark(report)}, with "
        f"{_intervals(report)}. Groups are not tested."
    )
    printed = PrintedTable(kept, caption, titles={f"{head} n": f"{_titled(head)}, n" for head in kept})
    return Table(kind, f"accuracy by {title}, {state.rule_title.lower()}", heads, lines, printed)


def _titled(head: str) -> str:
    return head[:1].upper() + head[1:]


def _benchmark(report: FactorReport) -> str:
    unfinished = any(each["state"] != "finished" for each in report["scorings"])
    return (
        f"{benchmark_named(report['dataset'], report['benchmark'])} (n = {report['examples']:,} examples of "
        f"{report['documents']:,} documents{', those scored so far' if unfinished else ''})"
    )


def _rule(report: FactorReport) -> str:
    return RULES[report["rule"]].lower()


def _intervals(report: FactorReport) -> str:
    return document_intervals(report["resamples"], report["seed"])


def _resampling(report: FactorReport) -> str:
    return resampled(report["resamples"], report["seed"], "documents")


def _test(family: str) -> str:
    return tested(family, "documents")


def _printed(columns: Sequence[str], caption: str, ends: Mapping[str, tuple[str, str]] | None = None) -> PrintedTable:
    return PrintedTable({name: name for name in columns}, caption, ends=ends or {})


def _ends(interval: list[float] | None) -> tuple[float | None, float | None]:
    low, high = interval or (None, None)
    return low, high
