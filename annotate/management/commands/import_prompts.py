"""Prompts of a file, to be answered by a model."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotate.datasets.create import create_dataset
from annotate.models import Dataset, Scheme
from annotate.prompts.import_file import import_prompts
from annotate.prompts.labelled import datasets_named
from core.errors import DataError


class Command(BaseCommand):
    help = "Collect the prompts of a JSON-lines file, which a model is to answer (generate_responses)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("file", metavar="FILE", type=Path, help='JSON lines: {"prompt", "topic", …}')
        parser.add_argument(
            "--scheme", choices=[Scheme.FELM.value, Scheme.FACTSCORE.value], help="make the dataset, of this scheme"
        )
        parser.add_argument(
            "--without", action="append", default=[], metavar="DATASET", help="refuse its topics; may repeat"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                dataset = self._dataset(options["name"], options["scheme"])
                imported = import_prompts(dataset, options["file"], datasets_named(options["without"]))
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            document = {"dataset": dataset.name, "created": imported.created, "unchanged": imported.unchanged}
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write(f"{dataset.name}: {imported.created} prompts, {imported.unchanged} unchanged")

    def _dataset(self, name: str, scheme: str | None) -> Dataset:
        """The dataset; made where there is none and a scheme is given."""
        dataset = Dataset.objects.filter(name=name).first()
        if dataset is None and scheme is not None:
            return create_dataset(name, scheme, ready=True)
        if dataset is None or not dataset.ready:
            raise DataError(f"there is no dataset {name!r}: --scheme makes one")
        if scheme not in {None, dataset.scheme}:
            raise DataError(f"{name} is a {dataset.scheme} dataset")
        return dataset
