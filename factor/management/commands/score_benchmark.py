"""Score a language model on a benchmark: queued for the workers, or with --wait here and now."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.grants.endpoints import find_granted
from annotate.management.arguments import positive, positive_price
from annotate.management.lookup import source_named
from annotate.models import Dataset
from factor.management.lookup import benchmark_named
from factor.models import ScoredModel, Scoring
from factor.scoring.progress import ScoringProgress, progress_of
from factor.scoring.scoring_job import ScoringJob
from factor.scoring.start import ScoringRequest, begun_so, start
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.limits import Limits
from jobs.work import work_to_the_end
from llm.errors import EndpointAddressError

Reached = ScoredModel.Reached


class Command(BaseCommand):
    help = "Score a language model on a benchmark: the log-probability of each completion after its prefix."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET", help="whose benchmark it is")
        parser.add_argument("benchmark", metavar="BENCHMARK")
        parser.add_argument("--model", required=True, metavar="NAME", help="the scored model; a new one says how")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--endpoint", metavar="NAME", help="reached at this endpoint ('' is the environment's)")
        how.add_argument("--weights", metavar="FOLDER", help="reached by this folder in WEIGHTS_DIR")
        how.add_argument("--gguf", metavar="FILE", help="reached by this GGUF file in WEIGHTS_DIR")
        parser.add_argument("--served-as", metavar="NAME", help="what the endpoint calls it (default: its name)")
        parser.add_argument("--family", default="", help="of a new model: its line of a chart")
        parser.add_argument("--parameters", type=positive, metavar="N", help="of a new model: how many it has")
        parser.add_argument("--cutoff", type=_day, metavar="YYYY-MM-DD", help="of a new model: its newest text")
        parser.add_argument("--context", type=positive, default=ScoringRequest.context_length, metavar="TOKENS")
        parser.add_argument("--no-prefix", action="store_true", help="score the completions by themselves")
        parser.add_argument(
            "--start-token", action="store_true", help="weights here: begin texts as their tokenizer does"
        )
        parser.add_argument("--source", metavar="NAME", help="retrieve from this knowledge source")
        parser.add_argument("--stride", type=positive, default=ScoringRequest.stride, metavar="TOKENS")
        parser.add_argument("--query-tokens", type=positive, default=ScoringRequest.query_tokens, metavar="TOKENS")
        parser.add_argument("--limit", type=positive, metavar="N", help="only the first N examples")
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="Stop before its calls take more")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="Stop before its calls cost more")
        parser.add_argument("--wait", action="store_true", help="score to the end in this process")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            scoring = self._scoring(options)
        except (StartError, EndpointAddressError) as error:
            raise CommandError(str(error)) from None
        if options["wait"]:
            work_to_the_end(ScoringJob(), scoring.pk)
        elif not enqueue(scoring):
            self.stderr.write("The queue cannot be reached: the examples wait until a worker looks for what was left.")
        scoring.refresh_from_db()
        self._report(scoring, progress_of(scoring), options["json"])
        if scoring.error:
            raise CommandError(scoring.error)

    def _scoring(self, options: dict[str, Any]) -> Scoring:
        """The one under way of the same model in the same way, which goes on; else a new one."""
        benchmark = benchmark_named(options["dataset"], options["benchmark"])
        model = self._model(benchmark.dataset, options)
        wish = ScoringRequest(
            context_length=options["context"],
            with_prefix=not options["no_prefix"],
            start_token=options["start_token"],
            source=source_named(benchmark.dataset, options["source"]) if options["source"] else None,
            stride=options["stride"],
            query_tokens=options["query_tokens"],
        )
        limits = Limits(options["max_tokens_total"], options["max_cost"])
        begun = begun_so(benchmark, model, wish) if model.pk else None
        if begun is not None:
            begun.resume(limits)
            return begun
        return start(benchmark, model, wish, limit=options["limit"], limits=limits)

    def _model(self, dataset: Dataset, options: dict[str, Any]) -> ScoredModel:
        """The dataset's model of this name, else a new one."""
        name = options["model"].strip()
        known = dataset.scored_models.select_related("endpoint").filter(name=name).first()
        reached = _reached(dataset, name, options)
        if known is not None:
            if reached and any(getattr(known, column) != value for column, value in reached.items()):
                raise CommandError(f"{name} is reached otherwise: {known.get_reached_by_display()}, {known.reached_as}")
            return known
        if not name or not reached:
            raise CommandError(f"there is no scored model {name!r}: say --endpoint, --weights or --gguf to add it")
        return ScoredModel(
            dataset=dataset,
            name=name,
            family=options["family"],
            parameters=options["parameters"],
            cutoff=options["cutoff"],
            **reached,
        )

    def _report(self, scoring: Scoring, progress: ScoringProgress, as_json: bool) -> None:
        report = {
            "benchmark": scoring.benchmark.name,
            "model": scoring.model.name,
            "scoring": scoring.pk,
            "state": scoring.state,
            "context_length": scoring.context_length,
            "with_prefix": scoring.with_prefix,
            "start_token": scoring.start_token,
            "examples": progress.total,
            "scored": progress.done,
            "failed": progress.failed,
            "waiting": progress.total - progress.settled,
            "completions_without_score": progress.without_score,
            "scored_tokens": scoring.scored_tokens,
            "seconds": scoring.seconds,
            "tokens_per_second": progress.tokens_a_second,
            "spent_tokens": scoring.spent_tokens,
            "spent_usd": float(scoring.spent_usd),
        }
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        speed = ""
        if scoring.seconds:
            speed = (
                f" {scoring.scored_tokens / scoring.seconds:.1f} tokens and {progress.done / scoring.seconds:.2f} "
                "examples a second."
            )
        self.stdout.write(
            f"{report['model']} on {report['benchmark']}: {progress.done} of {progress.total} examples scored, "
            f"{progress.failed} failed, {report['waiting']} waiting, {progress.without_score} completions without a "
            f"score; {scoring.state}.{speed}"
        )


def _reached(dataset: Dataset, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """How a model is reached, as columns of ScoredModel; {} where the command does not say."""
    if options["endpoint"] is not None:
        endpoint = find_granted(dataset, options["endpoint"])
        return {"reached_by": Reached.ENDPOINT, "endpoint": endpoint, "reached_as": options["served_as"] or name}
    if options["weights"]:
        return {"reached_by": Reached.TRANSFORMERS, "reached_as": options["weights"]}
    if options["gguf"]:
        return {"reached_by": Reached.LLAMA_CPP, "reached_as": options["gguf"]}
    return {}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day such as 2023-03-01") from None
