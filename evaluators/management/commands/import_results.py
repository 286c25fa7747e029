"""A results bundle into this database (docs/results.md)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from annotate.models import Dataset
from core.errors import DataError
from evaluators.bundle.take_in import TakenIn, import_results
from evaluators.runs.build import RunError


class Command(BaseCommand):
    help = "Import the runs of a results bundle; the same bundle again adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("file", metavar="FILE", type=Path, help="a zip file of export_results")
        parser.add_argument("--suffix", metavar="S", default="", help="added to the names of its evaluators")
        parser.add_argument("--other-gold", action="store_true", help="import the runs even if gold differs")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            taken = import_results(dataset, options["file"], options["suffix"], options["other_gold"])
        except (DataError, RunError) as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(as_document(dataset, taken), ensure_ascii=False))
        else:
            self._print(dataset, taken)

    def _print(self, dataset: Dataset, taken: TakenIn) -> None:
        self.stdout.write(f"{dataset.name}: {taken.in_words()}")
        if taken.other_gold:
            self.stdout.write("Gold here is not the bundle's, so its figures do not follow here.")
        for difference in taken.differences or ():
            self.stdout.write(f"Not the same here: {difference}")


def as_document(dataset: Dataset, taken: TakenIn) -> dict[str, object]:
    return {
        "dataset": dataset.name,
        "runs": [{"evaluator": run.evaluator.name, "run": run.pk} for run in taken.runs],
        "unchanged": taken.unchanged,
        "other_gold": taken.other_gold,
        "differences": taken.differences,
    }
