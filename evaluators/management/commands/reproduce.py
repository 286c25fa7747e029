"""The papers' figures from the published files, beside the printed ones."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotate.management.commands.export_dataset import write_whole
from core.errors import DataError
from evaluators.reproduction.document import reproduce

PUBLISHED = settings.BASE_DIR.parent / "shared" / "data"


class Command(BaseCommand):
    requires_system_checks = []
    help = "Reproduce the papers' figures from the published files, as a page of Markdown. The database is not touched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--data",
            metavar="FOLDER",
            type=Path,
            default=PUBLISHED,
            help="with felm/all.jsonl and factscore/InstructGPT.jsonl and ChatGPT.jsonl (default: ../shared/data)",
        )
        parser.add_argument("--output", metavar="FILE", type=Path, help="where to (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            document = reproduce(options["data"], lambda name: self.stderr.write(f"{name} …"))
            if options["output"]:
                write_whole(options["output"], iter(document.splitlines()))
            else:
                self.stdout.write(document)
        except DataError as error:
            raise CommandError(str(error)) from None
