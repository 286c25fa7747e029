"""A backup of the whole site (docs/deploy.md, Back up and move)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.models import Action
from audit.record import record
from backup.make import make_backup
from core.errors import DataError


class Command(BaseCommand):
    requires_system_checks = []
    help = "Write all rows and uploaded files to a new file, while the site is in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="where to; it must not be there yet")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            manifest = make_backup(options["file"])
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, "backup of the whole site")
        for name in manifest.missing:
            self.stderr.write(f"{name} is not in the backup: the file is gone.")
        self.stdout.write(f"{options['file']} holds {len(manifest.columns)} tables and {_files(manifest)} files.")


def _files(manifest: Any) -> int:
    return len(manifest.sha256) - len(manifest.columns)
