"""Runs, their predictions and the figures that follow, as one zip file that another Touchstone takes in."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotate.models import Dataset
from annotate.release.archive import pack
from core.errors import DataError
from evaluators.bundle.contents import FIGURES, FORMAT, INDEX, MANIFEST, VERSION, folder_of
from evaluators.bundle.fingerprint import fingerprint, gold_of
from evaluators.bundle.run_lines import hash_calls, hash_pages, hash_run, hash_searches, lines_of
from evaluators.comparison.documents import Report
from evaluators.comparison.report import build_report
from evaluators.models import Run


@dataclass(frozen=True)
class Exported:
    """The runs of a bundle, by the names of their evaluators, and its figures."""

    evaluators: list[str]
    figures: Report


def export_results(
    dataset: Dataset,
    target: Path,
    evaluators: Collection[str] | None = None,
    gold_version: str | None = None,
    answers: bool = False,
    searches: bool = False,
) -> Exported:
    """Write the last finished run of each evaluator and its repeats, with the report over them.

    The report is against gold of a frozen version or in force (None). evaluators: their names, None for all; trivial
    baselines that were run are always there, as in the report. answers: with the models' raw answers.
    searches: with the searches of the web, their results and the pages that were read for them.

    The file is put in its place when it is whole. DataError: there is no such version or evaluator, no run, a page that
    is too long, or the file cannot be written.
    """
    figures = build_report(dataset, gold_version, evaluators)
    keys = {key for entry in figures["evaluators"] for key in entry["runs"]}
    exported = Run.objects.filter(pk__in=keys).select_related("evaluator", "dataset")
    runs = list(exported.order_by("evaluator__name", "asking"))
    if not runs:
        raise DataError(f"{dataset.name} has no finished run to export.")
    try:
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            names = list(_write_all(Path(folder), dataset, runs, figures, gold_version, answers, searches))
            part = Path(folder, "bundle.zip")
            pack(Path(folder), names, part)
            part.replace(target)
    except OSError as error:
        raise DataError(f"{target} cannot be written: {error.strerror}.") from None
    return Exported(list(dict.fromkeys(run.evaluator.name for run in runs)), figures)


def _write_all(
    folder: Path,
    dataset: Dataset,
    runs: list[Run],
    figures: Report,
    gold_version: str | None,
    answers: bool,
    searches: bool,
) -> Iterator[str]:
    """Write every file below the folder, and name it."""
    yield _write_json(folder, INDEX, _describe(dataset, runs, gold_version, searches))
    yield _write_json(folder, FIGURES, figures)
    for number, run in enumerate(runs, start=1):
        (folder / folder_of(number)).mkdir(parents=True)
        yield _write_json(folder, f"{folder_of(number)}/{MANIFEST}", run.manifest)
        for name, lines in lines_of(run, answers, searches).items():
            yield _write(folder, f"{folder_of(number)}/{name}", lines)


def _describe(dataset: Dataset, runs: list[Run], gold_version: str | None, searches: bool) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "dataset": {
            "name": dataset.name,
            "scheme": dataset.scheme,
            "responses": dataset.responses.visible().count(),
            "fingerprint": fingerprint(dataset),
        },
        "gold": asdict(gold_of(dataset, gold_version)),
        "runs": [
            {
                "folder": folder_of(number),
                "evaluator": run.evaluator.name,
                "hash": hash_run(run),
                "asking": run.asking,
                **_hash_others(run, searches),
            }
            for number, run in enumerate(runs, start=1)
        ],
    }


def _hash_others(run: Run, searches: bool) -> dict[str, str]:
    """Of the files that are not under the run's hash and are taken in."""
    searched = {"searches": hash_searches(run), "pages": hash_pages(run)} if searches else {}
    hashes = {"calls": hash_calls(run), **searched}
    return {name: digest for name, digest in hashes.items() if digest is not None}


def _write_json(folder: Path, name: str, document: object) -> str:
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    return _write(folder, name, [text])


def _write(folder: Path, name: str, lines: Iterable[str]) -> str:
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in lines)
    return name
