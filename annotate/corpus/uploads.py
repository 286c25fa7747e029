"""Files that come by the page: checked as they come, imported by a worker once their owner has seen their contents."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from annotate.access import role_in
from annotate.corpus.first_rows import first_rows
from annotate.corpus.importing import ImportResult, import_file
from annotate.corpus.mapped_counts import MappedCounts
from annotate.corpus.mapping import describe_label
from annotate.corpus.recipe import Outcome, Recipe
from annotate.corpus.released_sentences import REPAIRED
from annotate.corpus.rows import FactRow, ResponseRow
from annotate.corpus.segmenting import segments_of
from annotate.datasets.create import may_create
from annotate.models import Dataset, Import, Membership, Role, Upload, User
from core.rows.zipped import unzipped
from jobs.enqueue import enqueue
from jobs.work import sweep_expired

# The number of a file's warnings that are shown, beside their total.
SHOWN_WARNINGS = 50


def may_upload(user: User) -> bool:
    """Whether there is any dataset that the person may make or extend."""
    return (
        may_create(user)
        or Membership.objects.filter(user=user, role=Role.ADJUDICATOR, dataset__in=Dataset.objects.active()).exists()
    )


def may_write(user: User, dataset_name: str) -> bool:
    """An adjudicator may extend a dataset; a user who may add datasets may make one under a free name."""
    dataset = Dataset.objects.filter(name=dataset_name).first()
    if dataset is None:
        return may_create(user)
    return dataset.archived_at is None and role_in(user, dataset) == Role.ADJUDICATOR


def receive(
    user: User,
    file: "UploadedFile[bytes]",
    dataset_name: str,
    format: str,
    subject: str = "",
    recipe: Recipe | None = None,
    sentences: str = REPAIRED,
) -> Upload:
    """Check the file against the dataset and keep it; one that has yet to be mapped is only kept. Raises DataError with
    the faults; the file is then not kept."""
    if format == Import.Format.MAPPED and recipe is None:
        with _kept(user, file, dataset_name, format, subject, sentences) as upload:
            read_first(upload)
            upload.save()
        return upload
    with checked(user, file, dataset_name, format, subject, recipe, sentences) as upload:
        upload.save()
    return upload


@contextmanager
def checked(
    user: User,
    file: "UploadedFile[bytes]",
    dataset_name: str,
    format: str,
    subject: str = "",
    recipe: Recipe | None = None,
    sentences: str = REPAIRED,
) -> Iterator[Upload]:
    """The file in storage, checked, and no row yet: a check may take minutes, and writes nothing that others wait for.

    The file goes again unless the block saves the upload. Raises DataError with the faults.
    """
    with _kept(user, file, dataset_name, format, subject, sentences) as upload:
        _check(upload, recipe)
        yield upload


@contextmanager
def _kept(
    user: User, file: "UploadedFile[bytes]", dataset_name: str, format: str, subject: str, sentences: str
) -> Iterator[Upload]:
    """The file in storage; it goes again unless the block saves the upload."""
    upload = Upload(
        file_name=(file.name or "")[-255:],
        dataset_name=dataset_name,
        format=format,
        subject=subject,
        sentences=sentences,
        uploaded_by=user,
    )
    upload.file.save(file.name or "file", file, save=False)
    try:
        yield upload
    finally:
        if upload.pk is None:
            upload.delete_file()


def map_upload(upload: Upload, recipe: Recipe, chosen: Mapping[str, Any]) -> bool:
    """Check a kept file by the recipe, which becomes its own; False where it is confirmed already. Raises DataError
    with the faults; the upload is then as it was. chosen: the fields of the form, to be shown there again."""
    _check(upload, recipe)
    upload.preview["mapping"] = dict(chosen)
    return bool(
        Upload.objects.filter(pk=upload.pk, confirmed_at=None).update(recipe=upload.recipe, preview=upload.preview)
    )


def read_first(upload: Upload) -> list[dict[str, Any]]:
    """The first rows of the file as they stand there. Raises DataError where they cannot be read."""
    with upload.local_file() as file, unzipped(file) as path:
        return first_rows(path)


def _check(upload: Upload, recipe: Recipe | None) -> None:
    with upload.local_file() as file, unzipped(file) as path:
        result = import_file(
            path,
            upload.dataset_name,
            upload.format,
            upload.subject,
            dry_run=True,
            recipe=recipe,
            sentences=upload.sentences,
        )
    upload.recipe = recipe and dict(recipe.document)
    upload.preview = _summary(result, upload.sentences)


def confirm(upload: Upload) -> None:
    """Enqueue the import of a checked file, or enqueue again one that nobody works on. One that has yet to be mapped
    stays as it is."""
    if upload.needs_recipe:
        return
    rows = Upload.objects.filter(pk=upload.pk)
    rows.filter(confirmed_at=None).update(confirmed_at=timezone.now())
    sweep_expired(rows)
    if rows.due().exists():
        enqueue(upload)


def discard(upload: Upload) -> bool:
    """Forget a file that is not confirmed; False where it is."""
    if upload.confirmed_at is not None:
        return False
    upload.discard()
    return True


def _summary(result: ImportResult, sentences: str) -> dict[str, object]:
    return {
        "created": result.created,
        "unchanged": result.unchanged,
        "makes_dataset": result.makes_dataset,
        "place": result.place,
        "warnings": result.warnings[:SHOWN_WARNINGS],
        "warning_count": len(result.warnings),
        "rows": [_preview(row, sentences) for row in result.preview],
        "mapped": result.mapped and _mapped(result.mapped),
    }


def _mapped(counts: MappedCounts) -> dict[str, object]:
    """The counts, and as `shown` [name, count] of each outcome, the most frequent first."""
    shown = [(Outcome(value).words, count) for value, count in counts.outcomes.most_common()]
    return {**counts.document(), "shown": shown}


def _preview(row: ResponseRow, sentences: str) -> dict[str, object]:
    """A row as the preview shows it: its texts, and every segment with the value it came with (null: none)."""
    return {
        "index": row.index,
        "prompt": row.prompt.text,
        "domain": row.prompt.domain or row.prompt.frequency,
        "segments": [
            {
                "text": segment.text,
                "value": segment.judged.value if segment.judged else None,
                "facts": len(segment.human_facts or segment.model_facts),
                "claims": [_claim(fact) for fact in segment.human_facts] if row.is_mapped else [],
            }
            for segment in segments_of(row, sentences)
        ],
        "references": len(row.references),
    }


def _claim(fact: FactRow) -> dict[str, object]:
    """value: as of a segment; said: what the file calls it; evidence: how much of it there is."""
    return {
        "text": fact.text,
        "value": fact.judged.value if fact.judged else None,
        "said": describe_label(fact.extra),
        "evidence": len(fact.judged.cards) if fact.judged else 0,
    }
