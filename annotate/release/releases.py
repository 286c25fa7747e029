"""Releases that are asked for on the page: made by a worker, kept, and given out as often as they are wanted."""

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files import File
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify

from annotate.leased.beats import beating, ending_for_good, queue_anew
from annotate.leased.knocking import knock_for
from annotate.models import Dataset, GoldVersion, Release, User
from annotate.release.licence import check_licence
from core.errors import DataError

State = Release.State


def ask_for(version: GoldVersion, licence: str, names: bool, who: User) -> Release:
    """Queue the release, or find the one that is there; one that failed, or whose file is gone, is made again.
    DataError: the licence."""
    release, created = Release.objects.get_or_create(
        version=version, licence=check_licence(licence), names=names, defaults={"created_by": who}
    )
    ended = Release.objects.filter(pk=release.pk, state=State.FINISHED if is_gone(release) else State.FAILED)
    if ended.update(state=State.QUEUED, error="", beat_at=timezone.now()) or created:
        knock(release.pk)
        release.refresh_from_db()
    return release


def is_gone(release: Release) -> bool:
    """Whether it was made, and its file is no longer where it was kept."""
    name = release.file.name
    return release.state == State.FINISHED and not (name and release.file.storage.exists(name))


def releases_of(dataset: Dataset) -> list[Release]:
    """The dataset's, the last first."""
    return list(Release.objects.filter(version__dataset=dataset).select_related("version", "created_by"))


def sweep() -> int:
    """Queue anew what a lost worker or a lost knock left; how many there were. Done with every beat of a worker's
    heart."""
    return queue_anew(Release.objects.all(), knock)


def try_again(dataset: Dataset) -> int:
    """Queue anew what of the dataset's stands still; how many there were."""
    return queue_anew(Release.objects.filter(version__dataset=dataset), knock)


def knock(release: int) -> None:
    """Tell the workers of the release. The knock may be lost: the row says what is to be done."""
    from annotate.release.tasks import make_release

    knock_for(make_release, release)


def work_on(pk: int) -> None:
    """Make the release if it is queued; several who try at once leave it to one.

    Raises OperationalError or InterfaceError where the database is out of reach or busy: the release then stands still,
    and the sweep queues it anew.
    """
    taken = Release.objects.filter(pk=pk, state=State.QUEUED)
    if not taken.update(state=State.RUNNING, beat_at=timezone.now()):
        return
    # Here, and not above: only a worker that makes a release holds what reads and writes tables in its memory.
    from annotate.release.make import release_to

    release = Release.objects.select_related("version__dataset").get(pk=pk)
    with TemporaryDirectory() as folder:
        made = Path(folder, f"{slugify(release.version.dataset.name)}-{slugify(release.version.name)}.zip")
        try:
            with ending_for_good(f"The making of the release {pk}"), beating(lambda: _beat(pk)):
                release_to(
                    made,
                    release.version,
                    release.licence,
                    release.names,
                    lambda done, of: _beat(pk, written=done, total=of),
                )
        except DataError as error:
            _still_ours(pk).update(state=State.FAILED, error=str(error))
        else:
            _keep(release, made)


def _keep(release: Release, made: Path) -> None:
    """Store the file, unless another worker has taken the release meanwhile."""
    with transaction.atomic():
        if not _still_ours(release.pk).select_for_update().exists():
            return
        with made.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
            release.file.save(made.name, File(content), save=False)
        release.state, release.hash, release.size = State.FINISHED, digest, made.stat().st_size
        release.save(update_fields=["file", "state", "hash", "size"])


def _still_ours(pk: int) -> QuerySet[Release]:
    return Release.objects.filter(pk=pk, state=State.RUNNING)


def _beat(pk: int, **progress: int) -> None:
    Release.objects.filter(pk=pk).update(**progress, beat_at=timezone.now())
