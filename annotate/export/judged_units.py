"""Every judged unit as a row of a table, for people and their spreadsheets."""

from collections.abc import Iterator

from annotate.export.export_format import ExportFormat
from annotate.export.read import ExportSentence, LeftOut, cited_by, read_responses, sentences_of
from annotate.models import AtomicFact, Dataset, GoldLabel, Response, Scheme
from core.csv import csv_line

COLUMNS = (
    "index",
    "domain",
    "topic",
    "subject",
    "prompt",
    "segment",
    "fact",
    "text",
    "value",
    "error_type",
    "reason",
    "source",
    "references",
    "correction_settled",
    "correction",
)


def export_csv(dataset: Dataset, revision: int, subject: str, left_out: LeftOut) -> Iterator[str]:
    """The header, then a row a unit: `segment` and `fact` count from 0, `value` is empty where there is no gold yet.

    `references` holds what gold cites, one a line. `correction` is how the unit's sentence reads when it is made right:
    empty where `correction_settled` is False, and where it is True and the sentence is to be removed. A text that a
    spreadsheet would run as a formula gets an apostrophe before it, so this is a table to read; a lossless copy is the
    export in the dataset's own format.
    """
    yield csv_line(COLUMNS)
    for response in read_responses(dataset, revision, subject, left_out):
        for sentence in sentences_of(response):
            for fact, gold in judged_units(dataset, sentence):
                yield csv_line(_cells(response, sentence, fact, gold))


def judged_units(dataset: Dataset, sentence: ExportSentence) -> list[tuple[AtomicFact | None, GoldLabel | None]]:
    """The addresses that are judged: segments, or facts unless their sentence is irrelevant as a whole."""
    if dataset.scheme != Scheme.FACTSCORE or sentence.gold is not None:
        return [(None, sentence.gold)]
    return [(fact, gold) for fact, gold in sentence.judged()]


def _cells(
    response: Response, sentence: ExportSentence, fact: AtomicFact | None, gold: GoldLabel | None
) -> tuple[object, ...]:
    prompt = response.prompt
    return (
        response.index,
        prompt.domain,
        prompt.topic,
        response.subject,
        prompt.text,
        sentence.segment.position,
        "" if fact is None else fact.position,
        (fact or sentence.segment).text,
        gold.value if gold else "",
        gold.error_type if gold else "",
        gold.reason if gold else "",
        gold.source if gold else "",
        "\n".join(cited_by(gold)) if gold else "",
        sentence.correction is not None,
        sentence.correction or "",
    )


FORMAT = ExportFormat("csv", export_csv)
