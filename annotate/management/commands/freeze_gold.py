"""A named, immutable version of a dataset's gold (docs/commands.md, `freeze_gold`)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.gold.freeze import FreezeError, freeze_gold
from annotate.management.lookup import dataset_named
from audit.models import Action
from audit.record import record


class Command(BaseCommand):
    help = "Give a dataset's gold as it stands a name."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("version", metavar="VERSION", help="the name of the version")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            version = freeze_gold(dataset, options["version"])
        except FreezeError as error:
            raise CommandError(str(error)) from error
        record(None, Action.GOLD_FROZEN, version, detail=str(dataset))
        if options["json"]:
            document = {
                "dataset": dataset.name,
                "version": version.name,
                "revision": version.revision,
                "hash": version.hash,
                "labels": version.labels,
            }
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write(
                f"{dataset.name} {version.name}: {version.labels} labels, revision {version.revision}, {version.hash}"
            )
