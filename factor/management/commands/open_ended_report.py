"""Tables 4 and 5 of FACTOR: whether what models write is true, where they preferred the true sentence and where not."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from factor.management.lookup import benchmark_named
from factor.models import Benchmark, OpenEndedStudy
from factor.open_ended.document import document_of
from factor.open_ended.results import StudyResults, results_of
from factor.open_ended.tables import FATES, GROUPS
from stats.open_ended import AccuracyDifference


class Command(BaseCommand):
    help = "Print what people found in the texts of a benchmark's open-ended studies, and how every two of them differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="NAME", help="the dataset")
        parser.add_argument("benchmark", metavar="BENCHMARK", help="the name of its benchmark")
        parser.add_argument(
            "--study", metavar="N", type=int, action="append", help="only the study of this number; may repeat"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = _studies(benchmark_named(options["dataset"], options["benchmark"]), options["study"])
        results, differences = results_of(studies)
        if options["json"]:
            document = document_of(options["dataset"], options["benchmark"], results, differences)
            self.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False))
            return
        for line in _lines(results, differences):
            self.stdout.write(line)


def _studies(benchmark: Benchmark, numbers: list[int] | None) -> list[OpenEndedStudy]:
    found = OpenEndedStudy.objects.filter(scoring__benchmark=benchmark).select_related("scoring__model")
    by_number = {study.pk: study for study in found}
    missing = [number for number in numbers or () if number not in by_number]
    if missing:
        raise CommandError(f"the benchmark {benchmark.name!r} has no study {missing[0]}")
    if not by_number:
        raise CommandError(f"the benchmark {benchmark.name!r} has no study: begin one on its page Open-ended")
    return [by_number[number] for number in dict.fromkeys(numbers or by_number)]


def _lines(results: Sequence[StudyResults], differences: Sequence[AccuracyDifference]) -> Iterator[str]:
    names = [str(each.study.scoring.model) for each in results]
    for each, name in zip(results, names, strict=True):
        yield f"{name}, study {each.study.pk}"
        for row in each.rows:
            shares = "  ".join(f"{what} {_text(getattr(row, what).value)}" for what in ("neutral", "true", "false"))
            around = row.accuracy.interval
            ends = f" [{around.low:.3f}, {around.high:.3f}]" if around else ""
            yield f"  {GROUPS[row.name]:15} {row.n:5} texts  {shares}  accuracy {_text(row.accuracy.value)}{ends}"
        for fate, number in each.fates.items():
            yield f"  {FATES[fate]}: {number}"
    for pair in differences:
        one, other = (names[place] for place in pair.places)
        if pair.difference is None:
            yield f"{one} – {other}: undefined"
            continue
        ends = f" [{pair.interval.low:+.3f}, {pair.interval.high:+.3f}]" if pair.interval else ""
        yield f"{one} – {other}: {pair.difference:+.3f}{ends}"


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
