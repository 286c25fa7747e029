"""A dataset as a file (docs/commands.md, Files)."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.export.dataset import FORMATS, export_dataset
from annotate.management.lookup import dataset_named
from audit.models import Action
from audit.record import record
from core.errors import DataError
from core.standard_output import leave_closed_pipe


class Command(BaseCommand):
    # Checks load every page of the site: that is `check`, not a second of every import and export.
    requires_system_checks = []
    help = "Write a dataset in the format of its scheme, its labels, or a table of every judged unit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--format", required=True, choices=sorted(FORMATS))
        parser.add_argument("--subject", metavar="MODEL", default="", help="only this model's responses")
        parser.add_argument("--gold-version", metavar="V", default="", help="a frozen version (default: gold as it is)")
        parser.add_argument("--output", metavar="FILE", type=Path, help="where to (default: standard output)")

    def handle(self, *args: object, **options: Any) -> None:
        self.left_out = 0
        dataset = dataset_named(options["name"])
        try:
            lines = export_dataset(
                dataset, options["format"], options["subject"], options["gold_version"], self._leave_out
            )
            if options["output"]:
                write_whole(options["output"], lines)
            else:
                self._print(lines)
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, dataset, detail=options["format"])
        if self.left_out:
            self.stderr.write(f"{self.left_out} responses were left out.")

    def _print(self, lines: Iterator[str]) -> None:
        try:
            for line in lines:
                self.stdout.write(line)
        except BrokenPipeError:
            leave_closed_pipe()

    def _leave_out(self, index: str, cause: str) -> None:
        self.left_out += 1
        self.stderr.write(f"{index} is left out: {cause}")


def write_whole(path: Path, lines: Iterator[str], end: str = "\n") -> None:
    """Write the lines beside the file and put them in its place when all are there: it is never half written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and not path.is_file():
            raise DataError(f"{path} cannot be written: it is there and not a file.")
        with part.open("x", encoding="utf-8", newline="") as file:
            file.writelines(f"{line}{end}" for line in lines)
        part.replace(path)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            part.unlink()
