"""A benchmark as a file of the layout in which FACTOR's authors publish theirs."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.commands.export_dataset import write_whole
from audit.models import Action
from audit.record import record
from core.errors import DataError
from core.standard_output import leave_closed_pipe
from factor.csv_format.columns import PUBLISHED_FALSE
from factor.csv_format.export import export_benchmark, unlike_published
from factor.management.lookup import benchmark_named


class Command(BaseCommand):
    requires_system_checks = []
    help = "Write a benchmark as CSV in the published layout; one that came as a file goes out byte for byte."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET", help="the dataset that it belongs to")
        parser.add_argument("name", metavar="NAME", help="the benchmark")
        parser.add_argument("--output", metavar="FILE", type=Path, help="where to (default: standard output)")

    def handle(self, *args: object, **options: Any) -> None:
        benchmark = benchmark_named(options["dataset"], options["name"])
        try:
            if options["output"]:
                write_whole(options["output"], export_benchmark(benchmark), end="")
            else:
                self._print(export_benchmark(benchmark))
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, benchmark, detail=str(benchmark.dataset))
        if unlike := unlike_published(benchmark):
            self.stderr.write(
                f"{unlike} examples have more or fewer than {PUBLISHED_FALSE} false completions: the authors' scorer "
                "reads just so many and cannot take them as they are."
            )

    def _print(self, pieces: Iterator[str]) -> None:
        try:
            for piece in pieces:
                self.stdout.write(piece, ending="")
        except BrokenPipeError:
            leave_closed_pipe()
