"""The formats that a dataset can be written in: every module of this folder that has a `FORMAT`."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from annotate.export.export_format import ExportFormat
from annotate.export.read import LeftOut
from annotate.models import Dataset
from core.errors import DataError


def _find_formats() -> dict[str, ExportFormat]:
    names = (module.name for module in iter_modules([str(Path(__file__).parent)]) if module.name != "dataset")
    modules = (import_module(f"annotate.export.{name}") for name in names)
    formats: list[ExportFormat] = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return {each.name: each for each in formats}


FORMATS = _find_formats()


def export_dataset(
    dataset: Dataset, format: str, subject: str = "", gold_version: str = "", left_out: LeftOut = lambda *_: None
) -> Iterator[str]:
    """The lines of the file, without line ends, made as they are asked for: memory does not grow with the dataset.

    format: a key of FORMATS. Gold is that of the named version, else as it is when the first line is asked for.
    `left_out` is called with (index, cause) for every response that the format cannot express. DataError: the format is
    not that of the dataset's scheme, or there is no such version or subject.
    """
    export_format = FORMATS[format]
    if export_format.scheme not in (None, dataset.scheme):
        raise DataError(f"{dataset} is a {dataset.scheme} dataset: it has no {format} rows.")
    if subject and not dataset.responses.visible().filter(subject=subject).exists():
        raise DataError(f"{dataset} has no responses by {subject!r}.")
    if export_format.is_whole and (subject or gold_version):
        raise DataError(f"{format.title()} are exported whole: neither a subject nor a gold version limits them.")
    return export_format.write(dataset, dataset.find_gold_revision(gold_version), subject, left_out)
