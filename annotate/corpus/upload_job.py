"""The import of an uploaded dataset, as a kind of work."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q

from annotate.corpus.importing import import_file
from annotate.corpus.recipe_parser import parse_recipe
from annotate.corpus.refused import EVERY_KIND
from annotate.corpus.sweeping import ImportUnderWayError
from annotate.corpus.uploads import check, may_write
from annotate.models import Import, Upload
from core.errors import DataError
from core.rows.zipped import unzipped
from jobs.errors import PostponedError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease
from jobs.models import JobItemQuerySet


class UploadJob(SyncJobKind[Upload]):
    """Looks large files through, and imports what its owner has confirmed. Where another import has the dataset, it
    waits."""

    name = "upload"
    queue = Queue.SHORT
    items = Upload
    retried = False
    related = ("uploaded_by",)

    def available(self, rows: JobItemQuerySet[Upload]) -> JobItemQuerySet[Upload]:
        return super().available(rows).filter(Q(confirmed_at__isnull=False) | Q(to_check=True))

    def execute(self, lease: Lease[Upload]) -> None:
        upload = lease.item
        if upload.to_check:
            _look_through(lease)
            return
        try:
            imported = _import(lease)
        except ImportUnderWayError:
            raise PostponedError(timedelta(seconds=settings.RUN_LEASE_SECONDS)) from None
        except DataError as error:
            if lease.fail(str(error)):
                self.on_failure(upload)
        else:
            if lease.finish(dataset=imported.dataset, imported=imported):
                upload.delete_file()

    def on_failure(self, item: Upload) -> None:
        item.delete_file()


def _look_through(lease: Lease[Upload]) -> None:
    """Where no row can be taken, its owner maps it anew, or discards it."""
    upload, fault = lease.item, ""
    try:
        check(upload, (EVERY_KIND,), lambda read: lease.note(written=read))
    except DataError as error:
        fault = str(error)
    lease.advance(to_check=False, written=0, preview=upload.preview, error=fault)


def _import(lease: Lease[Upload]) -> Import:
    upload = lease.item
    if not may_write(upload.uploaded_by, upload.dataset_name):
        raise DataError(f"You can no longer import into {upload.dataset_name}.")
    with upload.local_file() as file, unzipped(file) as path:
        result = import_file(
            path,
            upload.dataset_name,
            upload.format,
            upload.subject,
            created_by=upload.uploaded_by,
            progress=lambda written, _: lease.note(written=written),
            sentences=upload.sentences,
            recipe=parse_recipe(upload.recipe) if upload.recipe else None,
            skip=[each["kind"] for each in upload.preview.get("refused", ())],
        )
    assert result.imported is not None  # noqa: S101 - it was no dry run
    return result.imported
