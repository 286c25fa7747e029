"""Predictions of an evaluator that ran elsewhere."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from annotate.models import Value
from core.errors import DataError
from evaluators.predictions.import_file import import_inspect_log, import_predictions
from evaluators.predictions.inspect_log import InspectReader
from evaluators.predictions.origin import Origin
from evaluators.runs.build import RunError
from evaluators.runs.covered import covered_by

OF_ORIGIN = ("model", "cost", "date", "link", "paper")
OF_PREDICTIONS = ("partial", *OF_ORIGIN)
OF_INSPECT = ("scorer", "epoch")


class Command(BaseCommand):
    help = "Import the predictions of an outside evaluator; the same file again adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="The dataset.")
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--evaluator", required=True, metavar="N", help="The evaluator's name, new or known.")
        parser.add_argument("--partial", action="store_true", help="Leave out rows that cannot be stored.")
        parser.add_argument("--format", choices=("predictions", "inspect"), default="predictions")
        parser.add_argument("--scorer", default="", metavar="S", help="inspect: the scorer (default: its only one)")
        parser.add_argument("--epoch", type=int, metavar="N", help="inspect: whose scores (default: 1)")
        parser.add_argument(
            "--value",
            metavar="SCORE=VALUE",
            type=_value,
            action="append",
            default=[],
            help=f"A value of the file and which of {', '.join(Value.values)} it is; repeatable.",
        )
        parser.add_argument("--model", default="", metavar="M", help="The language model that judged.")
        parser.add_argument("--cost", type=float, metavar="USD", help="The price of all predictions together.")
        parser.add_argument("--date", default="", metavar="YYYY-MM-DD", help="The day of the predictions.")
        parser.add_argument("--link", default="", metavar="URL", help="Their code or data.")
        parser.add_argument("--paper", default="", metavar="P", help="A citation, a DOI or an address.")
        parser.add_argument("--json", action="store_true", help="Print one JSON document and nothing else.")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        is_log = options["format"] == "inspect"
        if unused := [name for name in (OF_PREDICTIONS if is_log else OF_INSPECT) if options[name]]:
            raise CommandError(f"--{unused[0]} changes nothing with --format {options['format']}: leave it out.")
        values = dict(options["value"])
        try:
            if is_log:
                reader = InspectReader(options["scorer"], options["epoch"] or 1, values)
                imported = import_inspect_log(dataset, options["file"], options["evaluator"], reader)
            else:
                imported = import_predictions(
                    dataset,
                    options["file"],
                    options["evaluator"],
                    values=values,
                    partial=options["partial"],
                    origin=Origin(*(options[name] for name in OF_ORIGIN)),
                )
        except (DataError, RunError) as error:
            raise CommandError(str(error)) from error
        document = {
            "evaluator": options["evaluator"],
            "run": imported.run.pk,
            "created": imported.created,
            "unchanged": imported.unchanged,
            "left_out": len(imported.left_out),
        }
        for number, cause in imported.left_out:
            self.stderr.write(f"{options['file'].name}, {number}: {cause}")
        for sentence in imported.reading_in_words():
            self.stderr.write(sentence)
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False))
        else:
            covered = covered_by([imported.run], dataset)[imported.run.pk]
            self.stdout.write(
                f"{options['evaluator']}: {imported.created} predictions created, {imported.unchanged} unchanged. "
                f"The run covers {covered}."
            )


def _value(text: str) -> tuple[str, str]:
    score, _, value = text.rpartition("=")
    if not score or value not in Value.values:
        raise ArgumentTypeError(f"write SCORE=VALUE, where VALUE is one of {', '.join(Value.values)}")
    return score, value
