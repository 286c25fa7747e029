"""Documents of a file into a knowledge source."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.corpus.lines import DataError
from annotate.evidence.import_file import import_documents
from annotate.models import Dataset
from annotate.models.dataset import DatasetQuerySet


class Command(BaseCommand):
    requires_system_checks = []
    help = "Create or extend a knowledge source with the documents of a JSON-lines file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", metavar="SOURCE", help="the knowledge source")
        parser.add_argument("file", metavar="FILE", type=Path, help="JSON lines in UTF-8")
        parser.add_argument("--dataset", metavar="NAME", help="judge this dataset by the source")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        dataset = self._dataset(options["dataset"])
        try:
            result = import_documents(options["file"], options["source"], self._show_progress)
        except DataError as error:
            raise CommandError(str(error)) from None
        dataset.update(knowledge_source=result.source)
        document = {"source": result.source.name, "created": result.created, "unchanged": result.unchanged}
        if options["json"]:
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write(f"{result.source}: {result.created} created, {result.unchanged} unchanged")

    def _dataset(self, name: str | None) -> DatasetQuerySet:
        """The dataset of that name, as a QuerySet of one; of none where none is named."""
        dataset = Dataset.objects.ready().filter(name=name)
        if name is not None and not dataset.exists():
            raise CommandError(f"there is no dataset {name!r}")
        return dataset

    def _show_progress(self, written: int, total: int) -> None:
        if written < total:
            self.stderr.write(f"{written:,} of {total:,} documents written")
