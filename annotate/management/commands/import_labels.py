"""Labels that were made elsewhere."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.labels.import_file import import_labels
from annotate.management.lookup import dataset_named
from core.errors import DataError


class Command(BaseCommand):
    help = "Import labels by named annotators from a JSON-lines file; people are created without a password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the dataset")
        parser.add_argument("file", type=Path)
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            imported = import_labels(dataset, options["file"])
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            document = {"dataset": dataset.name, "created": imported.created, "unchanged": imported.unchanged}
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write(f"{dataset.name}: {imported.created} labels created, {imported.unchanged} unchanged")
