"""The sizes of a dataset (docs/statistics.md, Sizes, and FActScore of a subject model)."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand

from annotate.management.arguments import add_k
from annotate.management.lookup import dataset_named
from annotate.statistics.figures import build_dataset_stats

OF_SLICE = ("responses", "segments", "correct", "error", "responses_with_error", "avg_response_words")
OF_SUBJECT = ("prompts", "responding", "factscore", "facts_per_response", "supported", "not_supported", "irrelevant")

OF_AT_K = ("n", "f1", "recall", "precision")


class Command(BaseCommand):
    help = "Print the sizes of a dataset, per domain and per subject model."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        add_k(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        stats = build_dataset_stats(dataset, k=options["k"])
        if options["json"]:
            self.stdout.write(json.dumps(stats, ensure_ascii=False, allow_nan=False))
            return
        self._print_rows("domain", OF_SLICE, stats["slices"])
        if stats["subjects"]:
            self._print_rows("subject", OF_SUBJECT, stats["subjects"])
        if stats["at_k"]:
            self._print_rows("at K", OF_AT_K, [{"at K": row["subject"], **row} for row in stats["at_k"]["subjects"]])

    def _print_rows(self, first: str, columns: tuple[str, ...], rows: list[Mapping[str, Any]]) -> None:
        self.stdout.write(f"{first:20}" + "".join(f"{name:>21}" for name in columns))
        for row in rows:
            self.stdout.write(f"{row[first]:20}" + "".join(f"{_figure_text(row[name]):>21}" for name in columns))


def _figure_text(value: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"
