"""Lists of the facts that a complete answer to a prompt states."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.corpus.reference_facts import import_reference_facts
from annotate.management.lookup import dataset_named
from core.errors import DataError


class Command(BaseCommand):
    help = "Import lists of the facts that a complete answer to each prompt states, for recall, from a JSON-lines file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument(
            "file", metavar="FILE", type=Path, help='JSON lines: {"topic" or "prompt", "facts": [text, …]}'
        )
        parser.add_argument("--replace", action="store_true", help="replace other lists that prompts have")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            imported = import_reference_facts(dataset, options["file"], options["replace"])
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps({"dataset": dataset.name, **asdict(imported)}, ensure_ascii=False))
        else:
            self.stdout.write(f"{dataset.name}: lists of {imported.created} prompts, {imported.unchanged} unchanged")
            for name in imported.replaced:
                self.stdout.write(f"Replaced: {name}")
