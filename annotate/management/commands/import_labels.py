"""Labels that were made elsewhere."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.labels.import_file import LabelReader, import_labels
from annotate.labels.label_studio import CONTROL, NO_LABEL, LabelStudioReader
from annotate.labels.rows import read_labels
from annotate.management.lookup import dataset_named
from annotate.models import Value
from core.errors import DataError


class Command(BaseCommand):
    help = "Import labels by named annotators; people are created without a password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the dataset")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=("labels", "labelstudio"), default="labels")
        parser.add_argument("--control", default=CONTROL, help="Label Studio: the control that holds the judgement")
        parser.add_argument(
            "--value",
            metavar="CHOICE=VALUE",
            type=_value,
            action="append",
            default=[],
            help=f"Label Studio: a choice of the project and which of {', '.join(Value.values)} it is, or {NO_LABEL}: "
            "what has that choice is left out; repeatable",
        )
        parser.add_argument(
            "--elsewhere",
            default="",
            choices=Value.values,
            help="Label Studio: people marked stretches of the text; the value of the segments that none touches",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        label_studio = LabelStudioReader(options["control"], dict(options["value"]), options["elsewhere"], dataset)
        reader: LabelReader = read_labels if options["format"] == "labels" else label_studio.read
        try:
            imported = import_labels(dataset, options["file"], reader)
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            document = {"dataset": dataset.name, "created": imported.created, "unchanged": imported.unchanged}
            self.stdout.write(json.dumps(document))
        else:
            counts = [f"{count} {choice} left out" for choice, count in label_studio.left_out.items()]
            left_out = "".join(f", {note}" for note in [*counts, *label_studio.notes])
            self.stdout.write(
                f"{dataset.name}: {imported.created} labels created, {imported.unchanged} unchanged{left_out}"
            )


def _value(text: str) -> tuple[str, str]:
    choice, _, value = text.rpartition("=")
    if not choice or value not in (*Value.values, NO_LABEL):
        raise ArgumentTypeError(f"write CHOICE=VALUE, where VALUE is one of {', '.join(Value.values)}, {NO_LABEL}")
    return choice, value
