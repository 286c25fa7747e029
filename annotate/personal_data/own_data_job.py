"""The making of a file with a person's own data, as a kind of work."""

from pathlib import Path
from tempfile import TemporaryDirectory

from annotate.models import PersonalExport
from annotate.personal_data.own import write_own
from jobs.files import finish_with_file
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease


class OwnDataJob(SyncJobKind[PersonalExport]):
    name = "own_data"
    queue = Queue.SHORT
    items = PersonalExport
    related = ("person",)

    def execute(self, lease: Lease[PersonalExport]) -> None:
        def note(done: int, of: int) -> None:
            lease.note(written=done, total=of)

        with TemporaryDirectory() as folder:
            path = Path(folder, "own.zip")
            with path.open("wb") as file:
                write_own(lease.item.person, file, note)
            finish_with_file(lease, path)
