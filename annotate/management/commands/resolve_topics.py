"""The page on which each topic of a dataset is looked up."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotate.evidence.topics import TopicReport, name_page, report_topics
from annotate.models import Dataset
from core.errors import DataError


class Command(BaseCommand):
    requires_system_checks = []
    help = "Report the topics of a dataset that have no page in its knowledge source, or name a topic's page by hand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="NAME", help="the dataset")
        parser.add_argument(
            "--page",
            nargs=2,
            action="append",
            default=[],
            metavar=("TOPIC", "TITLE"),
            help="look this topic up on the page of exactly that title; may repeat",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        dataset = Dataset.objects.ready().filter(name=options["dataset"]).select_related("knowledge_source").first()
        if dataset is None:
            raise CommandError(f"there is no dataset {options['dataset']!r}")
        try:
            with transaction.atomic():
                for topic, title in options["page"]:
                    name_page(dataset, topic, title)
            report = report_topics(dataset)
        except DataError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(_document(dataset, report)))
        else:
            self._print(report)

    def _print(self, report: TopicReport) -> None:
        self.stdout.write(f"{report.resolved} of {report.topics} topics have a page")
        for resolution in report.by_other_rules:
            self.stdout.write(f"  {resolution.topic} → {resolution.title} ({resolution.rule})")
        for line in report.missing_lines():
            self.stdout.write(line)


def _document(dataset: Dataset, report: TopicReport) -> dict[str, object]:
    return {
        "dataset": dataset.name,
        "source": str(dataset.knowledge_source),
        "topics": report.topics,
        "resolved": report.resolved,
        "rules": report.counts,
        "by_other_rules": [
            {"topic": resolution.topic, "title": resolution.title, "rule": resolution.rule}
            for resolution in report.by_other_rules
        ],
        "without_page": report.missing(),
    }
