"""Prompts that a model writes after a few drafted ones."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import positive
from annotate.models import Dataset, Scheme
from annotate.prompts.overlap import NEAR
from annotate.prompts.start import StartError
from annotate.prompts.write import write_prompts
from annotate.proposals.asking import UnreadableError
from llm.endpoints import default_endpoint
from llm.errors import ModelError


class Command(BaseCommand):
    help = "Let a model write more prompts after the dataset's drafted ones; near-duplicates (ROUGE-L) are refused."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset, of segments")
        parser.add_argument("model", metavar="MODEL", help="the model that writes")
        parser.add_argument("--wanted", type=positive, default=20, metavar="N", help="prompts to write (default: 20)")
        parser.add_argument("--domain", default="", help="after the prompts of this domain, and of it")
        parser.add_argument("--seed", type=int, default=7, help="which prompts are shown to it (default: 7)")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = Dataset.objects.ready().filter(name=options["name"]).first()
        if dataset is None:
            raise CommandError(f"there is no dataset {options['name']!r}")
        if dataset.scheme != Scheme.FELM:
            raise CommandError(f"{dataset} asks for lives: draw its entities with sample_entities")
        wanted = options["wanted"]
        try:
            written = write_prompts(
                dataset, default_endpoint(), options["model"], wanted, options["seed"], options["domain"]
            )
        except (StartError, UnreadableError, ModelError) as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            document = {
                "dataset": dataset.name,
                "wanted": wanted,
                "written": list(written.prompts),
                "refused": written.refused,
                "seed": options["seed"],
            }
            self.stdout.write(json.dumps(document, ensure_ascii=False))
        else:
            self.stdout.write(
                f"{dataset.name}: {len(written.prompts)} of {wanted} prompts written, {written.refused} refused "
                f"for an overlap of {NEAR} or more with another."
            )
