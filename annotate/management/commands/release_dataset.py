"""A frozen version of gold as a dataset that others can load."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from annotate.release.make import release_to
from audit.models import Action
from audit.record import record
from core.errors import DataError


class Command(BaseCommand):
    help = "Write a gold version as tables, in its published format, with a data card and Croissant metadata."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("version", metavar="VERSION", help="a frozen version of its gold")
        parser.add_argument("--output", metavar="PATH", type=Path, required=True, help="a new folder, or a .zip file")
        parser.add_argument("--licence", metavar="L", default="", help="such as CC-BY-4.0 (default: not stated)")
        parser.add_argument("--names", action="store_true", help="name those who annotated and decided")
        parser.add_argument("--known", action="store_true", help="with the responses of qualification and controls")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: object, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        version = dataset.gold_versions.filter(name=options["version"]).first()
        if version is None:
            raise CommandError(f"{dataset} has no gold version {options['version']!r}.")
        try:
            release_to(
                options["output"],
                version,
                options["licence"],
                options["names"],
                self._show_progress,
                options["known"],
            )
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.RELEASED, version, detail=str(dataset))
        document = {
            "dataset": dataset.name,
            "version": version.name,
            "hash": version.hash,
            "labels": version.labels,
            "output": str(options["output"]),
        }
        self.stdout.write(
            json.dumps(document, ensure_ascii=False)
            if options["json"]
            else f"{dataset.name} {version.name}: {version.labels:,} judgements in {options['output']}"
        )

    def _show_progress(self, written: int, total: int) -> None:
        if written < total:
            self.stderr.write(f"{written:,} of {total:,} responses written")
