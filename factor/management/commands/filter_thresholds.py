"""Choosing the filters' thresholds by labelled candidates (docs/statistics.md, FACTOR; FACTOR appendix A.2)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from factor.management.lookup import benchmark_named
from factor.models import Benchmark, BenchmarkBuild, ThresholdSample
from factor.thresholds.draw import draw_sample
from factor.thresholds.report import describe
from factor.thresholds.sweeps import ThresholdResults, results_of
from ratings.errors import DrawError
from stats.proportions import Proportion


class Command(BaseCommand):
    help = "Draw candidates of a benchmark's build to be labelled, or print which thresholds the labels choose."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET")
        parser.add_argument("benchmark", metavar="BENCHMARK", help="its name; it was made here, with filters")
        parser.add_argument(
            "--draw", type=int, metavar="N", help="draw so many measured candidates; the authors took 40"
        )
        parser.add_argument("--seed", type=int, default=7, help="of the draw (7); the same seed draws the same")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        build = build_of(benchmark_named(options["dataset"], options["benchmark"]))
        if options["draw"] is not None:
            self._draw(build, options)
            return
        results = results_of(_complete_sample(build))
        if options["json"]:
            self.stdout.write(json.dumps(describe(results), ensure_ascii=False, allow_nan=False))
            return
        self._print(results)

    def _draw(self, build: BenchmarkBuild, options: dict[str, Any]) -> None:
        try:
            sample = draw_sample(build, options["draw"], options["seed"], None)
        except DrawError as error:
            raise CommandError(f"nothing was drawn: {error}") from None
        if options["json"]:
            self.stdout.write(json.dumps({"sample": sample.pk, "size": sample.size, "seed": sample.seed}))
        else:
            self.stdout.write(f"{sample.size} candidates drawn with seed {sample.seed}; label them in the browser.")

    def _print(self, results: ThresholdResults) -> None:
        for swept in results.sweeps:
            self.stdout.write(f"{swept.title}: {len(swept.samples)} labelled, in use {swept.in_use:g}")
            for step in swept.steps:
                mark = "  chosen" if step == swept.chosen else "" if step.is_allowed else "  drops too many"
                figures = f"precision {_text(step.precision):26} dropped {_text(step.dropped):26}"
                self.stdout.write(f"  {step.threshold:.1f}  {figures}{mark}".rstrip())
            if swept.chosen is None:
                self.stdout.write("  no threshold drops at most 35 %")


def build_of(benchmark: Benchmark) -> BenchmarkBuild:
    build = BenchmarkBuild.objects.filter(benchmark=benchmark).first()
    if build is None:
        raise CommandError(f"the benchmark {benchmark.name!r} came as a file: it has no candidates")
    return build


def _complete_sample(build: BenchmarkBuild) -> ThresholdSample:
    """The latest sample; CommandError where there is none, or labels are lacking."""
    sample = ThresholdSample.objects.filter(build=build).select_related("build").first()
    if sample is None:
        raise CommandError("no candidates have been drawn to be labelled yet: --draw 40")
    if not sample.is_complete():
        labelled = sample.ratings().count()
        raise CommandError(f"{labelled} of {sample.size} candidates are labelled; the labels choose once all are")
    return sample


def _text(share: Proportion) -> str:
    if share.value is None or share.interval is None:
        return "–"
    return f"{share.value:.3f} [{share.interval[0]:.3f}, {share.interval[1]:.3f}]"
