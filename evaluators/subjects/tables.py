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
    MeanEstimate,
    MeasuredSubject,
)
from evaluators.subjects.measured import ends
from evaluators.subjects.recall_rows import RecallRow
from stats.corrected_factscore import Corrections
from stats.estimated_factscore import SubjectRow
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


def subjects_table(subjects: Sequence[MeasuredSubject], common: CommonScores, recall: Mapping[str, RecallRow]) -> Table:
    """The subjects in their order. recall: theirs, by name."""
    columns = [
        *("subject", "FActScore", "low", "high", *RECALL, "over common prompts"),
        *(name for _, name in OF_SUBJECT),
    ]
    rows = [
        [
            each["subject"],
            each["factscore"],
            *ends(each["factscore_interval"]).values(),
            *_cells_of_recall(recall[each["subject"]]),
            common["factscore"].get(each["subject"]),
            *_cells(each, [key for key, _ in OF_SUBJECT]),
        ]
        for each in subjects
    ]
    return Table("subjects", "the subject models", columns, rows)


# Columns of recall.
RECALL = tuple(
    f"{name}{end}"
    for name in ("F1@K", "recall at K", "precision of claims", "recall of lists")
    for end in ("", " low", " high")
)


def _cells_of_recall(row: RecallRow | None) -> list[Cell]:
    """None: nothing of the subject was judged."""
    if row is None:
        return [None] * len(RECALL)
    return [cell for name in ("f1", "recall", "precision", "reference") for cell in _with_ends(row, name)]


def recall_table(rows: Sequence[RecallRow]) -> Table:
    """The recall of subjects by gold, where there is no FActScore."""
    columns = ["subject", "responses", *RECALL]
    return Table("recall", "F1@K", columns, [[row["subject"], row["n"], *_cells_of_recall(row)] for row in rows])


def grouped_table(name: str, title: str, rows: Sequence[GroupRow]) -> Table:
    """Rows of measured.grouped."""
    keys = ("name", "subject", "share", "low", "high", "n")
    return Table(name, title, keys, [_cells(row, keys) for row in rows])


def estimates_table(rows: Sequence[EstimateRow], recall: Mapping[str, Mapping[str, RecallRow]]) -> Table:
    """Rows of measured.estimates_of. recall: by evaluator and subject."""
    figures = ("f1", "estimated", "bias")
    columns = [*OF_ESTIMATE, *(f"{name}_{end}" for name in figures for end in ("low", "high")), *RECALL]
    cells = [
        [
            *_cells(row, OF_ESTIMATE),
            *(end for name in figures for end in _with_ends(row, name)[1:]),
            *_cells_of_recall(recall[row["evaluator"]].get(row["subject"])),
        ]
        for row in rows
    ]
    return Table("estimates", "F1micro and error rate", columns, cells)


def means_table(rows: Sequence[MeanEstimate]) -> Table:
    """Rows of measured.means_of."""
    keys = ("evaluator", "baseline", "subjects", "unranked")
    figures = ("error_rate", "bias", "estimated", "f1")
    marked: list[dict[str, Any]] = [{**row, "baseline": "trivial" if row["baseline"] else None} for row in rows]
    cells = [[*_cells(row, keys), *(cell for name in figures for cell in _with_ends(row, name))] for row in marked]
    columns = [*keys, *(f"{name}{end}" for name in figures for end in ("", "_low", "_high"))]
    return Table("means", "the means over subjects", columns, cells)


def contrary_table(pairs: Sequence[ContraryPair]) -> Table:
    """Rows of measured.contrary_pairs."""
    keys = ("subject", "finds", "finds_f1", "finds_error_rate", "nearer", "nearer_f1", "nearer_error_rate")
    return Table("contrary", "where the two figures disagree", keys, [_cells(pair, keys) for pair in pairs])


def ranking_table(ranked: EvaluatorSubjects, subjects: Sequence[SubjectRow], recall: Mapping[str, RecallRow]) -> Table:
    """FActScore's figure 4 and table 8, as one evaluator has them (describe_run). subjects: its rows in their order;
    recall: theirs, by name."""
    keys = ("subject", "rank", "estimated", "responding", "facts_per_response", "coverage", "prompts", "unjudged")
    common = ranked["common_prompts"]["estimated"]
    rows = [
        [
            *_cells(row, keys),
            *ends(row["interval"]).values(),
            common.get(row["subject"]),
            *_cells_of_recall(recall[row["subject"]]),
        ]
        for row in subjects
    ]
    return Table("ranking", "the ranking", [*keys, "low", "high", "over common prompts", *RECALL], rows)


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
