"""In a process of the house: Ada saves while a backup is made, and goes on where it is restored."""

from pathlib import Path

from django.core.files.base import ContentFile
from django.db import transaction

from annotate.models import Assignment, Dataset, Release, Segment, User
from tests.annotate.labels.script import entry, script_saves
from tests.annotate.labels.work import keys, open_for
from tests.factories import make_dataset, make_person, make_response

LOADED = "under load"
SEGMENTS = ("One is odd.", "Two is odd.", "Three is odd.")


def prepare() -> str:
    """Ada's open task, and a file of a release; its name."""
    dataset = make_dataset(LOADED)
    make_response(dataset)
    open_for(make_person("ada under load", dataset), dataset)
    release = Release.objects.all()[0]
    release.file.save("moved.zip", ContentFile(b"a release"))
    return str(release.file.name)


def label_on(saved: str, end: str) -> None:
    """Save until the file `end` is there; `saved` holds the version of the last save that was acknowledged."""
    while not Path(end).exists():
        version = label_once()
        part = Path(f"{saved}.part")
        part.write_text(str(version))
        part.replace(saved)


def label_once() -> int:
    """Save a draft, and add a response with its segments in one transaction; the draft's version."""
    own = Assignment.objects.get(annotator=User.objects.get(username="ada under load"))
    # What is saved again as it was makes no version.
    value = "not_supported" if own.draft_version % 2 else "supported"
    answer = script_saves(own, {keys(own)[0]: entry(value)}, version=own.draft_version)
    assert answer.status_code == 200, answer.content
    with transaction.atomic():
        make_response(Dataset.objects.get(name=LOADED), SEGMENTS)
    return draft_version()


def draft_version() -> int:
    return int(Assignment.objects.get(annotator__username="ada under load").draft_version)


def segments_of_responses() -> set[int]:
    """How many segments the responses have that were added under load."""
    added = Dataset.objects.get(name=LOADED).responses.order_by("position")[1:]
    return {Segment.objects.filter(response=response).count() for response in added}
