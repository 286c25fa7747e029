"""Show, stop or go on with a batch of runs."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import positive, positive_price
from core.numbers import LARGEST_NUMBER, dollars_text
from evaluators.models import RunBatch
from evaluators.runs.batches import resume_batch, runs_of, stop_batch
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits


class Command(BaseCommand):
    help = "Show a batch of runs; with --stop or --resume stop it or go on with it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("batch", type=positive, metavar="BATCH", help="Its number.")
        does = parser.add_mutually_exclusive_group()
        does.add_argument("--stop", action="store_true", help="Stop its runs; what they have is kept.")
        does.add_argument("--resume", action="store_true", help="Queue what is left.")
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="With --resume: the new limit.")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="With --resume: the new limit.")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        limits = Limits(options["max_tokens_total"], options["max_cost"])
        if limits != NO_LIMITS and not options["resume"]:
            raise CommandError("A new limit goes with --resume.")
        known = RunBatch.objects.select_related("dataset").filter(pk=min(options["batch"], LARGEST_NUMBER)).first()
        if known is None:
            raise CommandError(f"There is no batch {options['batch']}.")
        if options["stop"]:
            stop_batch(known)
        if options["resume"]:
            self._resume(known, limits)
        self._show(known, options["json"])

    def _resume(self, batch: RunBatch, limits: Limits) -> None:
        try:
            resumed = resume_batch(batch, limits)
        except StartError as error:
            raise CommandError(str(error)) from None
        for run in resumed:
            enqueue(run)
        batch.refresh_from_db()

    def _show(self, batch: RunBatch, as_json: bool) -> None:
        listed = [{"run": run.pk, "evaluator": run.evaluator.name, "state": run.state} for run in runs_of(batch)]
        spent = {"spent_tokens": batch.spent_tokens, "spent_usd": float(batch.spent_usd)}
        if as_json:
            self.stdout.write(json.dumps({"batch": batch.pk, **spent, "runs": listed}, ensure_ascii=False))
            return
        price = dollars_text(float(batch.spent_usd))
        self.stdout.write(f"Batch {batch.pk}, {batch.name}: {batch.spent_tokens} tokens, {price} spent.")
        for each in listed:
            self.stdout.write(f"    {each['run']}  {each['evaluator']}: {each['state']}")
