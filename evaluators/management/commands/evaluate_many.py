"""Start one method with several models, or several methods with one model, as one batch."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import positive, positive_price
from core.numbers import likely_price_text
from evaluators.management.commands.evaluate import find_dataset, try_first
from evaluators.methods.parameters import ParameterError, split_pairs
from evaluators.runs.batches import NewBatch, batch_name, create_batch, create_trial, given_to, pairs_of
from evaluators.runs.estimate import estimate_all
from evaluators.runs.trial import RESPONSES, needs_trial
from evaluators.runs.work_here import work_here
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.limits import Limits
from llm.errors import ModelError


class Command(BaseCommand):
    help = "Run one method with several models, or several methods with one model, under one budget."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="NAME")
        parser.add_argument("--methods", nargs="+", required=True, metavar="METHOD")
        parser.add_argument("--models", nargs="+", default=[], metavar="MODEL")
        parser.add_argument("--name", default="", help="The batch's name (default: what its runs share).")
        parser.add_argument(
            "--param", nargs="+", action="extend", default=[], metavar="k=v", help="Of methods that call a model."
        )
        parser.add_argument("--search", default="", metavar="ENGINE", help="Of methods that search the web.")
        parser.add_argument("--limit", type=positive, metavar="N", help="Only the first N responses.")
        parser.add_argument("--force", action="store_true", help="Also where the same run has finished.")
        parser.add_argument("--batch-api", action="store_true", help="Ask in files, at a lower price, within a day.")
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="Maximum of tokens, of all runs.")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="Maximum price, of all runs.")
        parser.add_argument("--no-trial", action="store_true", help="Do not judge three responses of each run first.")
        parser.add_argument("--estimate", action="store_true", help="Print the estimate only.")
        parser.add_argument("--wait", action="store_true", help="Run to the end in this process, one after the other.")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            parameters = split_pairs(options["param"])
            if options["estimate"]:
                self._say_estimate(options, parameters)
                return
            if not options["no_trial"]:
                self._try_three(options, parameters)
            new = create_batch(
                find_dataset(options["dataset"]),
                options["methods"],
                options["models"],
                parameters=parameters,
                search=options["search"],
                name=options["name"],
                limit=options["limit"],
                limits=Limits(options["max_tokens_total"], options["max_cost"]),
                force=options["force"],
                batch_api=options["batch_api"],
            )
        except (StartError, ParameterError, ModelError) as error:
            raise CommandError(str(error)) from None
        self._begin(new, wait=options["wait"])
        self._report(new, options["json"])

    def _try_three(self, options: dict[str, Any], parameters: dict[str, str]) -> None:
        """Judge three responses by each method and model and show them, before many calls. Raises StartError where
        nothing of those of one could be read."""
        dataset = find_dataset(options["dataset"])
        pairs = pairs_of(options["methods"], options["models"])
        given = given_to(pairs, parameters, options["search"])
        total = estimate_all(dataset, pairs, given, options["limit"])
        name = options["name"].strip() or batch_name(pairs)
        for (method, model, costs), texts in zip(total.runs, given, strict=True):
            if costs.calls and needs_trial(total.calls, costs.responses):
                trial = create_trial(
                    dataset, method, model, texts, name, Limits(options["max_tokens_total"], options["max_cost"])
                )
                self.stderr.write(
                    f"{trial.evaluator.name}: {RESPONSES} responses first, of about {total.calls} calls of all runs; "
                    "--no-trial omits this."
                )
                try_first(trial, self.stderr)

    def _begin(self, new: NewBatch, *, wait: bool) -> None:
        for run in new.begun:
            if wait:
                work_here(run, self.stderr.write)
            elif not enqueue(run):
                self.stderr.write(f"The queue cannot be reached: run {run.pk} waits until a worker looks for it.")

    def _report(self, new: NewBatch, as_json: bool) -> None:
        runs = (*new.begun, *new.known)
        for run in runs:
            run.refresh_from_db()
        listed = [{"run": run.pk, "evaluator": run.evaluator.name, "state": run.state} for run in runs]
        if as_json:
            self.stdout.write(json.dumps({"batch": new.batch.pk, "runs": listed}, ensure_ascii=False))
            return
        self.stdout.write(f"Batch {new.batch.pk}, {new.batch.name}: {len(new.begun)} runs, {len(new.known)} known.")
        for each in listed:
            self.stdout.write(f"    {each['run']}  {each['evaluator']}: {each['state']}")

    def _say_estimate(self, options: dict[str, Any], parameters: dict[str, str]) -> None:
        pairs = pairs_of(options["methods"], options["models"])
        given = given_to(pairs, parameters, options["search"])
        dataset = find_dataset(options["dataset"])
        total = estimate_all(dataset, pairs, given, options["limit"], options["batch_api"])
        likely, most = (None if usd is None else float(usd) for usd in (total.likely_usd, total.cost_usd))
        known = float(total.known_usd)
        if options["json"]:
            found = {"runs": len(total.runs), "calls": total.calls, "likely_usd": likely, "cost_usd": most}
            self.stdout.write(json.dumps(found | {"known_usd": known, "unpriced": total.unpriced}))
        else:
            price = likely_price_text(likely, most, known, total.unpriced)
            self.stdout.write(f"{len(total.runs)} runs, about {total.calls} calls: {price}.")
