"""Make an evaluator and its run, and queue it or work on it here."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import InterfaceError, OperationalError

from annotate.management.arguments import positive, positive_price
from annotate.models import Dataset
from core.numbers import likely_price_text
from evaluators.methods import EDITORS, FAULTS, METHODS
from evaluators.methods.base import Method
from evaluators.methods.parameters import ParameterError, describe_parameters, split_pairs
from evaluators.models import Run
from evaluators.runs.create import NewRun, create_run
from evaluators.runs.estimate import RunEstimate, estimate
from evaluators.runs.progress import progress_of
from evaluators.runs.trial import RESPONSES, end_trial, needs_trial, show_trial
from evaluators.runs.unread import unread_of
from evaluators.runs.work_here import work_here
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.limits import Limits
from llm.errors import ModelError


class Command(BaseCommand):
    methods: ClassVar[Mapping[str, Method]] = METHODS
    made = "predicted"
    help = "Run a method over a dataset: queued for the workers, or with --wait here and now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", nargs="?", metavar="NAME")
        parser.add_argument("method", nargs="?", metavar="METHOD")
        parser.add_argument("--methods", action="store_true", help="List the methods and their parameters.")
        parser.add_argument("--name", default="", help="The evaluator's name (default: method · model).")
        parser.add_argument("--model", default="", help="The model it calls.")
        parser.add_argument("--param", nargs="+", action="extend", default=[], metavar="k=v", help="May repeat.")
        parser.add_argument("--limit", type=positive, metavar="N", help="Only the first N responses.")
        parser.add_argument("--force", action="store_true", help="Also if the same run has finished.")
        parser.add_argument("--anew", action="store_true", help="Call the model again, also for cached answers.")
        parser.add_argument("--batch-api", action="store_true", help="Ask in files, at a lower price, within a day.")
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="Maximum of tokens.")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="Maximum price.")
        parser.add_argument("--estimate", action="store_true", help="Print the estimate only.")
        parser.add_argument("--no-trial", action="store_true", help="Do not judge three responses first.")
        parser.add_argument("--wait", action="store_true", help="Run to the end in this process.")
        parser.add_argument("--json", action="store_true")
        self._usage = parser.error

    def handle(self, *args: Any, **options: Any) -> None:
        if options["methods"]:
            self._list_methods(options["json"])
            return
        if not options["method"]:
            self._usage("the following arguments are required: NAME, METHOD (or --methods)")
        if options["method"] in EDITORS and self.methods is not EDITORS:
            raise CommandError(f"{options['method']} is an editor: start it by the command edit.")
        try:
            if options["estimate"]:
                self._say_estimate(self._estimate(options), options["json"])
                return
            if not options["no_trial"]:
                self._try_three(options)
            run = self._make(options)
        except (StartError, ParameterError, ModelError) as error:
            raise CommandError(str(error)) from None
        if options["wait"]:
            work_on(run, self.stderr)
        elif run.is_active and not enqueue(run):
            self.stderr.write("The queue cannot be reached: the run waits until a worker looks for what was left.")
        run.refresh_from_db()
        self._report(run, options["json"])
        if run.state == Run.State.FAILED:
            raise CommandError(f"Run {run.pk} failed: {run.error}")
        if run.state == Run.State.OUT_OF_BUDGET:
            raise CommandError(f"Run {run.pk} stopped: {run.error} Go on: resume_runs {run.pk} with a higher limit.")

    def _try_three(self, options: dict[str, Any]) -> None:
        """Judge three responses and show them, before many calls. Raises as `_make` does, and where nothing of them
        could be read."""
        try:
            costs = self._estimate(options)
        except (StartError, ParameterError, ModelError):
            return  # said where the run is made
        if not needs_trial(costs.calls, costs.responses):
            return
        trial = self._create(options | {"limit": RESPONSES, "batch_api": False}).run
        self.stderr.write(f"{RESPONSES} responses first, of about {costs.calls} calls; --no-trial omits this.")
        try_first(trial, self.stderr)

    def _make(self, options: dict[str, Any]) -> Run:
        new = self._create(options)
        if not new.created:
            self.stderr.write(f"The same run is there already: {new.run.pk}, {new.run.state}. --force makes another.")
        return new.run

    def _create(self, options: dict[str, Any]) -> NewRun:
        return create_run(
            find_dataset(options["dataset"]),
            options["method"],
            model=options["model"],
            parameters=split_pairs(options["param"]),
            name=options["name"],
            limit=options["limit"],
            limits=Limits(options["max_tokens_total"], options["max_cost"]),
            force=options["force"],
            anew=options["anew"],
            batch_api=options["batch_api"],
        )

    def _estimate(self, options: dict[str, Any]) -> RunEstimate:
        return estimate(
            find_dataset(options["dataset"]),
            options["method"],
            model=options["model"],
            parameters=split_pairs(options["param"]),
            limit=options["limit"],
            batch_api=options["batch_api"],
        )

    def _say_estimate(self, costs: RunEstimate, as_json: bool) -> None:
        cost, likely = (None if usd is None else float(usd) for usd in (costs.cost_usd, costs.likely_usd))
        known = float(costs.known_usd)
        if as_json:
            self.stdout.write(json.dumps(asdict(costs) | {"cost_usd": cost, "likely_usd": likely, "known_usd": known}))
            return
        searches = f", at most {costs.searches} searches of the web" if costs.searches else ""
        self.stdout.write(
            f"{costs.responses} responses, about {costs.calls} calls and {costs.known} answers known already: about "
            f"{costs.prompt_tokens} tokens of prompts, likely {costs.likely_tokens} and at most "
            f"{costs.completion_tokens} of answers{searches}, {likely_price_text(likely, cost, known, costs.unpriced)}."
        )

    def _list_methods(self, as_json: bool) -> None:
        for fault in FAULTS.values():
            self.stderr.write(fault)
        if as_json:
            listed = [
                {"method": method.name, "parameters": describe_parameters(method)} for method in self.methods.values()
            ]
            self.stdout.write(json.dumps(listed))
            return
        for method in self.methods.values():
            self.stdout.write(f"{method.name}: {method.description}")
            for each in method.parameters:
                self.stdout.write(f"    {each.name}={each.default}  {each.help}")

    def _report(self, run: Run, as_json: bool) -> None:
        now = progress_of(run)
        if as_json:
            report = {
                "evaluator": run.evaluator.name,
                "run": run.pk,
                "state": run.state,
                self.made: now.predicted,
                "unparsed": now.unparsed,
                "refused": now.refused,
                "cut_off": now.cut_off,
                "failed": now.failed,
            }
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            unanswered = "".join(
                f"{units} {what}, " for units, what in ((now.refused, "refused"), (now.cut_off, "cut off")) if units
            )
            self.stdout.write(
                f"Run {run.pk} of {run.evaluator.name} is {run.state}: {now.predicted} {self.made}, "
                f"{now.unparsed} unparsed, {unanswered}{now.failed} of {now.total} responses failed."
            )
            for model, changes in run.manifest.get("adapted", {}).items():
                self.stdout.write(f"{model} was asked otherwise: {', '.join(changes)}.")
            for reason, units in now.skipped.items():
                self.stdout.write(f"Left out, {reason}: {units} units.")
        if run.state == Run.State.FINISHED and run.evaluator.model and (unread := unread_of(run, now)).is_many:
            self.stderr.write(unread.in_words())
        if now.all_failed:
            self.stderr.write(f"Every response failed in {', '.join(now.all_failed)}.")


def work_on(run: Run, errors: OutputWrapper) -> None:
    """Work on the run to its end. Raises CommandError where the database fails."""
    try:
        work_here(run, errors.write)
    except (OperationalError, InterfaceError) as error:
        sentence = f"The database failed: {str(error).strip()}. Run {run.pk} is kept: the same command goes on with it."
        raise CommandError(sentence) from None


def try_first(trial: Run, errors: OutputWrapper) -> None:
    """Work on the short run, show it, and put it out of the lists. Raises TrialError as `end_trial` does."""
    work_on(trial, errors)
    trial.refresh_from_db()
    for line in show_trial(trial):
        errors.write(line)
    end_trial(trial)


def find_dataset(name: str) -> Dataset:
    dataset = Dataset.objects.ready().filter(name=name).first()
    if dataset is None:
        raise CommandError(f"There is no dataset {name!r}.")
    return dataset
