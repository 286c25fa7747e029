"""Lists of the facts that a complete answer to a prompt states, as a file that can be imported again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.corpus.reference_facts import reference_rows
from annotate.management.commands.export_dataset import write_whole
from annotate.management.lookup import dataset_named
from audit.models import Action
from audit.record import record
from core.errors import DataError
from core.json_lines import json_line


class Command(BaseCommand):
    help = "Write the lists of the facts that a complete answer to each prompt states, as JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--output", metavar="FILE", type=Path, help="where to (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        lines = (json_line(row) for row in reference_rows(dataset))
        try:
            if options["output"]:
                write_whole(options["output"], lines)
            else:
                for line in lines:
                    self.stdout.write(line)
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, dataset, detail="reference lists")
