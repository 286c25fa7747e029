"""The migrations of `knowledge`, and one more, which fails half-way."""

from pathlib import Path

from knowledge import migrations

__path__ = [*migrations.__path__, str(Path(__file__).parent)]
