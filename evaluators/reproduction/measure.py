"""The papers' figures from the published files, by the way that every dataset takes: import, statistics, report."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper

from annotate.corpus.importing import import_file
from annotate.models import Dataset, Response
from annotate.statistics.figures import build_dataset_stats
from core.errors import DataError
from evaluators.comparison.documents import Report, ReportEntry
from evaluators.comparison.report import build_report
from stats.detection import DetectionRow
from stats.factscore_estimation import EstimationRow
from stats.sizes import words_of_response

FELM_FILE = Path("felm", "all.jsonl")
SUBJECTS = ("InstructGPT", "ChatGPT")
FACTSCORE_FILES = {subject: Path("factscore", f"{subject}.jsonl") for subject in SUBJECTS}

Progress = Callable[[str], None]
Figure = TypeVar("Figure")


def defined(figure: Figure | None) -> Figure:
    """A figure that the published files define. ValueError: None."""
    if figure is None:
        raise ValueError("the published files leave a figure undefined")
    return figure


@dataclass(frozen=True)
class MeasuredDataset:
    """The documents of `dataset_stats` and `report` of one dataset.

    rebuilt: words of the responses that the file lacks and that were rebuilt from their segments, by domain.
    with_irrelevant: responses with a sentence that is not relevant, by subject.
    """

    stats: dict[str, Any]
    report: Report
    rebuilt: dict[str, list[int]]
    with_irrelevant: dict[str, int]

    def domain(self, name: str) -> dict[str, Any]:
        return next(row for row in self.stats["slices"] if row["domain"] == name)

    def subject(self, name: str) -> dict[str, Any]:
        return next(row for row in self.stats["subjects"] if row["subject"] == name)

    def result(self, evaluator: str, level: str, slice_: str) -> DetectionRow:
        """The figures of a baseline at a level, in a slice."""
        rows = self._entry(evaluator)["results"]
        return next(row for row in rows if row["level"] == level and slice_ in row["slice"].values())

    def estimate(self, evaluator: str, subject: str) -> EstimationRow:
        return next(row for row in self._entry(evaluator)["subjects"] if row["subject"] == subject)

    def _entry(self, evaluator: str) -> ReportEntry:
        return next(entry for entry in self.report["evaluators"] if entry["evaluator"] == evaluator)


def measure_published(folder: Path, progress: Progress = lambda _: None) -> tuple[MeasuredDataset, MeasuredDataset]:
    """(FELM, FActScore) from the published files in the folder, in a database of their own.

    DataError: a file is missing or cannot be read.
    """
    for path in (FELM_FILE, *FACTSCORE_FILES.values()):
        if not (folder / path).is_file():
            raise DataError(f"{folder / path}: there is no such file.")
    with scratch_database():
        progress("FELM")
        warned = import_file(folder / FELM_FILE, "FELM", "felm").warnings
        felm = _measure("FELM", [warning["line"] for warning in warned])
        progress("FActScore")
        for subject, path in FACTSCORE_FILES.items():
            import_file(folder / path, "FActScore", "factscore", subject)
        return felm, _measure("FActScore", [])


def _measure(name: str, rebuilt_lines: list[Any]) -> MeasuredDataset:
    dataset = Dataset.objects.get(name=name)
    rebuilt: dict[str, list[int]] = {}
    # The first line of a file that makes a dataset is its response at position 0.
    rows = dataset.responses.filter(position__in=[line - 1 for line in rebuilt_lines])
    for domain, text in rows.values_list("prompt__domain", "text"):
        rebuilt.setdefault(domain, []).append(words_of_response(text))
    irrelevant = Response.objects.filter(dataset=dataset, segments__relevant=False).distinct()
    with_irrelevant = Counter(subject for _, subject in irrelevant.values_list("pk", "subject"))
    return MeasuredDataset(build_dataset_stats(dataset), build_report(dataset), rebuilt, with_irrelevant)


DEFAULT = "default"


@contextmanager
def scratch_database() -> Iterator[None]:
    """Within it this thread's database is an empty one in memory, with all tables; afterwards it is the real one again.

    The real one is neither read nor written.
    """
    real = connections[DEFAULT]
    settings = {**real.settings_dict, "ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}}
    scratch = DatabaseWrapper(settings, DEFAULT)
    connections[DEFAULT] = scratch
    try:
        _make_tables(scratch)
        yield
    finally:
        scratch.close()
        connections[DEFAULT] = real
        # Keys of content types are remembered per name of a database, and the real one has others.
        ContentType.objects.clear_cache()


def _make_tables(database: DatabaseWrapper) -> None:
    """All tables of the models, without migrations, which take many times as long for the same tables."""
    with database.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.managed and not model._meta.proxy:
                editor.create_model(model)
