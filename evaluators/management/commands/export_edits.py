"""The edits of an editor's last finished run as JSON lines (docs/editing.md, Files)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from audit.models import Action
from audit.record import record
from core.errors import DataError
from evaluators.editing.after import edited_responses
from evaluators.editing.export import export_pairs
from evaluators.editing.read import editing_runs


class Command(BaseCommand):
    help = "Write an editor's sentences before and after, or the edited responses, as JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("editor", metavar="EDITOR", help="the editor's name")
        parser.add_argument("--output", metavar="FILE", type=Path, required=True)
        parser.add_argument("--responses", action="store_true", help="whole responses, for import_dataset")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            [run] = editing_runs(dataset, [options["editor"]])
        except DataError as error:
            raise CommandError(str(error)) from error
        lines = list(edited_responses(run) if options["responses"] else export_pairs(run))
        try:
            options["output"].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{options['output']} cannot be written: {error.strerror}.") from None
        record(None, Action.EXPORTED, dataset, detail="edits")
        self.stdout.write(f"{options['output']}: {len(lines)} lines of {run.evaluator.name}")
