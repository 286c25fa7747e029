"""The perplexity of a language model over a corpus (docs/statistics.md, FACTOR)."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import natural, positive, positive_price
from annotate.management.lookup import dataset_named, source_named
from factor.language_models.ready import check_ready
from factor.models import Perplexity, ScoredModel
from factor.perplexity.perplexity_job import PerplexityJob
from factor.perplexity.progress import summary_of
from factor.perplexity.start import PerplexityRequest, start
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.limits import Limits
from jobs.work import work_to_the_end
from knowledge.models import KnowledgeSource
from llm.weights import NotReadyError
from stats.bootstrap import Interval


class Command(BaseCommand):
    help = "Score a language model on a sample of a knowledge source's documents, and print its perplexity there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET")
        parser.add_argument("source", metavar="SOURCE", help="the knowledge source")
        parser.add_argument("--model", required=True, metavar="NAME", help="a language model of the dataset")
        parser.add_argument(
            "--documents", type=positive, default=PerplexityRequest.documents, help="how many are drawn (300)"
        )
        parser.add_argument("--seed", type=natural, default=PerplexityRequest.seed, help="of the draw (0)")
        parser.add_argument(
            "--context",
            type=positive,
            default=PerplexityRequest.context_length,
            metavar="TOKENS",
            help="read at once (1024)",
        )
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="Stop before its calls take more")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="Stop before its calls cost more")
        parser.add_argument("--wait", action="store_true", help="score to the end in this process")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        model = _model_named(options["dataset"], options["model"])
        source = source_named(model.dataset, options["source"])
        wish = PerplexityRequest(options["documents"], options["seed"], options["context"])
        try:
            check_ready(model, wish.context_length)
            perplexity = _pass(model, source, wish, Limits(options["max_tokens_total"], options["max_cost"]))
        except (StartError, NotReadyError) as error:
            raise CommandError(str(error)) from None
        if options["wait"]:
            work_to_the_end(PerplexityJob(), perplexity.pk)
        elif perplexity.state == Perplexity.State.SCORING and not enqueue(perplexity):
            self.stderr.write("The queue cannot be reached: the documents wait until a worker looks for what was left.")
        perplexity.refresh_from_db()
        document = describe(perplexity)
        self.stdout.write(
            json.dumps(document, ensure_ascii=False, allow_nan=False) if options["json"] else _sentence(document)
        )
        if perplexity.error:
            raise CommandError(perplexity.error)


def _model_named(dataset: str, name: str) -> ScoredModel:
    model = dataset_named(dataset).scored_models.filter(name=name).first()
    if model is None:
        raise CommandError(f"the dataset {dataset!r} has no language model {name!r}")
    return model


def _pass(model: ScoredModel, source: KnowledgeSource, wish: PerplexityRequest, limits: Limits) -> Perplexity:
    """The one of just this that there is, which goes on where it was stopped; else a new one."""
    begun = Perplexity.objects.filter(
        model=model, source=source, revision=source.revision, seed=wish.seed, context_length=wish.context_length
    )
    for each in begun:
        if each.documents == min(wish.documents, source.documents.visible().count()):
            each.resume(limits)
            return each
    return start(model, source, wish, limits=limits)


def _sentence(document: dict[str, Any]) -> str:
    held = document["before_cutoff"]
    dated = "" if held is None else f"; {held['before']} dated up to its cut-off, {held['undated']} without a date"
    return (
        f"{document['model']} over {document['source']}: perplexity {_figure(document, 'perplexity', 2)}, "
        f"{_figure(document, 'bits_per_character', 3)} bits per character over {document['tokens']:,} tokens of "
        f"{document['scored']} of {document['documents']} documents ({document['failed']} failed{dated}); "
        f"{document['state']}."
    )


def _figure(document: dict[str, Any], name: str, digits: int) -> str:
    value, ends = document[name], document[f"{name}_interval"]
    if value is None:
        return "–"
    return f"{value:.{digits}f}" + (f" [{ends[0]:.{digits}f}, {ends[1]:.{digits}f}]" if ends else "")


def describe(perplexity: Perplexity) -> dict[str, Any]:
    """Figures are null where no document is scored, intervals below two; `before_cutoff` where the model's cut-off is
    not known."""
    summary = summary_of(perplexity)
    figures = summary.figures
    return {
        "model": perplexity.model.name,
        "source": perplexity.source.name,
        "revision": perplexity.revision,
        "seed": perplexity.seed,
        "context_length": perplexity.context_length,
        "state": perplexity.state,
        "documents": summary.total,
        "scored": summary.done,
        "failed": summary.failed,
        "tokens": figures.tokens,
        "characters": figures.characters,
        "perplexity": figures.perplexity,
        "perplexity_interval": _ends(figures.perplexity_interval),
        "bits_per_character": figures.bits_per_character,
        "bits_per_character_interval": _ends(figures.bits_interval),
        "before_cutoff": asdict(summary.dates) if summary.dates else None,
        "tokens_per_second": perplexity.speed,
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return interval.ends() if interval else None
