"""Releases that are asked for on the page: made by a worker, kept, and given out as often as they are wanted."""

from annotate.models import Dataset, GoldVersion, Release, User
from annotate.release.licence import check_licence
from jobs.enqueue import enqueue
from jobs.work import sweep_expired

State = Release.State


def ask_for(version: GoldVersion, licence: str, names: bool, who: User, known: bool = False) -> Release:
    """Enqueue the release, or find the one that is there; one that failed, or whose file is gone, is made again.
    DataError: the licence."""
    release, created = Release.objects.get_or_create(
        version=version, licence=check_licence(licence), names=names, known=known, defaults={"created_by": who}
    )
    ended = Release.objects.filter(pk=release.pk, state=State.DONE if release.is_gone else State.FAILED)
    if ended.put(State.WAITING, attempts=0, error="", settled_at=None) or created:
        enqueue(release)
        release.refresh_from_db()
    return release


def releases_of(dataset: Dataset) -> list[Release]:
    """The dataset's, the last first."""
    return list(Release.objects.filter(version__dataset=dataset).select_related("version", "created_by"))


def try_again(dataset: Dataset) -> int:
    """Enqueue the dataset's releases that nobody works on; how many there were."""
    releases = Release.objects.filter(version__dataset=dataset)
    sweep_expired(releases)
    return len([enqueue(release) for release in releases.due()])
