"""Entities drawn as FActScore draws them (appendix A.1)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.management.arguments import positive
from annotate.prompts.draw import draw_entities, prompt_row
from annotate.prompts.labelled import datasets_named
from core.errors import DataError
from core.json_lines import json_line


class Command(BaseCommand):
    help = "Draw entities uniformly over five classes of frequency and four regions, as prompts that can be imported."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="entities with counts: JSON lines, or CSV")
        parser.add_argument("--size", type=positive, default=183, metavar="N", help="entities to draw (default: 183)")
        parser.add_argument("--seed", type=int, default=7, help="makes the draw repeatable (default: 7)")
        parser.add_argument(
            "--without", action="append", default=[], metavar="NAME", help="no entity of this dataset; may repeat"
        )
        parser.add_argument("--output", type=Path, metavar="FILE", help="write the prompts there")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        path, seed = options["file"], options["seed"]
        try:
            draw = draw_entities(path, options["size"], seed, datasets_named(options["without"]))
        except DataError as error:
            raise CommandError(str(error)) from None
        lines = [json_line(prompt_row(entity)) for entity in draw.drawn]
        if options["output"]:
            self._write(options["output"], lines)
        if options["json"]:
            document = {
                "entities": draw.there.total() + len(draw.left_out),
                "left_out": len(draw.left_out),
                "seed": seed,
                "drawn": [
                    {
                        "name": entity.name,
                        "frequency": entity.frequency,
                        "frequency_value": entity.frequency_value,
                        "region": entity.region,
                    }
                    for entity in draw.drawn
                ],
            }
            self.stdout.write(json.dumps(document, ensure_ascii=False))
        elif not options["output"]:
            self.stdout.write("\n".join(lines))

    def _write(self, path: Path, lines: list[str]) -> None:
        try:
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{path.name}: it cannot be written: {error.strerror}.") from None
