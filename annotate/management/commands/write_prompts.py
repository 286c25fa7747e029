"""Prompts that a model writes after a few drafted ones."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.grants.endpoints import find_granted
from annotate.management.arguments import positive
from annotate.management.lookup import dataset_named
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompts.overlap import NEAR
from annotate.prompts.writing_job import WritingJob
from annotate.prompts.writings import start_writing
from jobs.errors import StartError
from jobs.work import work_to_the_end
from llm.errors import EndpointAddressError


class Command(BaseCommand):
    help = "Let a model write more prompts after the dataset's drafted ones; near-duplicates (ROUGE-L) are refused."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset, of segments")
        parser.add_argument("model", metavar="MODEL", help="the model that writes")
        parser.add_argument("--wanted", type=positive, default=20, metavar="N", help="prompts to write (default: 20)")
        parser.add_argument("--domain", default="", help="after the prompts of this domain, and of it")
        parser.add_argument("--seed", type=int, default=7, help="which prompts are shown to it (default: 7)")
        parser.add_argument("--endpoint", default="", metavar="NAME", help="(default: that of the environment)")
        parser.add_argument(
            "--prompts", default=PROJECT_SET, metavar="SET", help="the prompt set (default: the project's)"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        wanted = options["wanted"]
        try:
            endpoint = find_granted(dataset, options["endpoint"])
            wish = (options["model"], wanted, options["seed"], options["domain"])
            writing = start_writing(dataset, endpoint, *wish, prompt_set=options["prompts"])
        except (StartError, EndpointAddressError) as error:
            raise CommandError(str(error)) from None
        work_to_the_end(WritingJob(), writing.pk)
        writing.refresh_from_db()
        if writing.error:
            raise CommandError(writing.error)
        if options["json"]:
            document = {
                "dataset": dataset.name,
                "wanted": wanted,
                "written": writing.prompts,
                "refused": writing.refused,
                "seed": options["seed"],
                "prompts": {"set": writing.prompt_set, "hash": writing.prompt_hash},
            }
            self.stdout.write(json.dumps(document, ensure_ascii=False))
        else:
            self.stdout.write(
                f"{dataset.name}: {len(writing.prompts)} of {wanted} prompts written, {writing.refused} refused "
                f"for an overlap of {NEAR} or more with another."
            )
