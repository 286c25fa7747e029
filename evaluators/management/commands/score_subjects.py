"""The FActScore of whole subject models, without labels."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import add_k, positive
from annotate.management.lookup import dataset_named
from core.errors import DataError
from evaluators.subjects.describe import describe_dataset
from evaluators.subjects.documents import SubjectScores
from evaluators.subjects.recall_rows import by_subject
from stats.estimated_factscore import FEWEST_FACTS, SubjectRow


class Command(BaseCommand):
    help = "Rank the subject models of a dataset by the FActScore that evaluators estimate; no labels are needed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--evaluator", metavar="N", action="append", help="only by this one; may repeat")
        parser.add_argument(
            "--length-penalty",
            nargs="?",
            type=positive,
            const=FEWEST_FACTS,
            metavar="FACTS",
            help="lower the score of responses of at most so many facts",
        )
        add_k(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            document = describe_dataset(
                dataset, options["evaluator"], penalty=options["length_penalty"], k=options["k"]
            )
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False))
            return
        for line in table(document):
            self.stdout.write(line)


def table(document: SubjectScores) -> Iterator[str]:
    """The document for reading: evaluator by evaluator its subjects, the best first."""
    for evaluator in document["evaluators"]:
        yield f"{evaluator['evaluator']} ({evaluator['facts']} facts)"
        at_k = by_subject(evaluator["at_k"], evaluator["reference"])
        yield f"{'rank':>6} {'subject':24} {'FActScore':22} {'F1@K':22} {'responding':>10} {'facts':>6} {'cover':>6}"
        for row in evaluator["subjects"]:
            yield (
                f"{_rank(row):>6} {row['subject']:24} {_score(row['estimated'], row['interval']):22} "
                f"{_score(at_k[row['subject']]['f1'], at_k[row['subject']]['f1_interval']):22} "
                f"{_rate(row['responding']):>10} {_rate(row['facts_per_response'], 1):>6} {_rate(row['coverage']):>6}"
            )
    for pair in document["correlations"]:
        over = f"{pair['subjects']} subject{'' if pair['subjects'] == 1 else 's'}"
        yield f"Pearson's r of {' and '.join(pair['evaluators'])} over {over}: {_rate(pair['r'])}"


def _rank(row: SubjectRow) -> str:
    if row["ranks"] is None:
        return "–"
    first, last = row["ranks"]
    return f"{first}–{last}" if first != last else str(first)


def _score(value: float | None, around: list[float] | None) -> str:
    return _rate(value) + (f" [{around[0]:.3f}, {around[1]:.3f}]" if around else "")


def _rate(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
