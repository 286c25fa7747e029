"""What to label next: a plan, its draws, and an evaluator's figure from the labels that were drawn.

See docs/statistics.md, Labels drawn with probabilities.
"""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from annotate.models import Dataset
from annotate.tasks.annotators import AnnotatorError
from annotate.tasks.assign import AssignError
from core.errors import DataError
from evaluators.comparison.study import study_of
from evaluators.label_next.document import LabelNextDocument, document_of
from evaluators.label_next.plan import NO_PLAN, draw_round, make_plan, plan_of
from stats.drawn_labels import RATIOS


class Command(BaseCommand):
    help = "Draw prompts to label with known probabilities, and print what their labels tell of an evaluator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--evaluator", metavar="N", help="evaluator (default: that of the plan)")
        parser.add_argument("--figure", choices=RATIOS, help="default: that of the plan, or f1")
        parser.add_argument("--plan", action="store_true", help="make a new plan for --evaluator and --figure")
        parser.add_argument("--seed", type=int, default=7, help="of the new plan")
        parser.add_argument("--draw", type=int, metavar="N", help="draw N more prompts on average and assign them")
        parser.add_argument("--annotators", default="", help="annotators: user names, separated by commas")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            document = self._carry_out(dataset, options)
        except (DataError, AssignError, AnnotatorError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False))
            return
        for line in lines(document):
            self.stdout.write(line)

    def _carry_out(self, dataset: Dataset, options: dict[str, Any]) -> LabelNextDocument:
        if options["plan"]:
            if not options["evaluator"]:
                raise CommandError("a plan needs --evaluator")
            make_plan(dataset, options["evaluator"], options["figure"] or "f1", options["seed"], None)
        plan = plan_of(dataset)
        if plan is None:
            raise CommandError(f"no estimate: {NO_PLAN}; make a plan with --plan")
        if options["draw"] is not None:
            if options["draw"] < 1:
                raise CommandError("--draw needs a number from 1 on")
            names = [name.strip() for name in options["annotators"].split(",") if name.strip()]
            draw_round(plan, options["draw"], names, None)
        name, figure = options["evaluator"] or plan.evaluator.name, options["figure"] or plan.figure
        return document_of(plan, study_of(dataset, None), name, figure)


def lines(document: LabelNextDocument) -> list[str]:
    head = f"{document['dataset']}: {document['figure']} of {document['evaluator']}, {document['prompts']} prompts"
    found = [f"{head}, {document['known']} with gold before the plan"]
    for each in document["rounds"]:
        interval = each["interval"]
        ends = "no interval" if interval is None else f"[{interval[0]:.3f}, {interval[1]:.3f}]"
        value = "–" if each["value"] is None else f"{each['value']:.3f}"
        saved = "" if each["saved"] is None else f", {each['saved']:.0f} labels saved against random"
        awaited = f", {each['awaited_labels']} of them awaited" if each["awaited"] else ""
        counts = f"{each['prompts']} prompts, {each['labels']} labels"
        found.append(f"round {each['round']}: {counts}{awaited}: {value} {ends}{saved}")
    return found
