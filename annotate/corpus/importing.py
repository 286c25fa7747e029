"""A file into a dataset: checked whole, then written in short transactions, visible all at once or not at all."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from django.db import IntegrityError, reset_queries, transaction
from django.db.models import Max
from django.utils import timezone

from annotate.corpus.checking import CheckedRows, FormatReader, Seen, Warnings, check_file, new_indexes, open_format
from annotate.corpus.formats import FORMATS, Format, mapped_format
from annotate.corpus.mapped_counts import MappedCounts
from annotate.corpus.recipe import Recipe
from annotate.corpus.refused import Refused
from annotate.corpus.released_sentences import REPAIRED
from annotate.corpus.rows import LONGEST_SUBJECT, ResponseRow
from annotate.corpus.skipped import write_skipped
from annotate.corpus.sweeping import ImportUnderWayError, sweep_leftovers
from annotate.corpus.writing import ResponseWriter
from annotate.datasets.create import create_dataset
from annotate.datasets.take_back import delete_import
from annotate.models import Dataset, GoldLabel, Import, User
from core.errors import DataError, RowError, at_line
from core.row_fields import UNSTORABLE
from core.rows.folders import data_files

# Responses written in one transaction: it blocks other writers of SQLite for about a quarter of a second.
CHUNK = 200
LONGEST_NAME = 100

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class ImportResult:
    """The result of an import, or with `dry_run` the expected one.

    warnings: [{"line", "message"}]; place: the word for their numbers, "line" or "row"; preview: the file's first rows;
    makes_dataset: there was none of that name; mapped: what a recipe made of the file, None without one. refused: the
    rows that are skipped; imported: what was made, None of a dry run.
    """

    dataset: str
    created: int
    unchanged: int
    warnings: Warnings
    preview: Sequence[ResponseRow]
    makes_dataset: bool
    place: str
    refused: Refused
    mapped: MappedCounts | None = None
    imported: Import | None = None


def import_file(
    path: Path,
    dataset_name: str,
    format: str,
    subject: str = "",
    *,
    dry_run: bool = False,
    created_by: User | None = None,
    progress: Progress | None = None,
    sentences: str = REPAIRED,
    recipe: Recipe | None = None,
    skip: Collection[str] = (),
    seen: Seen | None = None,
) -> ImportResult:
    """Create or extend a dataset with the rows of a file; labels in it become gold.

    format: a key of FORMATS; with a recipe Import.Format.MAPPED. `progress` is called with (written, to write) after
    every chunk. `created_by` becomes adjudicator of a dataset that the file makes. sentences: the profile that cuts
    texts without segments (annotate/corpus/released_sentences.py). skip: kinds of faults (core/errors.py) whose rows
    are left out, or EVERY_KIND. `seen` is called with the number of responses read as the file is looked through.
    DataError: one line that names file, lines and causes; the database is then as it was. A killed import leaves
    nothing that is visible, and the next one clears it away.
    """
    how = mapped_format(recipe) if recipe else FORMATS[format]
    subject = _check_subject(subject, how)
    _check_name(dataset_name)
    checked = check_file(path, how, subject, sentences, skip, seen)
    if dry_run:
        dataset = _existing(dataset_name, how)
        new = new_indexes(path, checked, dataset)
        return _result(dataset_name, checked, new, makes_dataset=dataset is None)

    sweep_leftovers(dataset_name)
    imported = _begin(path, dataset_name, format, how, subject, created_by)
    makes_dataset = not imported.dataset.ready
    try:
        new = new_indexes(path, checked, imported.dataset)
        _write_all(imported, path, how, checked, new, progress, sentences)
        write_skipped(imported, open_format(path, how).rows, checked.refused)
        _finish(imported, checked, new)
    except BaseException:
        delete_import(imported)
        raise
    return replace(_result(dataset_name, checked, new, makes_dataset), imported=imported)


def _check_subject(subject: str, how: Format) -> str:
    subject = subject.strip()
    if how.needs_subject and not subject:
        raise DataError("A factscore file does not say which model wrote it: name the subject.")
    if len(subject) > LONGEST_SUBJECT or UNSTORABLE.search(subject):
        raise DataError(f"The subject must be plain text of at most {LONGEST_SUBJECT} characters.")
    return subject


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or UNSTORABLE.search(name):
        raise DataError(
            f"A dataset's name must be plain text of 1 to {LONGEST_NAME} characters, without white space at its ends."
        )


def _existing(name: str, how: Format) -> Dataset | None:
    """The dataset of that name; DataError if its scheme is not that of the format."""
    dataset = Dataset.objects.filter(name=name).first()
    if dataset is not None and dataset.scheme != how.scheme:
        raise DataError(f"{name} is a {dataset.scheme} dataset: rows of the {how.scheme} scheme do not fit into it.")
    return dataset


def _begin(path: Path, name: str, format: str, how: Format, subject: str, created_by: User | None) -> Import:
    """Take the dataset for this import: the database allows one at a time."""
    try:
        with transaction.atomic():
            dataset = _existing(name, how)
            if dataset is None:
                dataset = create_dataset(name, how.scheme, created_by)
            return Import.objects.create(
                dataset=dataset,
                format=format,
                recipe=how.recipe and how.recipe.document,
                subject=subject,
                file_name=path.name[:255],
                file_hash=_file_hash(path),
                created_by=created_by,
            )
    except IntegrityError:
        raise ImportUnderWayError(name) from None


def _file_hash(path: Path) -> str:
    """SHA-256 of the file; of a folder that of its files' own, by name."""
    if path.is_dir():
        return hashlib.sha256("".join(map(_file_hash, data_files(path))).encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_all(
    imported: Import,
    path: Path,
    how: Format,
    checked: CheckedRows,
    new: Sequence[str | None],
    progress: Progress | None,
    sentences: str,
) -> None:
    dataset = imported.dataset
    last = dataset.responses.aggregate(last=Max("position"))["last"]
    # Its gold gets the next revision; the number is taken when the import finishes.
    first = 0 if last is None else last + 1
    writer = ResponseWriter(imported, first, dataset.gold_revision + 1, how.shares_prompts, sentences)
    written, total = 0, _count(new)
    rows = _rows_to_write(path, how, imported.subject, checked, new)
    while chunk := list(islice(rows, CHUNK)):
        with transaction.atomic():
            _beat(imported)
            writer.write(chunk)
        written += len(chunk)
        # With DEBUG on Django keeps the text of every query: hundreds of megabytes in a long import.
        reset_queries()
        if progress is not None:
            progress(written, total)


def _rows_to_write(
    path: Path, how: Format, subject: str, checked: CheckedRows, new: Sequence[str | None]
) -> Iterator[tuple[str, ResponseRow]]:
    """The new rows with their indexes, read from the file again so that none need be held."""
    left = len(new)
    skipped = checked.refused.places
    taken = (each for place, each in enumerate(FormatReader(path, how, subject)) if place not in skipped)
    for place, (line, row) in enumerate(taken):
        if isinstance(row, RowError) or place == len(new) or checked.content(place).hex() != row.content_hash:
            raise at_line(path, line, "the file changed while it was read", checked.place)
        left -= 1
        index = new[place]
        if index is not None:
            yield index, row
    if left:
        raise DataError(f"{path.name}: the file changed while it was read.")


def _count(new: Sequence[str | None]) -> int:
    """The number of new rows."""
    return len(new) - new.count(None)


def _beat(imported: Import) -> None:
    """Say that the import lives. The row stays locked until the chunk is written, so nobody can sweep it meanwhile."""
    if not Import.objects.filter(pk=imported.pk, abandoned=False).update(beat_at=timezone.now()):
        raise DataError(f"The import into {imported.dataset} stood still for so long that another took its place.")


def _finish(imported: Import, checked: CheckedRows, new: Sequence[str | None]) -> None:
    """Make the import's rows visible, all in one statement."""
    with transaction.atomic():
        _beat(imported)
        _settle_revision(imported)
        imported.created = _count(new)
        imported.unchanged = len(checked) - checked.clashing - imported.created
        imported.skipped = len(checked.refused.rows)
        imported.warnings = checked.warnings
        imported.finished_at = timezone.now()
        imported.save(update_fields=["created", "unchanged", "skipped", "warnings", "finished_at"])
        Dataset.objects.filter(pk=imported.dataset_id, ready=False).update(ready=True)


def _settle_revision(imported: Import) -> None:
    """Count the import's gold as one change of gold, later than any that happened while it was written."""
    gold = GoldLabel.objects.filter(segment__response__imported=imported)
    first = gold.first()
    if first is None:
        return
    revision = imported.dataset.next_gold_revision()
    if revision != first.revision:
        gold.update(revision=revision)


def _result(name: str, checked: CheckedRows, new: Sequence[str | None], makes_dataset: bool) -> ImportResult:
    return ImportResult(
        dataset=name,
        created=_count(new),
        unchanged=len(checked) - checked.clashing - _count(new),
        warnings=checked.warnings,
        preview=checked.preview,
        makes_dataset=makes_dataset,
        place=checked.place,
        refused=checked.refused,
        mapped=checked.mapped,
    )
