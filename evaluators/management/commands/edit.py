"""Make an editor and its run, and queue it or work on it here: `evaluate` for editors."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from evaluators.management.commands import evaluate
from evaluators.methods import EDITORS
from evaluators.methods.editing import ALL, CORRECTED, ERRORS, NO_FACTS, OF_GOLD, OF_RUN
from evaluators.runs.build import RunError, find_editor


class Command(evaluate.Command):
    methods = EDITORS
    made = "edited"
    help = "Run an editor over a dataset's sentences: queued for the workers, or with --wait here and now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--facts", choices=[NO_FACTS, OF_GOLD, OF_RUN], help="Show labelled facts (default: none).")
        parser.add_argument("--run", metavar="N", help="The run of an evaluator that labels the facts.")
        parser.add_argument(
            "--sentences", choices=[ERRORS, CORRECTED, ALL], help="The sentences to edit (default: errors)."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["method"]
        if name:
            try:
                options["method"] = find_editor(name if name in EDITORS else f"edit-{name}").name
            except RunError as error:
                raise CommandError(str(error)) from None
        given = {name: options[name] for name in ("facts", "run", "sentences") if options[name] is not None}
        options["param"] += [f"{name}={value}" for name, value in given.items()]
        super().handle(*args, **options)
