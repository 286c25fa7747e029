"""Results as an open file that is gone once it is closed, for an answer to a request."""

from collections.abc import Callable, Collection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from annotate.models import Dataset
from evaluators.bundle.export import export_results


def open_bundle(
    dataset: Dataset, evaluators: Collection[str], gold_version: str, answers: bool, searches: bool
) -> BinaryIO:
    """The results bundle (`export_results`); no evaluator named: all; no version: gold in force. Raises DataError."""
    return _opened(
        lambda path: export_results(dataset, path, evaluators or None, gold_version or None, answers, searches)
    )


def open_units_table(dataset: Dataset, evaluators: Collection[str], gold_version: str) -> BinaryIO:
    """The table of units as Parquet. Raises DataError."""
    # pyarrow takes a second to load, and most processes never need it.
    from evaluators.bundle.units_table import write_units_table

    return _opened(lambda path: write_units_table(dataset, path, evaluators or None, gold_version or None))


def _opened(write: Callable[[Path], object]) -> BinaryIO:
    with TemporaryDirectory() as folder:
        path = Path(folder, "results")
        write(path)
        # The folder goes away, but an open file can still be read to its end.
        return path.open("rb")
