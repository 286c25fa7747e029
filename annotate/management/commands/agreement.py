"""Agreement between annotators (docs/statistics.md, Agreement between annotators)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotate.agreement.report import build_agreement
from annotate.management.lookup import dataset_named
from stats.agreement import COEFFICIENTS


class Command(BaseCommand):
    help = "Print the agreement between annotators, for all, per slice and per pair, with intervals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        agreement = build_agreement(dataset)
        if options["json"]:
            self.stdout.write(json.dumps(agreement, ensure_ascii=False, allow_nan=False))
            return
        self.stdout.write(f"{'':30} {'values':7} {'n':>6} " + "".join(f"{name:22}" for name in COEFFICIENTS))
        for row in agreement["results"]:
            (name,) = row["slice"].values()
            self._print_row(name, row)
        for row in agreement["pairs"]:
            self._print_row(" and ".join(row["annotators"]), row)

    def _print_row(self, name: str, row: dict[str, Any]) -> None:
        figures = "".join(f"{_figure(row, coefficient):22}" for coefficient in COEFFICIENTS)
        self.stdout.write(f"{name:30} {row['values']:7} {row['n']:6} {figures}".rstrip())


def _figure(row: dict[str, Any], name: str) -> str:
    if row[name] is None:
        return "–"
    around = row["intervals"].get(name)
    return f"{row[name]:.3f}" + (f" [{around[0]:.3f}, {around[1]:.3f}]" if around else "")
