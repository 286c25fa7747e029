"""The formats that a dataset can be written in: every module of this folder that has a `FORMAT`."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from annotate.corpus.finding import Search
from annotate.export.export_format import ExportFormat
from annotate.export.read import Asked, LeftOut
from annotate.labels.readable import readable_labels
from annotate.models import Dataset, Label, Role
from annotate.people.names import Names, user_names
from core.errors import DataError

# The other modules of this folder.
NO_FORMATS = ("dataset", "download", "export_format", "files", "read", "views")


def _find_formats() -> dict[str, ExportFormat]:
    names = (module.name for module in iter_modules([str(Path(__file__).parent)]))
    modules = (import_module(f"annotate.export.{name}") for name in names if name not in NO_FORMATS)
    formats: list[ExportFormat] = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return {each.name: each for each in formats}


FORMATS = _find_formats()


@dataclass(frozen=True)
class Reader:
    """Who an export is for: their role in the dataset, and how they see its annotators called."""

    role: str
    names: Names


def export_dataset(
    dataset: Dataset,
    format: str,
    subject: str = "",
    gold_version: str = "",
    left_out: LeftOut = lambda *_: None,
) -> Iterator[str]:
    """The lines of the file that a command writes, without line ends, made as they are asked for: memory does not grow
    with the dataset.

    format: a key of FORMATS. Gold is that of the named version, else as it is when the first line is asked for.
    `left_out` is called with (index, cause) for every response that the format cannot express. DataError: the format is
    not that of the dataset's scheme, or there is no such version or subject.
    """
    asked = ask(dataset, format, Search(subject=subject), gold_version, left_out=left_out)
    return FORMATS[format].write(asked)


def ask(
    dataset: Dataset,
    format: str,
    search: Search = Search(),  # noqa: B008 - it does not change
    gold_version: str = "",
    reader: Reader | None = None,
    left_out: LeftOut = lambda *_: None,
) -> Asked:
    """What an export in the format is to hold: the responses that the search leaves. reader: None for whoever runs a
    command, who has the database. DataError: as export_dataset."""
    export_format = FORMATS[format]
    if export_format.scheme not in (None, dataset.scheme):
        raise DataError(f"{dataset} is a {dataset.scheme} dataset: it has no {format} rows.")
    if search.subject and not dataset.responses.visible().filter(subject=search.subject).exists():
        raise DataError(f"{dataset} has no responses by {search.subject!r}.")
    if export_format.is_whole and (search.narrowed or gold_version):
        raise DataError(f"{format.title()} are exported whole: neither a subject nor a gold version limits them.")
    in_force = Label.objects.of(dataset).real().in_force()
    revision = dataset.find_gold_revision(gold_version)
    return Asked(
        dataset,
        revision,
        search.narrow(dataset, revision),
        readable_labels(dataset, reader.role) if reader else in_force,
        reader.names if reader else user_names(dataset),
        with_comments=reader is None or reader.role == Role.ADJUDICATOR,
        left_out=left_out,
    )
