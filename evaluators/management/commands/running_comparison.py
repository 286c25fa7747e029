"""Two evaluators compared after each prompt with gold (docs/statistics.md, As the board grows)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from core.errors import DataError
from evaluators.comparison.growing import running_comparison
from evaluators.comparison.question import level_named
from evaluators.comparison.study import find_version, study_of


class Command(BaseCommand):
    help = (
        "Print the difference of two evaluators' accuracy after each prompt, with an interval that holds at all times."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("one", metavar="ONE", help="an evaluator")
        parser.add_argument("other", metavar="OTHER", help="another one")
        parser.add_argument("--level", default="", help="segment, fact or response (default: the level of labels)")
        parser.add_argument(
            "--error-weight", metavar="W", type=float, default=1.0, help="an error counts as so many correct units"
        )
        parser.add_argument("--gold-version", metavar="V", help="a frozen version (default: current gold)")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            version = find_version(dataset, options["gold_version"])
            study = study_of(dataset, version, (options["one"], options["other"]))
            level = level_named(study.table, options["level"])
            document = running_comparison(study, options["one"], options["other"], level, options["error_weight"])
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False))
            return
        for point in document["running"][-1:]:
            self.stdout.write(
                f"{point['prompts']} prompts: {point['mean']:+.3f} [{point['low']:+.3f}, {point['high']:+.3f}]"
            )
        at = document["excluded_at"]
        self.stdout.write("0 is never left out" if at is None else f"0 is left out from prompt {at} on")
