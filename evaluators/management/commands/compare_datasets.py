"""Evaluators over several datasets, by an average in which every dataset counts alike.

See docs/statistics.md, Several datasets.
"""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from core.errors import DataError
from evaluators.across.board import FIGURES, AcrossEvaluator, compare_datasets


class Command(BaseCommand):
    help = "Print evaluators over several datasets: their average, its interval, and their ranks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", metavar="NAME", nargs="+", help="a dataset")
        parser.add_argument("--figure", choices=FIGURES, default="f1", help="the figure that is averaged")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        datasets = {name: dataset_named(name) for name in options["names"]}
        try:
            document = compare_datasets([*datasets.values()], options["figure"])
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False))
            return
        for entry in document["evaluators"]:
            self.stdout.write(_line(entry))


def _line(entry: AcrossEvaluator) -> str:
    low, high = entry["interval"] or (None, None)
    first, last = entry["rank_set"] or (None, None)
    ranks = "–" if first is None else f"{first}–{last}"
    average = f"{_rate(entry['average'])} [{_rate(low)}, {_rate(high)}]"
    parts = "  ".join(_rate(each["value"] if each else None) for each in entry["figures"])
    return f"{entry['evaluator']:28} rank {ranks:7} {average}  {parts}" + (
        f"  ({entry['unranked']})" if entry["unranked"] else ""
    )


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
