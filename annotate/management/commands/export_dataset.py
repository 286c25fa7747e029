"""A dataset as a file (docs/commands.md, Files)."""

import os
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.corpus.finding import STATES, Search
from annotate.export.dataset import FORMATS, ask
from annotate.export.files import KINDS, kind_of, write_file
from annotate.management.lookup import dataset_named
from annotate.models import Dataset
from annotate.people.names import Names
from audit.models import Action
from audit.record import record
from core.errors import DataError
from core.standard_output import leave_closed_pipe


class Command(BaseCommand):
    # Checks load every page of the site: that is `check`, not a second of every import and export.
    requires_system_checks = []
    help = "Write a dataset in the format of its scheme, what each annotator said, or a table of every judged unit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the dataset")
        parser.add_argument("--format", required=True, choices=sorted(FORMATS))
        parser.add_argument("--file-type", choices=sorted(KINDS), default="", help="of a table (default: the format's)")
        parser.add_argument("--subject", metavar="MODEL", default="", help="only this model's responses")
        parser.add_argument("--domain", default="", help="only responses to prompts of this domain")
        parser.add_argument("--state", choices=STATES, default="", help="only responses in this state")
        parser.add_argument(
            "--text", metavar="WORDS", default="", help="only responses with these words, or this index"
        )
        parser.add_argument("--details", metavar="TEXT", default="", help="only responses with this text in details")
        parser.add_argument("--pseudonyms", action="store_true", help="annotators under pseudonyms")
        parser.add_argument("--gold-version", metavar="V", default="", help="a frozen version (default: gold as it is)")
        parser.add_argument("--output", metavar="FILE", type=Path, help="where to (default: standard output)")

    def handle(self, *args: object, **options: Any) -> None:
        self.left_out = 0
        dataset = dataset_named(options["name"])
        try:
            self._write(dataset, options)
        except DataError as error:
            raise CommandError(str(error)) from None
        record(None, Action.EXPORTED, dataset, detail=options["format"])
        if self.left_out:
            self.stderr.write(f"{self.left_out} responses were left out.")

    def _write(self, dataset: Dataset, options: dict[str, Any]) -> None:
        export_format = FORMATS[options["format"]]
        kind = kind_of(export_format, options["file_type"])
        search = Search(**{name: options[name] for name in ("text", "domain", "subject", "state", "details")})
        asked = ask(dataset, export_format.name, search, options["gold_version"], left_out=self._leave_out)
        if options["pseudonyms"]:
            asked = replace(asked, names=Names(dataset.pk, are_shown=False))
        pieces = write_file(export_format, asked, kind)
        if options["output"]:
            write_pieces(options["output"], pieces)
        elif KINDS[kind].is_text:
            self._print(pieces)
        else:
            raise DataError(f"A file of {KINDS[kind].title} is no text: name it with --output.")

    def _print(self, pieces: Iterator[bytes]) -> None:
        try:
            for piece in pieces:
                self.stdout.write(piece.decode(), ending="")
        except BrokenPipeError:
            leave_closed_pipe()

    def _leave_out(self, index: str, cause: str) -> None:
        self.left_out += 1
        self.stderr.write(f"{index} is left out: {cause}")


def write_whole(path: Path, lines: Iterable[str], end: str = "\n") -> None:
    """The lines as write_pieces writes them."""
    write_pieces(path, (f"{line}{end}".encode() for line in lines))


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write the pieces beside the file and put them in its place when all are there: it is never half written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and not path.is_file():
            raise DataError(f"{path} cannot be written: it is there and not a file.")
        with part.open("xb") as file:
            file.writelines(pieces)
        part.replace(path)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            part.unlink()
