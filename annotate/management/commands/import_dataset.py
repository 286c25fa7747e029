"""Rows of a file into a dataset (docs/commands.md, Files)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.corpus.formats import FORMATS
from annotate.corpus.importing import ImportResult, import_file
from core.errors import DataError


class Command(BaseCommand):
    # Checks load every page of the site: that is `check`, not a second of every import and export.
    requires_system_checks = []
    help = "Create or extend a dataset with the rows of a file; labels in it become gold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.parser = parser
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("file", metavar="FILE", type=Path, help="JSON lines, a JSON array, CSV or Parquet")
        parser.add_argument("--format", required=True, choices=sorted(FORMATS))
        parser.add_argument("--subject", metavar="MODEL", default="", help="the model that wrote the responses")
        parser.add_argument("--dry-run", action="store_true", help="check and count, store nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        if FORMATS[options["format"]].needs_subject and not options["subject"].strip():
            self.parser.error(f"--format {options['format']} needs --subject: such a file does not say who wrote it")
        try:
            result = import_file(
                options["file"],
                options["name"],
                options["format"],
                options["subject"],
                dry_run=options["dry_run"],
                progress=self._show_progress,
            )
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(as_document(result)))
        else:
            self._print(result, options["dry_run"])

    def _show_progress(self, written: int, total: int) -> None:
        if written < total:
            self.stderr.write(f"{written:,} of {total:,} responses written")

    def _print(self, result: ImportResult, dry_run: bool) -> None:
        for warning in result.warnings:
            self.stderr.write(f"{result.place} {warning['line']}: {warning['message']}")
        would = "would be " if dry_run else ""
        self.stdout.write(f"{result.dataset}: {result.created} {would}created, {result.unchanged} unchanged")


def as_document(result: ImportResult) -> dict[str, object]:
    return {
        "dataset": result.dataset,
        "created": result.created,
        "unchanged": result.unchanged,
        "warnings": result.warnings,
    }
