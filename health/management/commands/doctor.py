"""What the server lacks (docs/commands.md, `doctor`)."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from health.report import examine, failed


class Command(BaseCommand):
    help = "Check database, broker, workers, clock, files, disk, settings, plug-ins, e-mail, TLS, the site, endpoints."
    requires_system_checks: list[str] = []  # they are among the findings

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        found = examine(outside=True)
        wrong = failed(found)
        if options["json"]:
            self.stdout.write(json.dumps({"healthy": not wrong, "findings": [asdict(finding) for finding in found]}))
        else:
            for finding in found:
                self.stdout.write(f"{finding.state:8}{finding.name}: {finding.sentence}")
        if wrong:
            raise CommandError(f"The server lacks: {', '.join(wrong)}.")
