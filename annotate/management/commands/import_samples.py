"""A subject model's other samples."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.corpus.samples import import_samples
from annotate.management.lookup import dataset_named
from core.errors import DataError


class Command(BaseCommand):
    help = "Import the subject models' other answers to the same prompts, for self-checking, from a JSON-lines file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("file", metavar="FILE", type=Path, help='JSON lines: {"index", "samples": [text, …]}')
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            imported = import_samples(dataset, options["file"])
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            document = {"dataset": dataset.name, "created": imported.created, "unchanged": imported.unchanged}
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write(
                f"{dataset.name}: samples of {imported.created} responses, {imported.unchanged} unchanged"
            )
