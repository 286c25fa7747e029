"""Every evaluator against gold (docs/statistics.md, Error detection, and FActScore of a subject model)."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import add_k
from annotate.management.lookup import dataset_named
from core.errors import DataError
from evaluators.comparison.documents import Report
from evaluators.comparison.report import build_report


class Command(BaseCommand):
    help = "Print every metric of every evaluator's last finished run, against gold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--gold-version", metavar="V", help="a frozen version (default: current gold)")
        parser.add_argument("--evaluator", metavar="N", action="append", help="only this one; may repeat")
        add_k(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        try:
            report = build_report(dataset, options["gold_version"], options["evaluator"], options["k"])
        except DataError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in table(report):
            self.stdout.write(line)


def table(report: Report) -> Iterator[str]:
    """The report for reading: detection slice by slice, the estimated scores, then the code of each method.

    The column "whole" is the F1 with undecided units counted as wrong.
    """
    head = f"{'evaluator':28} {'level':9} {'slice':14} {'n':>6} {'cover':>6} {'P':>6} {'R':>6}"
    yield f"{head}  {'F1':22} {'whole':>6} balanced"
    for evaluator in report["evaluators"]:
        for row in evaluator["results"]:
            (name,) = row["slice"].values()
            yield (
                f"{evaluator['evaluator']:28} {row['level']:9} {name:14} {row['n']:6} {_rate(row['coverage']):>6} "
                f"{_rate(row['precision']):>6} {_rate(row['recall']):>6}  {_with_interval(row, 'f1'):22} "
                f"{_rate(row['pessimistic']['f1']):>6} {_with_interval(row, 'balanced_accuracy')}"
            )
    for evaluator in report["evaluators"]:
        for subject in evaluator["subjects"]:
            yield (
                f"{evaluator['evaluator']:28} {subject['subject']:24} FActScore {_rate(subject['factscore'])}, "
                f"estimated {_with_interval(subject, 'estimated')}, bias {_with_interval(subject, 'bias')} "
                f"{subject['direction']}"
            )
        for at_k in evaluator["at_k"]["subjects"] if evaluator["at_k"] else ():
            yield (
                f"{evaluator['evaluator']:28} {at_k['subject']:24} F1@K {_with_interval(at_k, 'f1')}, "
                f"recall {_with_interval(at_k, 'recall')}, precision {_rate(at_k['precision'])}"
            )
    for evaluator in report["evaluators"]:
        if code := evaluator["method_code"]:
            package = f"{code['package']} {code['version']}" if code["package"] else "this project"
            yield f"{evaluator['evaluator']:28} code of {package}, {(code['hash'] or '–')[:12]}"


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    around = row[f"{name}_interval"]
    return _rate(row[name]) + (f" [{around[0]:.3f}, {around[1]:.3f}]" if around else "")


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
