"""The formats a dataset can be written in."""

from collections.abc import Iterator

from annotate.export.factscore import export_factscore
from annotate.export.felm import export_felm
from annotate.export.judged_units import export_csv
from annotate.export.labels import export_labels
from annotate.export.read import LeftOut
from annotate.models import Dataset
from core.errors import DataError

FORMATS = ("felm", "factscore", "labels", "csv")


def export_dataset(
    dataset: Dataset, format: str, subject: str = "", gold_version: str = "", left_out: LeftOut = lambda *_: None
) -> Iterator[str]:
    """The lines of the file, without line ends, made as they are asked for: memory does not grow with the dataset.

    format: one of FORMATS. Gold is that of the named version, else as it is when the first line is asked for.
    `left_out` is called with (index, cause) for every response that the format cannot express. DataError: the format is
    not that of the dataset's scheme, or there is no such version or subject.
    """
    if format in ("felm", "factscore") and format != dataset.scheme:
        raise DataError(f"{dataset} is a {dataset.scheme} dataset: it has no {format} rows.")
    if subject and not dataset.responses.visible().filter(subject=subject).exists():
        raise DataError(f"{dataset} has no responses by {subject!r}.")
    if format == "labels":
        if subject or gold_version:
            raise DataError("Labels are exported whole: neither a subject nor a gold version limits them.")
        return export_labels(dataset)
    revision = dataset.find_gold_revision(gold_version)
    if format == "felm":
        return export_felm(dataset, revision, subject, left_out)
    if format == "factscore":
        return export_factscore(dataset, revision, subject, left_out)
    return export_csv(dataset, revision, subject, left_out)
