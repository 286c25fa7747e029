"""Every editor against people's corrections (docs/statistics.md, Edits of sentences)."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.lookup import dataset_named
from core.errors import DataError
from core.numbers import cost_text
from evaluators.editing.report import build_report
from llm.weights import NotReadyError

TABLE = ("errloc", "editcorr", "simal", "simal_chrf", "newly_wrong", "length_kept", "copied", "taken_out")


class Command(BaseCommand):
    help = "Print the figures of every editor's last finished run, against people's corrections."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--editor", metavar="N", action="append", help="only this one; may repeat")
        parser.add_argument("--similarity-weights", metavar="FOLDER", help="sentence-embedding model for SimAl")
        parser.add_argument("--after", metavar="NAME", help="dataset of edited responses (export_edits --responses)")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = dataset_named(options["name"])
        after = dataset_named(options["after"]) if options["after"] else None
        try:
            report = build_report(dataset, options["editor"] or (), options["similarity_weights"], after)
        except (DataError, NotReadyError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in table(report):
            self.stdout.write(line)


def table(report: dict[str, Any]) -> Iterator[str]:
    """The report for reading: a line for each editor and subject, then pairs that differ, then support."""
    yield f"{'editor':44} {'subject':16} {'n':>5} " + " ".join(f"{name:>11}" for name in TABLE)
    for editor in report["editors"]:
        for each in editor["slices"]:
            cells = " ".join(f"{_number(each['figures'][name]['mean']):>11}" for name in TABLE)
            yield f"{editor['editor']:44} {each['subject'] or 'all':16} {each['sentences']:5} {cells}"
        cost = editor["cost"]
        price = cost_text(cost["known_usd"], cost["unpriced"])
        yield f"    {editor['unparsed']} unparsed, {cost['tokens']} tokens, {price}"
    for pair in report["pairs"]:
        if pair["significant"]:
            less = f"{pair['one']} less {pair['other']} {_number(pair['difference'])}"
            yield f"{pair['figure']}: {less}, p {_number(pair['p'])}"
    for each in report["support"] or ():
        shares = f"{_number(each['before']['mean'])} before, {_number(each['after']['mean'])} after"
        yield f"supported by {each['labels']}: {shares}, {each['total_new_errors']} new errors"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
