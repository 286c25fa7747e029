"""The tables of the page of subject models, to take away."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotate.statistics.caption import intervals_of
from core.tables import Cell, PrintedTable, Table
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
# Printed titles of the columns whose names are not titles but for a capital.
HEADS = {
    "subject": "Subject model",
    "name": "Group",
    "n": "n",
    "low": "Low",
    "high": "High",
    "f1": "F1micro",
    "factscore": "FActScore by gold",
    "estimated": "Estimated FActScore",
    "over_called": "Supported facts called errors",
    "under_called": "Errors called supported",
    "ranking_kept_probability": "Probability of the same ranking",
    "prompts": "Prompts",
    "error_rate": "Error rate",
    "subjects": "Subject models",
    "unranked": "Not ranked because",
    "finds": "Finds errors better",
    "finds_f1": "its F1micro",
    "finds_error_rate": "its error rate",
    "nearer": "Nearer to the score",
    "nearer_f1": "F1micro of that",
    "nearer_error_rate": "error rate of that",
    "rogan_gladen": "Rogan–Gladen",
    "prediction_powered": "Prediction-powered",
}


def _head(column: str) -> str:
    """The printed title of a column."""
    name, _, end = column.rpartition("_")
    if end in ("low", "high"):
        return f"{_head(name)}, {end}"
    words = column.replace("_", " ")
    return HEADS.get(column, words[:1].upper() + words[1:])


def _printed(
    columns: Sequence[str],
    kept: Sequence[str],
    caption: str,
    ends: Mapping[str, tuple[str, str]] | None = None,
    bold: Collection[int] = frozenset(),
    bold_column: str = "",
) -> PrintedTable:
    """kept: the columns that are printed unless others are chosen."""
    titles = {column: _head(column) for column in columns}
    return PrintedTable(
        {column: titles[column] for column in kept},
        caption,
        bold,
        bold_column,
        ends or {},
        titles,
        OPTIONAL & set(kept),
    )


def subjects_table(
    subjects: Sequence[MeasuredSubject], common: CommonScores, recall: Mapping[str, RecallRow], data: str
) -> Table:
    """The subjects in their order. recall: theirs, by name; data: the data set and its gold in words, as in each of
    these tables."""
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
    kept = ("subject", "FActScore", "F1@K", "responding", "facts a response", "prompts")
    caption = f"FActScore of subject models by gold on {data}, with {intervals_of()}. {NOT_TESTED}"
    printed = _printed(columns, kept, caption, {"FActScore": ("low", "high")})
    return Table("subjects", "the subject models", columns, rows, printed)


OPTIONAL = {"F1@K", "recall at K", "precision of claims", "recall of lists", "prediction_powered", "rogan_gladen"}
NOT_TESTED = "Differences are not tested."
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


def recall_table(rows: Sequence[RecallRow], data: str) -> Table:
    """The recall of subjects by gold, where there is no FActScore."""
    columns = ["subject", "responses", *RECALL]
    kept = ("subject", "F1@K", "recall at K", "precision of claims", "recall of lists", "responses")
    caption = f"F1@K of subject models by gold on {data}, with {intervals_of()}. {NOT_TESTED}"
    cells = [[row["subject"], row["n"], *_cells_of_recall(row)] for row in rows]
    return Table("recall", "F1@K", columns, cells, _printed(columns, kept, caption))


def grouped_table(name: str, title: str, rows: Sequence[GroupRow], what: str, data: str) -> Table:
    """Rows of measured.grouped. what: whose share by what, in words."""
    keys = ("name", "subject", "share", "low", "high", "n")
    caption = f"{what} on {data}, with {intervals_of()}. {NOT_TESTED}"
    printed = _printed(keys, ("name", "subject", "share", "n"), caption, {"share": ("low", "high")})
    return Table(name, title, keys, [_cells(row, keys) for row in rows], printed)


def estimates_table(rows: Sequence[EstimateRow], recall: Mapping[str, Mapping[str, RecallRow]], data: str) -> Table:
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
    kept = ("evaluator", "subject", "f1", "factscore", "estimated", "bias", "error_rate", "responses")
    caption = (
        f"F1micro of evaluators, and the FActScores that they estimate, by subject model on {data}, with "
        f"{intervals_of()}. {NOT_TESTED}"
    )
    return Table("estimates", "F1micro and error rate", columns, cells, _printed(columns, kept, caption))


def means_table(rows: Sequence[MeanEstimate], data: str) -> Table:
    """Rows of measured.means_of."""
    keys = ("evaluator", "baseline", "subjects", "unranked")
    figures = ("error_rate", "bias", "estimated", "f1")
    marked: list[dict[str, Any]] = [{**row, "baseline": "trivial" if row["baseline"] else None} for row in rows]
    cells = [[*_cells(row, keys), *(cell for name in figures for cell in _with_ends(row, name))] for row in marked]
    columns = [*keys, *(f"{name}{end}" for name in figures for end in ("", "_low", "_high"))]
    kept = ("evaluator", "error_rate", "bias", "f1", "subjects")
    caption = (
        f"Means over subject models of the error rate of estimated FActScores, their bias, and F1micro, of evaluators "
        f"on {data}, with {intervals_of()}. {NOT_TESTED}"
    )
    return Table("means", "the means over subjects", columns, cells, _printed(columns, kept, caption))


def contrary_table(pairs: Sequence[ContraryPair], data: str) -> Table:
    """Rows of measured.contrary_pairs."""
    keys = ("subject", "finds", "finds_f1", "finds_error_rate", "nearer", "nearer_f1", "nearer_error_rate")
    caption = (
        f"Pairs of evaluators on {data}, of which one has the better F1micro and the other the better error rate on a "
        f"subject model. {NOT_TESTED}"
    )
    rows = [_cells(pair, keys) for pair in pairs]
    return Table("contrary", "where the two figures disagree", keys, rows, _printed(keys, keys, caption))


def ranking_table(
    ranked: EvaluatorSubjects, subjects: Sequence[SubjectRow], recall: Mapping[str, RecallRow], data: str
) -> Table:
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
    columns = [*keys, "low", "high", "over common prompts", *RECALL]
    kept = ("rank", "subject", "estimated", "F1@K", "responding", "coverage", "prompts")
    caption = (
        f"FActScore of subject models on {data} as {ranked['evaluator']} estimates it, with "
        f"{intervals_of(ranked['resamples'], ranked['seed'])}. Bold: no other subject model is significantly higher. "
        "Test: studentised differences of prompts resampled, step-down over all pairs, p < 0.05."
    )
    top = frozenset(place for place, row in enumerate(subjects) if (row["ranks"] or [0])[0] == 1)
    printed = _printed(columns, kept, caption, {"estimated": ("low", "high")}, top, "estimated")
    return Table("ranking", "the ranking", columns, rows, printed)


def spread_table(ranked: EvaluatorSubjects, data: str) -> Table:
    """FActScore's figure 5 (describe_spread)."""
    spread = ranked["spread"]
    rows: list[list[Cell]] = [
        [size["size"], size["draws"], row["subject"], row["mean"], row["deviation"]]
        for size in spread
        for row in size["subjects"]
    ]
    columns = ["prompts", "draws", "subject", "mean", "standard deviation"]
    seed = f", seed {spread[0]['seed']}" if spread else ""
    caption = (
        f"FActScore of subject models on {data} as {ranked['evaluator']} estimates it, over random subsets of the "
        f"prompts{seed}."
    )
    return Table("spread", "the spread", columns, rows, _printed(columns, columns, caption))


def corrections_table(corrections: Corrections, evaluator: str, data: str) -> Table:
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
    kept = ("subject", "estimated", "rogan_gladen", "prediction_powered", "labelled", "judged")
    caption = (
        f"FActScore of subject models on {data} as {evaluator} estimates it, and corrected by gold, with "
        f"{intervals_of()}. {NOT_TESTED}"
    )
    return Table("corrections", "the corrected scores", columns, rows, _printed(columns, kept, caption))


def _cells(row: Mapping[str, Any], keys: Sequence[str]) -> list[Cell]:
    return [row[key] for key in keys]


def _with_ends(row: Mapping[str, Any], name: str) -> list[Cell]:
    """A figure and the ends of its interval."""
    return [row[name], *ends(row[f"{name}_interval"]).values()]
