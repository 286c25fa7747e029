"""Runs with their predictions and figures, as a results bundle (docs/results.md)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from annotate.models import Dataset
from audit.models import Action
from audit.record import record
from core.errors import DataError
from evaluators.bundle.export import export_results
from evaluators.bundle.units_table import write_units_table


class Command(BaseCommand):
    help = "Write the last finished runs over a dataset, with their figures, into one zip file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--output", metavar="FILE", type=Path, required=True, help="the zip file, or the table")
        parser.add_argument("--evaluator", metavar="N", action="append", help="only this one; may repeat")
        parser.add_argument("--gold-version", metavar="V", help="a frozen version (default: current gold)")
        parser.add_argument("--answers", action="store_true", help="with the raw answers of the models")
        parser.add_argument("--searches", action="store_true", help="with searches of the web, results and pages read")
        parser.add_argument("--table", action="store_true", help="one Parquet table of units instead of the zip file")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def _write(self, dataset: Dataset, **options: Any) -> list[str]:
        """The names of the evaluators in the file."""
        about = (dataset, options["output"], options["evaluator"], options["gold_version"])
        if options["table"]:
            return write_units_table(*about)
        return export_results(*about, options["answers"], options["searches"]).evaluators

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            names = self._write(dataset, **options)
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, dataset, detail="results")
        document = {
            "dataset": dataset.name,
            "gold_version": options["gold_version"],
            "evaluators": names,
            "output": str(options["output"]),
        }
        self.stdout.write(
            json.dumps(document, ensure_ascii=False)
            if options["json"]
            else f"{options['output']}: the runs of {', '.join(names)}"
        )
