"""The making of a release, as a kind of work."""

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files import File
from django.db import transaction
from django.utils.text import slugify

from annotate.models import Release
from core.errors import DataError
from jobs.errors import ItemError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease


class ReleaseJob(SyncJobKind[Release]):
    name = "release"
    queue = Queue.SHORT
    items = Release
    related = ("version__dataset",)

    def execute(self, lease: Lease[Release]) -> None:
        # Here, and not above: only a worker that makes a release holds what reads and writes tables in its memory.
        from annotate.release.make import release_to

        release = lease.item

        def note(done: int, of: int) -> None:
            lease.note(written=done, total=of)

        with TemporaryDirectory() as folder:
            file = Path(folder, f"{slugify(release.version.dataset.name)}-{slugify(release.version.name)}.zip")
            try:
                release_to(file, release.version, release.licence, release.names, note)
            except DataError as error:
                raise ItemError(str(error)) from None
            _keep(lease, file)


@transaction.atomic
def _keep(lease: Lease[Release], archive: Path) -> None:
    """Store the file, unless another worker has taken the release meanwhile."""
    with archive.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
        if lease.finish(hash=digest, size=archive.stat().st_size):
            lease.item.file.save(archive.name, File(content), save=False)
            Release.objects.filter(pk=lease.item.pk).update(file=lease.item.file.name)
