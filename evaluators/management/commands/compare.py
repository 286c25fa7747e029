"""Evaluators compared with each other, in slices of a level.

See docs/statistics.md, Error detection, and Intervals and tests.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from annotate.people.names import user_names
from core.errors import DataError
from core.numbers import p_text
from evaluators.comparison.documents import ComparisonFigures
from evaluators.comparison.figures import compare
from evaluators.comparison.people import describe_people, name_annotators
from evaluators.comparison.question import FAMILIES, LEADER, PeopleQuestion, asked_question
from evaluators.comparison.study import find_version
from stats.detection import METRICS


class Command(BaseCommand):
    help = "Print evaluators in slices of a level, every pair of them, and their ranks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--gold-version", metavar="V", help="a frozen version (default: current gold)")
        parser.add_argument("--evaluator", metavar="N", action="append", help="only this one; may repeat")
        parser.add_argument("--level", default="", help="segment, fact or response (default: the level of labels)")
        parser.add_argument(
            "--by", metavar="SLICING", default="", help="domain, subject, … (default: domain or subject)"
        )
        parser.add_argument("--slice", metavar="S", action="append", default=[], help="only its units; may repeat")
        parser.add_argument("--figure", choices=METRICS, default="f1", help="figure of pairs and ranks")
        parser.add_argument("--family", choices=FAMILIES, default=LEADER, help="the pairs that are tested together")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        question = asked_question(dataset, options)
        try:
            version = find_version(dataset, options["gold_version"])
            document = compare(dataset, version, question)
            people = describe_people(dataset, version, PeopleQuestion(question.level, question.evaluators))
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            named = name_annotators(people, user_names(dataset))
            self.stdout.write(json.dumps({**document, "people": named}, ensure_ascii=False, allow_nan=False))
            return
        for line in table(document):
            self.stdout.write(line)


def table(document: ComparisonFigures) -> Iterator[str]:
    """Evaluators, the best first, by figures that count undecided units as wrong; then the pairs with a significant
    difference."""
    figure = document["question"]["figure"]
    rows = sorted(document["evaluators"], key=lambda row: (row["rank"] is None, row["rank"]))
    for row in rows:
        values = "  ".join(f"{name} {_rate(each['pessimistic'][figure])}" for name, each in row["results"].items())
        ranks = "–" if row["range"] is None else f"{row['range'][0]}–{row['range'][1]}"
        yield f"{row['evaluator']:28} rank {ranks:7} {values}" + (f"  ({row['unranked']})" if row["unranked"] else "")
    for pair in document["pairs"]:
        if pair["better"]:
            low, high = pair["simultaneous_interval"] or (None, None)
            yield (
                f"{pair['one']} – {pair['other']}: {_rate(pair['difference'])} [{_rate(low)}, {_rate(high)}], "
                f"{p_text(pair['p_adjusted'])}: {pair['better']} is better"
            )


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
