"""A backup goes back into a database (docs/deploy.md, Back up and move)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backup.passphrase import add_passphrase, read_passphrase
from backup.restore import restore_backup
from core.errors import DataError


class Command(BaseCommand):
    requires_system_checks = []
    help = "Restore a backup into the migrated, empty database of this site, SQLite or PostgreSQL."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="what `backup` wrote")
        parser.add_argument("--replace", action="store_true", help="delete the rows that the database holds")
        add_passphrase(parser)

    def handle(self, *args: object, **options: Any) -> None:
        try:
            passphrase = read_passphrase(options["passphrase_file"])
            restored = restore_backup(options["file"], options["replace"], passphrase)
        except DataError as error:
            raise CommandError(str(error)) from None
        if not restored.has_key:
            self.stderr.write(
                "SECRET_KEY is not that of the backup: until it is, people's authenticators and the signatures of "
                "webhooks fail."
            )
        manifest = restored.manifest
        self.stdout.write(f"The backup of {manifest.made_at} is restored: {len(manifest.columns)} tables.")
