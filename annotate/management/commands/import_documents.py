"""Documents of a file or a folder into a knowledge source."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.evidence.import_file import import_documents
from annotate.evidence.tokenizers import NAMES
from annotate.evidence.topics import report_on, topics_to_find
from annotate.models import Dataset
from annotate.models.dataset import DatasetQuerySet
from core.errors import DataError
from knowledge.models import KnowledgeSource


class Command(BaseCommand):
    requires_system_checks = []
    help = "Create or extend a knowledge source with documents: JSON lines, a dump in SQLite, or a folder of files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", metavar="SOURCE", help="the knowledge source")
        parser.add_argument(
            "file",
            metavar="FILE",
            type=Path,
            help="JSON lines, a dump in SQLite, or a folder of text, HTML or PDF files",
        )
        parser.add_argument(
            "--tokenizer", choices=NAMES, help="how documents are cut into passages; of a source that is there its own"
        )
        parser.add_argument(
            "--dataset", metavar="NAME", help="judge this dataset by the source; a new one is its own, else shared"
        )
        parser.add_argument(
            "--topics-of", metavar="NAME", help="take only the pages of the topics of this dataset's prompts"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        dataset, of_topics = self._dataset(options["dataset"]), self._dataset(options["topics_of"]).first()
        try:
            topics = topics_to_find(of_topics) if of_topics else None
            owner = None if KnowledgeSource.objects.filter(name=options["source"], shared=True) else dataset.first()
            result = import_documents(
                options["file"], options["source"], self._show_progress, options["tokenizer"], owner, topics
            )
        except DataError as error:
            raise CommandError(str(error)) from None
        dataset.update(knowledge_source=result.source)
        found = report_on(result.source, topics) if topics else None
        document: dict[str, object] = {
            "source": result.source.name,
            "created": result.created,
            "unchanged": result.unchanged,
            "blank": result.blank,
            "dated": result.dated,
            "tokenizer": result.source.tokenizer,
        }
        if found:
            document |= {"topics": found.topics, "resolved": found.resolved, "without_page": found.missing()}
        if options["json"]:
            self.stdout.write(json.dumps(document))
        else:
            blank = f", {result.blank} without text left out" if result.blank else ""
            dated = f", {result.dated} of them dated anew" if result.dated else ""
            self.stdout.write(f"{result.source}: {result.created} created, {result.unchanged} unchanged{dated}{blank}")
            if found:
                lines = [f"{found.resolved} of {found.topics} topics have a page", *found.missing_lines()]
                self.stdout.write("\n".join(lines))

    def _dataset(self, name: str | None) -> DatasetQuerySet:
        """The dataset of that name, as a QuerySet of one; of none where none is named."""
        dataset = Dataset.objects.ready().filter(name=name)
        if name is not None and not dataset.exists():
            raise CommandError(f"there is no dataset {name!r}")
        return dataset

    def _show_progress(self, written: int, total: int) -> None:
        if written < total:
            self.stderr.write(f"{written:,} of {total:,} documents written")
