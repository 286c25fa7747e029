"""Let a model propose atomic facts or segments: queued for the workers, or with --wait here and now."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Max

from annotate.grants.endpoints import find_granted
from annotate.management.arguments import positive
from annotate.management.lookup import dataset_named
from annotate.models import Dataset, Proposal
from annotate.models.prompt_set import PROJECT_SET
from annotate.proposals.proposal_job import ProposalJob
from annotate.proposals.start import last_model, start, unproposed
from jobs.enqueue import enqueue_key
from jobs.errors import StartError
from jobs.work import work_to_the_end
from llm.errors import EndpointAddressError

State = Proposal.State


class Command(BaseCommand):
    help = "Let a model propose the atomic facts of responses without any, or the segments of math and recommendations."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("kind", choices=Proposal.Kind.values)
        parser.add_argument("--model", default="", help="the model to ask (default: the one asked last)")
        parser.add_argument(
            "--endpoint", default="", help="the endpoint of the model (default: that of the environment)"
        )
        parser.add_argument(
            "--prompts", default=PROJECT_SET, metavar="SET", help="the prompt set (default: the project's)"
        )
        parser.add_argument("--limit", type=positive, metavar="N", help="only the first N responses")
        parser.add_argument("--wait", action="store_true", help="ask to the end in this process")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        kind, model = options["kind"], options["model"].strip() or last_model(dataset)
        before = Proposal.objects.aggregate(last=Max("pk"))["last"] or 0
        try:
            endpoint = find_granted(dataset, options["endpoint"]) if options["endpoint"] else None
            wish = {"limit": options["limit"], "endpoint": endpoint, "prompts": options["prompts"]}
            start(dataset, unproposed(dataset, kind), kind, model, **wish)
        except (StartError, EndpointAddressError) as error:
            raise CommandError(str(error)) from None
        if options["wait"]:
            work_to_the_end(ProposalJob(), dataset.pk)
        elif not enqueue_key(ProposalJob(), dataset.pk):
            self.stderr.write("The queue cannot be reached: the proposals wait until a worker looks for what was left.")
        new = Proposal.objects.filter(response__dataset=dataset, kind=kind, pk__gt=before)
        self._report(dataset, kind, model, list(new.values_list("state", flat=True)), options["json"])
        failed = new.filter(state=State.FAILED).select_related("response").first()
        if failed is not None:
            raise CommandError(f"Response {failed.response.index}: {failed.error}")

    def _report(self, dataset: Dataset, kind: str, model: str, states: list[str], as_json: bool) -> None:
        report = {
            "dataset": dataset.name,
            "kind": kind,
            "model": model,
            "responses": len(states),
            "done": states.count(State.DONE),
            "failed": states.count(State.FAILED),
            "waiting": states.count(State.WAITING) + states.count(State.LEASED),
        }
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        elif not states:
            self.stdout.write(f"{dataset.name}: there is no response to propose {kind} for.")
        else:
            self.stdout.write(
                f"{dataset.name}: {kind} of {report['responses']} responses by {model}: {report['done']} done, "
                f"{report['failed']} failed, {report['waiting']} waiting."
            )
