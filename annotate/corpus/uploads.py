"""Files that come by the page: checked as they come, imported by a worker once their owner has seen their contents."""

from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from annotate.access import role_in
from annotate.corpus.importing import ImportResult, import_file
from annotate.corpus.rows import ResponseRow
from annotate.corpus.writing import segments_of
from annotate.datasets.create import may_create
from annotate.models import Dataset, Membership, Role, Upload, User
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


def receive(user: User, file: "UploadedFile[bytes]", dataset_name: str, format: str, subject: str) -> Upload:
    """Save the file and check it against the dataset. Raises DataError with the faults; the file is then not kept."""
    upload = Upload.objects.create(
        file=file,
        file_name=(file.name or "")[-255:],
        dataset_name=dataset_name,
        format=format,
        subject=subject,
        uploaded_by=user,
    )
    try:
        result = import_file(upload.path, dataset_name, format, subject, dry_run=True)
    except BaseException:
        upload.discard()
        raise
    upload.preview = _summary(result)
    upload.save(update_fields=["preview"])
    return upload


def confirm(upload: Upload) -> None:
    """Enqueue the import of a checked file, or enqueue again one that nobody works on."""
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


def _summary(result: ImportResult) -> dict[str, object]:
    return {
        "created": result.created,
        "unchanged": result.unchanged,
        "makes_dataset": result.makes_dataset,
        "place": result.place,
        "warnings": result.warnings[:SHOWN_WARNINGS],
        "warning_count": len(result.warnings),
        "rows": [_preview(row) for row in result.preview],
    }


def _preview(row: ResponseRow) -> dict[str, object]:
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
            }
            for segment in segments_of(row)
        ],
        "references": len(row.references),
    }
