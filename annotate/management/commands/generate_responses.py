"""Let a model answer a dataset's prompts: queued for the workers, or with --wait here and now."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.grants.endpoints import find_granted
from annotate.management.arguments import natural, positive, positive_price
from annotate.management.lookup import dataset_named
from annotate.models import Dataset, Generation
from annotate.prompts.estimate import AnswerEstimate, estimate
from annotate.prompts.generation_job import GenerationJob
from annotate.prompts.progress import progress_of
from annotate.prompts.start import GenerationSettings, start
from core.numbers import price_text
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.limits import Limits
from jobs.work import work_to_the_end
from llm.errors import EndpointAddressError
from llm.interfaces import INTERFACES
from llm.models import Endpoint


class Command(BaseCommand):
    help = "Let a model answer the dataset's collected prompts, zero-shot; its answers become responses."

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = GenerationSettings("")
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("model", metavar="MODEL", help="the model to ask")
        parser.add_argument("--subject", default="", help="what its responses name it (default: the model)")
        parser.add_argument(
            "--endpoint", default="", metavar="NAME", help="the endpoint to ask (default: that of the environment)"
        )
        parser.add_argument("--interface", choices=INTERFACES, default=usual.interface)
        parser.add_argument("--temperature", type=float, default=usual.temperature)
        parser.add_argument("--max-tokens", type=positive, default=usual.max_tokens)
        parser.add_argument("--samples", type=natural, default=usual.samples, help="other answers, for self-check")
        parser.add_argument("--sample-temperature", type=float, default=usual.sample_temperature)
        parser.add_argument("--max-tokens-total", type=positive, metavar="N", help="Stop before its calls take more")
        parser.add_argument("--max-cost", type=positive_price, metavar="USD", help="Stop before its calls cost more")
        parser.add_argument("--estimate", action="store_true", help="say what it would take, and ask nothing")
        parser.add_argument("--limit", type=positive, metavar="N", help="only the first N unanswered prompts")
        parser.add_argument("--wait", action="store_true", help="ask to the end in this process")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        settings = GenerationSettings(**{name: options[name] for name in GenerationSettings.__dataclass_fields__})
        limits = Limits(options["max_tokens_total"], options["max_cost"])
        try:
            endpoint = find_granted(dataset, options["endpoint"])
            if options["estimate"]:
                self._say(estimate(dataset, endpoint, settings, options["limit"]), options["json"])
                return
            generation = self._generation(dataset, endpoint, settings, options["limit"], limits)
        except (StartError, EndpointAddressError) as error:
            raise CommandError(str(error)) from None
        if options["wait"]:
            work_to_the_end(GenerationJob(), generation.pk)
        elif not enqueue(generation):
            self.stderr.write("The queue cannot be reached: the prompts wait until a worker looks for what was left.")
        generation.refresh_from_db()
        self._report(generation, options["json"])
        if generation.error:
            raise CommandError(generation.error)

    def _generation(
        self, dataset: Dataset, endpoint: Endpoint, settings: GenerationSettings, limit: int | None, limits: Limits
    ) -> Generation:
        """The one under way of the same subject, which goes on as it was begun but for its limits; else a new one."""
        begun = dataset.generations.filter(subject=settings.name).exclude(state=Generation.State.FINISHED).first()
        if begun is not None:
            begun.resume(limits)
            return begun
        return start(dataset, endpoint, settings, limit=limit, limits=limits)

    def _say(self, estimated: AnswerEstimate, as_json: bool) -> None:
        cost = None if estimated.cost_usd is None else float(estimated.cost_usd)
        if as_json:
            known = float(estimated.known_usd)
            self.stdout.write(json.dumps({**asdict(estimated), "cost_usd": cost, "known_usd": known}))
            return
        self.stdout.write(
            f"{estimated.prompts} prompts, {estimated.calls} calls ({estimated.known} answers known): about "
            f"{estimated.prompt_tokens:,} tokens of prompts, at most {estimated.completion_tokens:,} of "
            f"answers; {price_text(cost, float(estimated.known_usd), estimated.unpriced)}."
        )

    def _report(self, generation: Generation, as_json: bool) -> None:
        progress = progress_of(generation)
        report = {
            "dataset": generation.dataset.name,
            "subject": generation.subject,
            "state": generation.state,
            "prompts": progress.total,
            "answered": progress.done,
            "failed": progress.failed,
            "waiting": progress.total - progress.settled,
            "cut_off": progress.cut_off,
            "spent_tokens": generation.spent_tokens,
            "spent_usd": float(generation.spent_usd),
        }
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            self.stdout.write(
                f"{report['dataset']}: {report['subject']} answered {report['answered']} of {report['prompts']} "
                f"prompts ({report['cut_off']} cut off), {report['failed']} failed, {report['waiting']} waiting; "
                f"{report['state']}."
            )
