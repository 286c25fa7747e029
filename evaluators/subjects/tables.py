"""The tables of the page of subject models, to take away."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.tables import Cell, Table
from evaluators.subjects.documents import (
    CommonScores,
    ContraryPair,
    EstimateRow,
    EvaluatorSubjects,
    GroupRow,
    MeasuredSubject,
)
from evaluators.subjects.measured import ends
from stats.corrected_factscore import Corrections
from stats.prompt_subsets import Spread

# FActScore tables 2 and 8: key in `dataset_stats`, name of the column.
OF_SUBJECT = (
    ("prompts", "prompts"),
    ("responding", "responding"),
    ("facts_per_response", "facts a response"),
    ("sentences_per_response", "sentences a response"),
    ("facts_per_sentence", "facts a sentence"),
    ("mixed_sentences", "mixed sentences"),
    ("supported", "supported"),
    ("not_supported", "not supported"),
    ("irrelevant", "irrelevant"),
    ("abstained", "abstained"),
)
OF_ESTIMATE = (
    "evaluator",
    "subject",
    "responses",
    "coverage",
    "unparsed",
    "f1",
    "factscore",
    "estimated",
    "bias",
    "over_called",
    "under_called",
    "cancelling",
    "error_rate",
    "ranking_kept_probability",
)


def subjects_table(subjects: Sequence[MeasuredSubject], common: CommonScores) -> Table:
    columns = ["subject", "FActScore", "low", "high", "over common prompts", *(name for _, name in OF_SUBJECT)]
    rows = [
        [
            each["subject"],
            each["factscore"],
            *ends(each["factscore_interval"]).values(),
            common["factscore"].get(each["subject"]),
            *_cells(each, [key for key, _ in OF_SUBJECT]),
        ]
        for each in subjects
    ]
    return Table("subjects", "the subject models", columns, rows)


def grouped_table(name: str, title: str, rows: Sequence[GroupRow]) -> Table:
    """Rows of measured.grouped."""
    keys = ("name", "subject", "share", "low", "high", "n")
    return Table(name, title, keys, [_cells(row, keys) for row in rows])


def estimates_table(rows: Sequence[EstimateRow]) -> Table:
    """Rows of measured.estimates_of."""
    columns = [*OF_ESTIMATE, "f1_low", "f1_high", "bias_low", "bias_high"]
    cells = [
        [
            *_cells(row, OF_ESTIMATE),
            *ends(row["f1_interval"]).values(),
            *ends(row["bias_interval"]).values(),
        ]
        for row in rows
    ]
    return Table("estimates", "F1micro and error rate", columns, cells)


def contrary_table(pairs: Sequence[ContraryPair]) -> Table:
    """Rows of measured.contrary_pairs."""
    keys = ("subject", "finds", "finds_f1", "finds_error_rate", "nearer", "nearer_f1", "nearer_error_rate")
    return Table("contrary", "where the two figures disagree", keys, [_cells(pair, keys) for pair in pairs])


def ranking_table(ranked: EvaluatorSubjects) -> Table:
    """FActScore's figure 4 and table 8, as one evaluator has them (describe_run)."""
    keys = ("subject", "rank", "estimated", "responding", "facts_per_response", "coverage", "prompts", "unjudged")
    common = ranked["common_prompts"]["estimated"]
    rows = [
        [*_cells(row, keys), *ends(row["interval"]).values(), common.get(row["subject"])] for row in ranked["subjects"]
    ]
    return Table("ranking", "the ranking", [*keys, "low", "high", "over common prompts"], rows)


def spread_table(spread: Sequence[Spread]) -> Table:
    """FActScore's figure 5 (describe_spread)."""
    rows: list[list[Cell]] = [
        [size["size"], size["draws"], row["subject"], row["mean"], row["deviation"]]
        for size in spread
        for row in size["subjects"]
    ]
    return Table("spread", "the spread", ["prompts", "draws", "subject", "mean", "standard deviation"], rows)


def corrections_table(corrections: Corrections) -> Table:
    """describe_corrections, a row a subject."""
    figures = ("estimated", "rogan_gladen", "prediction_powered", "residual")
    columns = ["subject", "labelled", "judged", *(f"{name}{end}" for name in figures for end in ("", "_low", "_high"))]
    rows = [
        [
            *_cells(row, ("subject", "labelled", "judged")),
            *(cell for name in figures for cell in _with_ends(row, name)),
        ]
        for row in corrections["subjects"]
    ]
    return Table("corrections", "the corrected scores", columns, rows)


def _cells(row: Mapping[str, Any], keys: Sequence[str]) -> list[Cell]:
    return [row[key] for key in keys]


def _with_ends(row: Mapping[str, Any], name: str) -> list[Cell]:
    """A figure and the ends of its interval."""
    return [row[name], *ends(row[f"{name}_interval"]).values()]
