"""How often each model prefers what is true (docs/statistics.md, FACTOR)."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.errors import DataError
from core.numbers import p_text
from factor.management.lookup import benchmark_named
from factor.results.comparisons import ranks_of
from factor.results.document import describe_benchmark
from factor.results.report_types import FactorReport, ShareFigures
from stats.factor import MEAN, RULES


class Command(BaseCommand):
    help = "Print the accuracy of every scoring of a benchmark, with all that it is held against."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET")
        parser.add_argument("benchmark", metavar="BENCHMARK")
        parser.add_argument("--scoring", metavar="N", type=int, action="append", help="only this one; may repeat")
        parser.add_argument(
            "--rule", choices=list(RULES), default=MEAN, help="by which models are compared and examples parted"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        benchmark = benchmark_named(options["dataset"], options["benchmark"])
        try:
            report = describe_benchmark(benchmark, options["scoring"], options["rule"])
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in table(report):
            self.stdout.write(line)


def table(report: FactorReport) -> Iterator[str]:
    """The report for reading: every scoring by the three rules, then the pairs that are told apart."""
    chance = "–" if report["chance"] is None else f"{100 * report['chance']:.1f} %"
    sizes = f"{report['examples']} examples of {report['documents']} documents"
    yield f"{sizes}, {report['excluded']} excluded; {chance} by lot"
    ranks = ranks_of(report["scorings"], report["pairs"])
    rules = "".join(f"{rule:>26}" for rule in RULES)
    yield f"{'':>6} {'scoring':44} {'rank':>6} {'n':>6} {'ties':>5} {'miss':>5}{rules}"
    for each in report["scorings"]:
        low, high = ranks[each["scoring"]]
        ruled = each["rules"][report["rule"]]
        accuracies = "".join(f"{_accuracy(each['rules'][rule]):>26}" for rule in RULES)
        yield (
            f"{each['scoring']:>6} {each['name']:44} {f'{low}-{high}':>6} {each['n']:6} {ruled['ties']:5} "
            f"{ruled['missing']:5}{accuracies}"
        )
    names = {each["scoring"]: each["name"] for each in report["scorings"]}
    for pair in report["pairs"]:
        if pair["better"] is not None and pair["difference"] is not None:
            worse = pair["other"] if pair["better"] == pair["one"] else pair["one"]
            yield (
                f"{names[pair['better']]} is better than {names[worse]} by {100 * abs(pair['difference']):.1f} points, "
                f"{p_text(pair['p_adjusted'])}"
            )


def _accuracy(figures: ShareFigures) -> str:
    if figures["accuracy"] is None:
        return "–"
    around = figures["interval"]
    accuracy = f"{100 * figures['accuracy']:.1f} %"
    return accuracy if around is None else f"{accuracy} [{100 * around[0]:.1f}, {100 * around[1]:.1f}]"
