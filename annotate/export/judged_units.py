"""Every judged unit as a row of a table, for people and their spreadsheets."""

from collections.abc import Iterator

from annotate.export.export_format import ExportFormat, ExportTable
from annotate.export.read import Asked, ExportSentence, cited_by, sentences_of
from annotate.models import AtomicFact, Dataset, GoldLabel, Response, Scheme
from core.csv import csv_lines
from core.parquet import JSON, Columns, Row

COLUMNS: Columns = {
    "index": "string",
    "domain": "string",
    "topic": "string",
    "subject": "string",
    "prompt": "string",
    "segment": "int32",
    "fact": "int32",
    "text": "string",
    "value": "string",
    "error_type": "string",
    "reason": "string",
    "source": "string",
    "references": ["string"],
    "correction_settled": "bool",
    "correction": "string",
}


def gold_rows(asked: Asked) -> Iterator[Row]:
    """A row a unit: `segment` and `fact` count from 0, `value` is None where there is no gold yet.

    `references` holds what gold cites. `correction` is how the unit's sentence reads when it is made right: None where
    `correction_settled` is False, "" where the sentence is to be removed.
    """
    for response in asked.read():
        for sentence in sentences_of(response):
            for fact, gold in judged_units(asked.dataset, sentence):
                yield _row(response, sentence, fact, gold)


def judged_units(dataset: Dataset, sentence: ExportSentence) -> list[tuple[AtomicFact | None, GoldLabel | None]]:
    """The addresses that are judged: segments, or facts unless their sentence is irrelevant as a whole."""
    if dataset.scheme != Scheme.FACTSCORE or sentence.gold is not None:
        return [(None, sentence.gold)]
    return [(fact, gold) for fact, gold in sentence.judged()]


def _row(response: Response, sentence: ExportSentence, fact: AtomicFact | None, gold: GoldLabel | None) -> Row:
    prompt = response.prompt
    return {
        "index": response.index,
        "domain": prompt.domain or None,
        "topic": prompt.topic or None,
        "subject": response.subject or None,
        "prompt": prompt.text,
        "segment": sentence.segment.position,
        "fact": None if fact is None else fact.position,
        "text": (fact or sentence.segment).text,
        "value": gold.value if gold else None,
        "error_type": (gold and gold.error_type) or None,
        "reason": (gold and gold.reason) or None,
        "source": gold.source if gold else None,
        "references": cited_by(gold) if gold else [],
        "correction_settled": sentence.correction is not None,
        "correction": sentence.correction,
        "details": response.details or None,
    }


TABLE = ExportTable({**COLUMNS, "details": JSON}, gold_rows)
# A text that a spreadsheet would run as a formula gets an apostrophe before it, so this is a table to read; a lossless
# copy is the export in the dataset's own format.
FORMAT = ExportFormat("csv", lambda asked: csv_lines(TABLE.rows(asked), COLUMNS), kind="csv")
