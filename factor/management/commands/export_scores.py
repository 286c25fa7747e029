"""The scores of a scoring as JSON lines, to be imported elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import positive
from annotate.management.commands.export_dataset import write_whole
from audit.models import Action
from audit.record import record
from core.errors import DataError
from factor.management.lookup import benchmark_named
from factor.scoring.export import export_scores


class Command(BaseCommand):
    requires_system_checks = []
    help = "Write what a model gave each token of a benchmark's completions, with what it was and how it was scored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET", help="whose benchmark it is")
        parser.add_argument("benchmark", metavar="BENCHMARK")
        parser.add_argument("--model", required=True, metavar="NAME", help="its latest scoring")
        parser.add_argument("--scoring", type=positive, metavar="N", help="the scoring of this number instead")
        parser.add_argument("--output", required=True, metavar="FILE", type=Path)

    def handle(self, *args: object, **options: Any) -> None:
        benchmark = benchmark_named(options["dataset"], options["benchmark"])
        scorings = benchmark.scorings.filter(model__name=options["model"])
        if options["scoring"]:
            scorings = scorings.filter(pk=options["scoring"])
        scoring = scorings.select_related("benchmark", "model", "source").order_by("-pk").first()
        if scoring is None:
            raise CommandError(f"{benchmark} has no such scoring of {options['model']!r}")
        try:
            write_whole(options["output"], export_scores(scoring))
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, benchmark, detail=f"scores of {scoring.model}")
