"""Files that come by the page: checked as they come, imported by a worker once their owner has seen what is in them."""

from pathlib import Path

from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from annotate.access import role_in
from annotate.corpus.importing import ImportResult, import_file
from annotate.corpus.rows import Row
from annotate.corpus.writing import segments_of
from annotate.leased.beats import beating, ending_for_good, queue_anew, standing_still
from annotate.leased.knocking import knock_for
from annotate.models import Dataset, Membership, Role, Upload, User
from core.errors import DataError

# Of a file's warnings as many are shown; how many there were is said.
SHOWN_WARNINGS = 50


def may_upload(user: User) -> bool:
    """Whether there is any dataset that the person may make or extend."""
    return (
        user.has_perm("annotate.add_dataset")
        or Membership.objects.filter(user=user, role=Role.ADJUDICATOR, dataset__ready=True).exists()
    )


def may_write(user: User, dataset_name: str) -> bool:
    """An adjudicator may extend a dataset; whoever may add datasets makes one of a name that is free."""
    dataset = Dataset.objects.filter(name=dataset_name).first()
    if dataset is None:
        return user.has_perm("annotate.add_dataset")
    return role_in(user, dataset) == Role.ADJUDICATOR


def receive(user: User, file: "UploadedFile[bytes]", dataset_name: str, format: str, subject: str) -> Upload:
    """Save the file and check it against the dataset. DataError says what is wrong with it; it is then not kept."""
    upload = Upload.objects.create(
        file=file,
        file_name=(file.name or "")[-255:],
        dataset_name=dataset_name,
        format=format,
        subject=subject,
        uploaded_by=user,
    )
    try:
        result = import_file(path_of(upload), dataset_name, format, subject, dry_run=True)
    except BaseException:
        discard(upload)
        raise
    upload.found = _found(result)
    upload.save(update_fields=["found"])
    return upload


def discard(upload: Upload) -> None:
    """Forget the upload and its file."""
    _delete_file(upload)
    upload.delete()


def _delete_file(upload: Upload) -> None:
    path = path_of(upload)
    upload.file.delete(save=False)
    path.parent.rmdir()


def path_of(upload: Upload) -> Path:
    return Path(upload.file.path)


def confirm(upload: Upload) -> None:
    """Queue the import of a checked file, or queue anew one that has stood still."""
    one = Upload.objects.filter(pk=upload.pk)
    waiting = one.filter(state=Upload.State.CHECKED)
    if (waiting | standing_still(one)).update(state=Upload.State.QUEUED, beat_at=timezone.now()):
        knock(upload.pk)


def knock(upload: int) -> None:
    """Tell the workers of the upload. The knock may be lost: the row says what is to be done."""
    from annotate.corpus.tasks import import_upload

    knock_for(import_upload, upload)


def sweep() -> int:
    """Queue anew what a lost worker or a lost knock left; how many there were."""
    return queue_anew(Upload.objects.all(), knock)


def work_on(pk: int) -> None:
    """Import the upload if it is queued; several who try at once leave it to one.

    Raises OperationalError or InterfaceError where the database is out of reach or busy: the upload then stands still,
    and the sweep queues it anew.
    """
    taken = Upload.objects.filter(pk=pk, state=Upload.State.QUEUED)
    if not taken.update(state=Upload.State.RUNNING, beat_at=timezone.now()):
        return
    upload = Upload.objects.select_related("uploaded_by").get(pk=pk)
    try:
        if not may_write(upload.uploaded_by, upload.dataset_name):
            raise DataError(f"You may no longer write into {upload.dataset_name}.")
        with ending_for_good(f"The import of the upload {pk}"), beating(lambda: _beat(pk)):
            import_file(
                path_of(upload),
                upload.dataset_name,
                upload.format,
                upload.subject,
                created_by=upload.uploaded_by,
                progress=lambda written, _: _beat(pk, written=written),
            )
    except DataError as error:
        _settle(upload, Upload.State.FAILED, error=str(error))
    else:
        _settle(upload, Upload.State.FINISHED, dataset=Dataset.objects.get(name=upload.dataset_name))


def _beat(pk: int, **progress: int) -> None:
    Upload.objects.filter(pk=pk).update(**progress, beat_at=timezone.now())


def _settle(upload: Upload, state: str, error: str = "", dataset: Dataset | None = None) -> None:
    if Upload.objects.filter(pk=upload.pk, state=Upload.State.RUNNING).update(
        state=state, error=error, dataset=dataset, beat_at=timezone.now()
    ):
        _delete_file(upload)


def _found(result: ImportResult) -> dict[str, object]:
    return {
        "created": result.created,
        "unchanged": result.unchanged,
        "makes_dataset": result.makes_dataset,
        "warnings": result.warnings[:SHOWN_WARNINGS],
        "warning_count": len(result.warnings),
        "rows": [_shown(row) for row in result.preview],
    }


def _shown(row: Row) -> dict[str, object]:
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
