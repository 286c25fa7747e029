"""The smallest difference that a dataset can show (docs/statistics.md, Intervals and tests)."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from core.errors import DataError
from evaluators.comparison.detectable import USUAL, detectable_of, usual_rates
from evaluators.comparison.study import find_version
from stats.power import SimulatedRates


def share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < 1:
        raise ArgumentTypeError(f"{text} is not a share from 0 to below 1")
    return value


def number(text: str) -> int:
    if not text.isdecimal() or len(text) > 4 or int(text) < 1:
        raise ArgumentTypeError(f"{text} is not a number from 1 to 9999")
    return int(text)


class Command(BaseCommand):
    help = "Print the smallest difference of F1 between two evaluators that is found four times in five, by simulation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--gold-version", metavar="V", help="a frozen version (default: current gold)")
        parser.add_argument("--by", metavar="SLICING", help="domain, subject, length, … (default: domain or subject)")
        parser.add_argument("--recall", type=share, default=USUAL.recall, help="share of errors found")
        parser.add_argument("--false-alarms", type=share, default=USUAL.false_alarms, help="share of correct called so")
        parser.add_argument("--correlation", type=share, default=USUAL.correlation, help="within a prompt")
        parser.add_argument("--shared", type=share, default=USUAL.shared, help="correlation of two evaluators' luck")
        parser.add_argument(
            "--comparisons",
            type=number,
            metavar="N",
            help="pairs tested together (default: those of one more evaluator and all that ran)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        rates = SimulatedRates(
            **{name: options[name] for name in ("recall", "false_alarms", "correlation", "shared")},
            comparisons=options["comparisons"] or usual_rates(dataset).comparisons,
        )
        try:
            version = find_version(dataset, options["gold_version"])
            document = detectable_of(dataset, version, options["by"], rates)
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False))
            return
        for row in document["results"]:
            difference = f"{row['difference']:.3f}" if row["difference"] is not None else f"– ({row['why']})"
            self.stdout.write(f"{row['level']:9} {row['slice']:24} n {row['n']:6}  {difference}")
