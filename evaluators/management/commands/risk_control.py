"""The cheapest threshold that keeps a stated rate of mistakes (docs/statistics.md, Promises)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from core.errors import DataError
from evaluators.comparison.question import level_named
from evaluators.comparison.study import find_version, study_of
from evaluators.thresholds.promises import AMONG_PASSED, MISSED, Promise, PromiseOutcome, promise_of
from evaluators.thresholds.read import Scope


class Command(BaseCommand):
    help = "Print the cheapest threshold on an evaluator's scores that keeps a rate of mistakes, with a probability."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--evaluator", metavar="N", required=True, help="units above its threshold are accepted")
        parser.add_argument("--then", metavar="N", help="for the other units (default: people)")
        rates = parser.add_mutually_exclusive_group()
        rates.add_argument("--missed", metavar="R", type=float, help="maximum share of accepted errors (0.1)")
        rates.add_argument("--wrong-passed", metavar="R", type=float, help="maximum share of errors in accepted units")
        parser.add_argument("--probability", metavar="P", type=float, default=Promise.probability)
        parser.add_argument(
            "--most-units",
            metavar="M",
            type=int,
            help="a prompt counts as its units, at most so many (default: each prompt with an error counts the same)",
        )
        parser.add_argument("--level", default="", help="segment, fact or response (default: the level of labels)")
        parser.add_argument("--gold-version", metavar="V", help="a frozen version (default: current gold)")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        missed, wrong = options["missed"], options["wrong_passed"]
        promise = Promise(
            options["evaluator"],
            options["then"],
            MISSED if wrong is None else AMONG_PASSED,
            next((each for each in (missed, wrong) if each is not None), Promise.rate),
            options["probability"],
            options["most_units"],
        )
        try:
            study = study_of(dataset, find_version(dataset, options["gold_version"]))
            outcome = promise_of(study, promise, Scope(level_named(study.table, options["level"])))
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(outcome, ensure_ascii=False, allow_nan=False))
            return
        self.stdout.write(sentence(outcome))


def sentence(outcome: PromiseOutcome) -> str:
    setting = outcome["qualified"]
    if outcome["refused"]:
        return f"No guarantee possible: {outcome['refused']}."
    if setting is None:
        needed = outcome["needed"]
        return "No threshold found" + (f": about {needed} prompts needed." if needed else ": the rate is too high.")
    return (
        f"threshold {setting['threshold']:g}: not passed {setting['deferred']:.3f}, "
        f"rate here {setting['rate'] or 0:.3f}, upper bound {setting['bound']:.3f}"
    )
