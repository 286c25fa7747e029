"""Cut a dataset into tasks and reserve places on them."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from annotate.tasks.annotators import AnnotatorError
from annotate.tasks.assign import AssignError, assign


class Command(BaseCommand):
    help = "Create tasks and assign them to annotators, repeatable by seed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the dataset")
        parser.add_argument("--annotators", required=True, help="user names, separated by commas")
        parser.add_argument("--overlap", type=float, default=1.0, help="share of tasks that need several annotators")
        parser.add_argument("--per-task", type=int, default=2, help="how many these need")
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        names = [name.strip() for name in options["annotators"].split(",") if name.strip()]
        try:
            result = assign(dataset, names, options["overlap"], options["seed"], per_task=options["per_task"])
        except (AnnotatorError, AssignError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            document = {"tasks": result.tasks, "assignments": result.assignments, "seed": result.seed}
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write(
                f"{dataset.name}: {result.tasks} tasks, {result.assignments} places held (seed {result.seed})"
            )
