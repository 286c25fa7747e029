"""Queue the work that a lost worker left."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import positive, positive_price
from core.numbers import LARGEST_NUMBER
from evaluators.models import Run
from evaluators.runs.run_job import RunJob
from jobs.enqueue import enqueue, sweep
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits


class Command(BaseCommand):
    help = "Queue what a lost worker left; the runs named are taken up also if they failed or were cancelled."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", nargs="*", type=int, metavar="RUN", help="Numbers of runs.")
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="The new limit of the runs named.")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="The new limit of the runs named.")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        limits = Limits(options["max_tokens_total"], options["max_cost"])
        if limits != NO_LIMITS and not options["runs"]:
            raise CommandError("Name the runs that the new limit is for.")
        resumed = self._resume(options["runs"], limits) if options["runs"] else sweep(RunJob())
        if options["json"]:
            self.stdout.write(json.dumps({"resumed": resumed}))
        elif resumed:
            self.stdout.write(f"Resumed: {', '.join(map(str, resumed))}.")
        else:
            self.stdout.write("There is nothing to resume.")

    def _resume(self, keys: list[int], limits: Limits) -> list[int]:
        runs = Run.objects.in_bulk([key for key in keys if key <= LARGEST_NUMBER])
        unknown = [key for key in keys if key not in runs]
        if unknown:
            raise CommandError(f"There is no run {unknown[0]}.")
        try:
            resumed = [key for key in dict.fromkeys(keys) if runs[key].resume(limits)]
        except StartError as error:
            raise CommandError(str(error)) from None
        for key in resumed:
            enqueue(runs[key])
        return resumed
