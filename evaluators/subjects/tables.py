"""The tables of the page of subject models, to take away (evaluators/tables)."""

from collections.abc import Sequence

from evaluators.subjects.measured import Document, ends
from evaluators.tables.table import Table

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


def subjects_table(subjects: Sequence[Document], common: Document) -> Table:
    columns = ["subject", "FActScore", "low", "high", "over common prompts", *(name for _, name in OF_SUBJECT)]
    rows = [
        [
            each["subject"],
            each["factscore"],
            *ends(each["factscore_interval"]).values(),
            common["factscore"].get(each["subject"]),
            *(each[key] for key, _ in OF_SUBJECT),
        ]
        for each in subjects
    ]
    return Table("subjects", "the subject models", columns, rows)


def grouped_table(name: str, title: str, rows: Sequence[Document]) -> Table:
    """Rows of measured.grouped."""
    keys = ("name", "subject", "share", "low", "high", "n")
    return Table(name, title, keys, [[row[key] for key in keys] for row in rows])


def estimates_table(rows: Sequence[Document]) -> Table:
    """Rows of measured.estimates_of."""
    columns = [*OF_ESTIMATE, "f1_low", "f1_high", "bias_low", "bias_high"]
    cells = [
        [
            *(row[key] for key in OF_ESTIMATE),
            *ends(row["f1_interval"]).values(),
            *ends(row["bias_interval"]).values(),
        ]
        for row in rows
    ]
    return Table("estimates", "F1micro and error rate", columns, cells)


def contrary_table(pairs: Sequence[Document]) -> Table:
    """Rows of measured.contrary_pairs."""
    keys = ("subject", "finds", "finds_f1", "finds_error_rate", "nearer", "nearer_f1", "nearer_error_rate")
    return Table("contrary", "where the two figures disagree", keys, [[pair[key] for key in keys] for pair in pairs])
