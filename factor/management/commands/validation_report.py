"""Tables 2 and 3 of FACTOR: what people find in a sample of a benchmark's false completions.

See docs/statistics.md, FACTOR.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import positive
from annotate.people.names import user_names
from factor.management.lookup import benchmark_named
from factor.models import Benchmark, Validation
from factor.validation.agreement import COEFFICIENTS
from factor.validation.read import read_completions
from factor.validation.report import build_report
from factor.validation.tables import PROPERTIES, QUESTIONS, TYPES


class Command(BaseCommand):
    help = (
        "Print what people find in a sample of a benchmark's false completions, with intervals, and how far they agree."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="NAME", help="the dataset")
        parser.add_argument("benchmark", metavar="BENCHMARK", help="the name of its benchmark")
        parser.add_argument(
            "--sample", metavar="N", type=positive, help="the sample of this number (default: the last)"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        sample = _sample(benchmark_named(options["dataset"], options["benchmark"]), options["sample"])
        if not sample.is_complete():
            rated, wanted = sample.ratings().count(), sample.wanted()
            raise CommandError(f"sample {sample.pk} has {rated} of {wanted} ratings: its results wait for all")
        report = build_report(sample, read_completions(sample), user_names(sample.benchmark.dataset))
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in _lines(report):
            self.stdout.write(line)


def _sample(benchmark: Benchmark, number: int | None) -> Validation:
    samples = benchmark.validations.select_related("benchmark__dataset")
    found = (samples if number is None else samples.filter(pk=number)).first()
    if found is None:
        which = "no sample to validate: draw one on its page Validation" if number is None else f"no sample {number}"
        raise CommandError(f"the benchmark {benchmark.name!r} has {which}")
    return found


def _lines(report: dict[str, Any]) -> Iterator[str]:
    size, examples, raters = (report[name] for name in ("completions", "examples", "raters_each"))
    yield f"{size} false completions of {examples} examples, {raters} raters each"
    for row in report["properties"]:
        share = _text(row["value"], row["interval"])
        yield f"{PROPERTIES[row['property']]:16} {share}  n {row['n']}, open {row['open']}"
    edit = report["edit_distance"]
    deviation = "" if edit["sd"] is None else f" ± {edit['sd']:.2f}"
    yield f"{'Words changed':16} {edit['mean']:.2f}{deviation}"
    for row in report["error_types"]:
        yield f"{TYPES[row['error_type']]:16} {_text(row['value'], row['interval'])}  {row['hits']} of {row['n']}"
    for row in report["agreement"]:
        figures = "  ".join(f"{name} {_text(row[name], row['intervals'].get(name))}" for name in COEFFICIENTS)
        yield f"{QUESTIONS[row['question']]:16} {', '.join(row['raters'])}: {figures}"
    yield f"{len(report['amiss'])} found factual, not fluent or not self-consistent; {report['open']} open"


def _text(value: float | None, around: tuple[float, float] | list[float] | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" + (f" [{around[0]:.3f}, {around[1]:.3f}]" if around else "")
