"""Scores that were computed elsewhere into a benchmark."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.errors import DataError
from factor.management.lookup import benchmark_named
from factor.scoring.import_file import import_scores


class Command(BaseCommand):
    requires_system_checks = []
    help = "Import the log-probabilities of a benchmark's completions, as export_scores writes them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET", help="whose benchmark it is")
        parser.add_argument("benchmark", metavar="BENCHMARK")
        parser.add_argument("file", metavar="FILE", type=Path, help="JSON lines; the first describes the model")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        benchmark = benchmark_named(options["dataset"], options["benchmark"])
        try:
            imported = import_scores(benchmark, options["file"])
        except DataError as error:
            raise CommandError(str(error)) from None
        counts = {name: getattr(imported, name) for name in ("examples", "scored", "without_score", "missing")}
        model = imported.scoring.model.name
        if options["json"]:
            self.stdout.write(
                json.dumps({"model": model, "scoring": imported.scoring.pk, **counts}, ensure_ascii=False)
            )
            return
        self.stdout.write(
            f"{model} on {benchmark}: {imported.scored} completions of {imported.examples} examples scored, "
            f"{imported.without_score} without a score, {imported.missing} not in the file."
        )
