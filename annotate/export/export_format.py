"""One export format: its name, and how its file is written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotate.export.read import LeftOut
from annotate.models import Dataset, Scheme


@dataclass(frozen=True)
class ExportFormat:
    """name: the value of `--format`.
    write: takes the dataset, the revision of gold, a subject ("" for all) and `left_out`; returns the lines of the
    file without line ends.
    scheme: of the datasets that it can write; None: of any.
    is_whole: neither a subject nor a gold version limits it.
    """

    name: str
    write: Callable[[Dataset, int, str, LeftOut], Iterator[str]]
    scheme: Scheme | None = None
    is_whole: bool = False
