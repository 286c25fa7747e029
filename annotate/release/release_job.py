"""The making of a release, as a kind of work."""

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

from django.utils.text import slugify

from annotate.models import Release
from core.errors import DataError
from jobs.errors import ItemError
from jobs.files import finish_with_file
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
                release_to(file, release.version, release.licence, release.names, note, release.known)
            except DataError as error:
                raise ItemError(str(error)) from None
            with file.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            finish_with_file(lease, file, hash=digest)
