"""Releases on the gold page."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, Release, Role
from annotate.release import make
from annotate.release.release_job import ReleaseJob
from jobs.enqueue import sweep
from jobs.tasks import work
from jobs.work import work_on
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    for segment in make_response(dataset).segments.all():
        add_gold(segment, "supported")
    return dataset


@pytest.fixture
def dora(client, dataset):
    person = make_person("dora", dataset, Role.ADJUDICATOR)
    client.force_login(person)
    return person


@pytest.fixture
def enqueued(monkeypatch) -> list[int]:
    """Nobody works in the background: what would be told to the workers."""
    items: list[int] = []
    monkeypatch.setattr(work, "apply_async", lambda args, **_: items.append(args[1]))
    return items


def ask(client, dataset, **fields):
    return client.post(reverse("releases", args=[dataset.pk]), {"version": "v1", "licence": "CC0-1.0", **fields})


def test_without_a_version_the_page_says_what_to_do(client, dataset, dora) -> None:
    assert b"freeze gold first" in client.get(reverse("gold", args=[dataset.pk])).content


def test_a_release_is_asked_for_made_and_taken_away(client, dataset, dora, enqueued) -> None:
    freeze_gold(dataset, "v1")
    ask(client, dataset)
    assert "Waiting for a worker" in squeezed(client.get(reverse("gold", args=[dataset.pk])).text)

    work_on(ReleaseJob(), enqueued[0])
    release = Release.objects.get()
    assert (release.state, release.written, release.total) == ("done", 1, 1)
    answer = client.get(reverse("release-file", args=[release.pk]))
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as archive:
        assert "CC0-1.0" in archive.read("README.md").decode()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="lab-v1.zip"'


def test_the_same_release_is_made_once(client, dataset, dora, enqueued) -> None:
    freeze_gold(dataset, "v1")
    ask(client, dataset)
    ask(client, dataset)
    ask(client, dataset, names="on")
    assert len(enqueued) == Release.objects.count() == 2


def test_what_is_not_made_yet_cannot_be_taken(client, dataset, dora, enqueued) -> None:
    freeze_gold(dataset, "v1")
    ask(client, dataset)
    assert client.get(reverse("release-file", args=[Release.objects.get().pk])).status_code == 404


def test_what_a_lost_worker_left_is_queued_anew(client, dataset, dora, enqueued) -> None:
    freeze_gold(dataset, "v1")
    ask(client, dataset)
    past = "2020-01-01T00:00Z"
    Release.objects.update(
        state="leased", attempts=1, lease_owner="lost", lease_until=past, enqueued_at=past, created_at=past
    )
    assert b"No progress for a while" in client.get(reverse("gold", args=[dataset.pk])).content
    assert sweep(ReleaseJob()) == [Release.objects.get().pk]
    work_on(ReleaseJob(), enqueued[-1])
    assert Release.objects.get().state == "done"


def test_a_long_licence_is_refused(client, dataset, dora, enqueued) -> None:
    freeze_gold(dataset, "v1")
    answer = client.post(reverse("releases", args=[dataset.pk]), {"version": "v1", "licence": "x" * 101}, follow=True)
    assert b"Not created" in answer.content
    assert not Release.objects.exists()


def test_a_release_whose_file_is_gone_is_made_again(client, dataset, dora, enqueued) -> None:
    freeze_gold(dataset, "v1")
    ask(client, dataset)
    work_on(ReleaseJob(), enqueued[0])
    release = Release.objects.get()
    release.file.storage.delete(release.file.name)

    answer = client.get(reverse("release-file", args=[release.pk]), follow=True)
    assert b"is missing: create the release again" in answer.content
    ask(client, dataset)
    assert enqueued == [release.pk, release.pk]
    work_on(ReleaseJob(), release.pk)

    again = Release.objects.get()
    assert again.hash == release.hash
    assert client.get(reverse("release-file", args=[release.pk])).status_code == 200


def test_a_release_that_breaks_off_has_failed(client, dataset, dora, enqueued, monkeypatch, caplog) -> None:
    freeze_gold(dataset, "v1")
    ask(client, dataset)
    monkeypatch.setattr(make, "write_tables", lambda *_: 1 / 0)
    work_on(ReleaseJob(), enqueued[0])
    release = Release.objects.get()
    assert (release.state, release.error) == (
        "failed",
        "Something went wrong on the server, and its log says what (ZeroDivisionError).",
    )
    assert "ZeroDivisionError" in caplog.text


def test_what_annotators_are_tested_on_is_released_where_it_is_chosen(client, dataset, dora, enqueued) -> None:
    freeze_gold(dataset, "v1")
    ask(client, dataset)
    ask(client, dataset, known="on")
    assert list(Release.objects.order_by("pk").values_list("known", flat=True)) == [False, True]
    page = squeezed(client.get(reverse("gold", args=[dataset.pk])).text)
    assert "left out" in page and "included" in page and 'name="known"' in page
