"""A benchmark from a file of the layout in which FACTOR's authors publish theirs."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named, source_named
from core.errors import DataError
from factor.csv_format.columns import PUBLISHED_FALSE
from factor.csv_format.import_file import ImportedBenchmark, import_benchmark


class Command(BaseCommand):
    requires_system_checks = []
    help = "Make a benchmark of a dataset from a CSV file in the published layout, or compare it with the one there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET", help="the dataset whose people may see it")
        parser.add_argument("name", metavar="NAME", help="the benchmark")
        parser.add_argument("file", metavar="FILE", type=Path, help="CSV in UTF-8")
        parser.add_argument("--source", metavar="NAME", help="the knowledge source whose documents doc_id names")
        parser.add_argument("--dry-run", action="store_true", help="check and count, store nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        dataset = dataset_named(options["dataset"])
        source = source_named(dataset, options["source"]) if options["source"] else None
        try:
            result = import_benchmark(
                dataset, options["name"], options["file"], source=source, dry_run=options["dry_run"]
            )
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(asdict(result)))
        else:
            self._print(result, options["dry_run"])

    def _print(self, result: ImportedBenchmark, dry_run: bool) -> None:
        if result.unlike:
            self.stderr.write(f"{result.unlike} examples have more or fewer than {PUBLISHED_FALSE} false completions.")
        if not result.verbatim:
            self.stderr.write(
                "The file is quoted in an unusual way: an export differs from it in quotes and line ends."
            )
        would = "would be " if dry_run else ""
        self.stdout.write(f"{result.name}: {result.created} {would}created, {result.unchanged} unchanged")
