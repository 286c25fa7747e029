"""Make a benchmark from a knowledge source: queued for the workers, or with --wait here and now."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.grants.endpoints import find_granted
from annotate.management.arguments import positive, positive_price
from annotate.management.lookup import dataset_named, source_named
from evaluators.methods.parameters import ParameterError
from factor.building.build_job import BuildJob
from factor.building.parameters import read_parameters
from factor.building.progress import progress_of
from factor.building.start import BuildRequest, start
from factor.building.yield_rows import report_of, yields_shown
from factor.models import BenchmarkBuild
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.limits import Limits
from jobs.work import work_to_the_end
from llm.errors import EndpointAddressError


class Command(BaseCommand):
    help = "Make a benchmark from a knowledge source: sentences, contradictions by a model, filters, choice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET", help="whose benchmark it is to be")
        parser.add_argument("name", metavar="NAME", help="of the benchmark; one that was begun goes on")
        parser.add_argument("--source", required=True, metavar="NAME", help="the knowledge source")
        parser.add_argument("--model", required=True, help="the model that writes the contradictions")
        parser.add_argument(
            "--endpoint", default="", metavar="NAME", help="the endpoint to ask (default: that of the environment)"
        )
        parser.add_argument(
            "--documents", type=positive, default=BuildRequest.documents, metavar="N", help="to be drawn"
        )
        parser.add_argument("--seed", type=int, default=BuildRequest.seed)
        parser.add_argument(
            "--param",
            nargs="+",
            action="extend",
            default=[],
            metavar="k=v",
            help="interface, temperature, contradictions, context_words, answer_tokens, prompts (a set), and the "
            "filters, such as contradiction.by=judge contradiction.model=m fluency.by=none; may repeat",
        )
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="Stop before its calls take more")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="Stop before its calls cost more")
        parser.add_argument("--wait", action="store_true", help="make it to the end in this process")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            build = self._build(options)
        except (StartError, ParameterError, EndpointAddressError) as error:
            raise CommandError(str(error)) from None
        if options["wait"]:
            work_to_the_end(BuildJob(), build.pk)
        elif not enqueue(build):
            self.stderr.write("The queue cannot be reached: the documents wait until a worker looks for what was left.")
        build.refresh_from_db()
        self._report(build, options["json"])
        if build.error:
            raise CommandError(build.error)

    def _build(self, options: dict[str, Any]) -> BenchmarkBuild:
        """The one that was begun under the name, which goes on as it was begun but for its limits; else a new one."""
        dataset = dataset_named(options["dataset"])
        limits = Limits(options["max_tokens_total"], options["max_cost"])
        begun = BenchmarkBuild.objects.filter(benchmark__dataset=dataset, benchmark__name=options["name"].strip())
        unfinished = begun.exclude(state=BenchmarkBuild.State.FINISHED).first()
        if unfinished is not None:
            unfinished.resume(limits)
            return unfinished
        source = source_named(dataset, options["source"])
        wish = BuildRequest(
            model=options["model"],
            documents=options["documents"],
            seed=options["seed"],
            **read_parameters(options["param"]),
        )
        return start(dataset, options["name"], source, find_granted(dataset, options["endpoint"]), wish, limits=limits)

    def _report(self, build: BenchmarkBuild, as_json: bool) -> None:
        progress = progress_of(build)
        if as_json:
            self.stdout.write(json.dumps(report_of(build, progress), ensure_ascii=False))
            return
        yields = yields_shown(progress)
        self.stdout.write(f"{build.benchmark} from {build.source}: {build.get_state_display().lower()}.")
        self.stdout.write("Documents:")
        for step in yields.steps:
            self.stdout.write(f"{step.number:6}  {step.called}")
        for left in yields.documents_left:
            self.stdout.write(f"{left.number:6}  left out: {left.label}")
        self.stdout.write("Contradictions (written, usable, passed the filters, chosen):")
        for each in yields.types:
            counted = each.counted
            figures = f"{counted.written:6} {counted.fit:6} {counted.passed:6} {counted.chosen:6}"
            self.stdout.write(f"{figures}  {each.label}")
        for left in yields.candidates_left:
            self.stdout.write(f"{left.number:6}  dropped: {left.label}")
