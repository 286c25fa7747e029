"""Old answers of models and pages of the web are deleted (docs/deploy.md, Keep and delete)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotate.retention.prune import in_words, prune


class Command(BaseCommand):
    help = "Delete answers, frozen pages and files of people's own data that are older or more than the settings allow."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="count, delete nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        counts = prune(dry_run=options["dry_run"])
        sentence = f"{in_words(counts)} {'would go' if options['dry_run'] else 'deleted'}."
        self.stdout.write(json.dumps(counts) if options["json"] else sentence)
