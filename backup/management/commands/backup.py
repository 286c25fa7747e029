"""A backup of the whole site (docs/deploy.md, Back up and move)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.models import Action
from audit.record import record
from backup.archive import FILES, KEY, Manifest
from backup.make import make_backup
from backup.passphrase import add_passphrase, read_passphrase
from core.errors import DataError


class Command(BaseCommand):
    requires_system_checks = []
    help = "Write all rows and uploaded files to a new file, while the site is in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="where to; it must not be there yet")
        add_passphrase(parser)

    def handle(self, *args: object, **options: Any) -> None:
        try:
            passphrase = read_passphrase(options["passphrase_file"])
            manifest = make_backup(options["file"], passphrase)
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, "backup of the whole site")
        for name in manifest.missing:
            self.stderr.write(f"{name} is not in the backup: the file is gone.")
        files = sum(name.startswith(FILES) for name in manifest.sha256)
        self.stdout.write(
            f"{options['file']} holds {len(manifest.columns)} tables and {files} files. "
            f"{_encryption(manifest, bool(passphrase))}"
        )


def _encryption(manifest: Manifest, encrypted: bool) -> str:
    if KEY in manifest.sha256:
        return "It is encrypted and holds the SECRET_KEY."
    return f"It is {'' if encrypted else 'not '}encrypted and does not hold the SECRET_KEY: keep that elsewhere."
