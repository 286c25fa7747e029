"""Predictions of an evaluator that ran elsewhere."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from core.errors import DataError
from evaluators.predictions.import_file import import_predictions
from evaluators.runs.build import RunError


class Command(BaseCommand):
    help = "Import the predictions of an outside evaluator; the same file again adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="The dataset.")
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--evaluator", required=True, metavar="N", help="The evaluator's name, new or known.")
        parser.add_argument("--json", action="store_true", help="Print one JSON document and nothing else.")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            imported = import_predictions(dataset, options["file"], options["evaluator"])
        except (DataError, RunError) as error:
            raise CommandError(str(error)) from error
        document = {
            "evaluator": options["evaluator"],
            "run": imported.run.pk,
            "created": imported.created,
            "unchanged": imported.unchanged,
        }
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False))
        else:
            self.stdout.write(
                f"{options['evaluator']}: {imported.created} predictions created, {imported.unchanged} unchanged."
            )
