"""Rows of a file into a dataset (docs/commands.md, Files)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.corpus.find_recipe import find_recipe
from annotate.corpus.formats import FORMATS
from annotate.corpus.importing import ImportResult, import_file
from annotate.corpus.mapped_counts import describe_counts
from annotate.corpus.recipe import Recipe
from annotate.corpus.recipe_parser import read_recipe
from annotate.corpus.refused import EVERY_KIND
from annotate.corpus.released_sentences import REPAIRED, SPLITTERS
from annotate.models import Import
from core.errors import DataError
from core.rows.zipped import unzipped


class Command(BaseCommand):
    # Checks load every page of the site: that is `check`, not a second of every import and export.
    requires_system_checks = []
    help = "Create or extend a dataset with the rows of a file; labels in it become gold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.parser = parser
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument(
            "file", metavar="FILE", type=Path, help="JSON lines, a JSON array, CSV, Parquet, or a folder of them"
        )
        read_as = parser.add_mutually_exclusive_group(required=True)
        read_as.add_argument("--format", choices=sorted(FORMATS))
        read_as.add_argument("--recipe", metavar="NAME_OR_FILE", help="the recipe that maps the file's fields")
        parser.add_argument("--subject", metavar="MODEL", default="", help="the model that wrote the responses")
        parser.add_argument(
            "--sentences", choices=list(SPLITTERS), default=REPAIRED, help="how texts without segments are cut"
        )
        parser.add_argument(
            "--skip",
            metavar="KIND",
            action="append",
            default=[],
            help=f"leave out rows that cannot be taken, by kind: 'empty response', … or {EVERY_KIND}; repeatable",
        )
        parser.add_argument("--dry-run", action="store_true", help="check and count, store nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        format = options["format"]
        if format and FORMATS[format].needs_subject and not options["subject"].strip():
            self.parser.error(f"--format {format} needs --subject: such a file does not say who wrote it")
        try:
            with unzipped(options["file"]) as path:
                result = import_file(
                    path,
                    options["name"],
                    format or Import.Format.MAPPED,
                    options["subject"],
                    dry_run=options["dry_run"],
                    progress=self._show_progress,
                    sentences=options["sentences"],
                    recipe=_recipe(options["recipe"]) if options["recipe"] else None,
                    skip=options["skip"],
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
        for kind in result.refused.document():
            self.stdout.write(f"{kind['count']} {would}skipped, {kind['kind']}: {result.place} {_listed(kind)}")
        if result.mapped is not None:
            self.stdout.write("\n".join(describe_counts(result.mapped)))


def _recipe(name: str) -> Recipe:
    """That of a file where there is one of that name, else the shipped one. DataError: there is neither."""
    path = Path(name)
    return read_recipe(path) if path.is_file() or path.suffix else find_recipe(name, None)


def _listed(kind: dict[str, Any]) -> str:
    more = ", …" if kind["count"] > len(kind["rows"]) else ""
    return ", ".join(map(str, kind["rows"])) + more


def as_document(result: ImportResult) -> dict[str, object]:
    skipped = result.refused.document()
    return {
        "dataset": result.dataset,
        "created": result.created,
        "unchanged": result.unchanged,
        "warnings": result.warnings,
        "mapped": result.mapped.document() if result.mapped else None,
        **({"skipped": skipped} if skipped else {}),
    }
