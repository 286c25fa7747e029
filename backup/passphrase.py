"""The passphrase of a backup: from a file or the environment, never from the command line, which others can see."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings

from core.errors import DataError

SHORTEST = 12


def add_passphrase(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase-file", metavar="FILE", type=Path, help="holds the passphrase in one line; BACKUP_PASSPHRASE"
    )


def read_passphrase(path: Path | None) -> str:
    """That of the file, else of BACKUP_PASSPHRASE; "" without either. Raises DataError."""
    if path is None:
        return _checked(settings.BACKUP_PASSPHRASE, "BACKUP_PASSPHRASE") if settings.BACKUP_PASSPHRASE else ""
    try:
        return _checked(path.read_text("utf-8").strip(), str(path))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} cannot be read: it is not UTF-8.") from None


def _checked(passphrase: str, place: str) -> str:
    if len(passphrase) < SHORTEST or "\n" in passphrase:
        raise DataError(f"{place} must hold the passphrase in one line, {SHORTEST} characters at least.")
    return passphrase
