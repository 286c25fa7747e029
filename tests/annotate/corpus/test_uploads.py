from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotate.corpus import importing
from annotate.corpus.uploads import confirm, may_upload, may_write, path_of, receive, work_on
from annotate.leased.beats import is_still
from annotate.models import Dataset, Membership, Response, Role, Upload, User
from core.errors import DataError
from tests.annotate.corpus.files import felm_row, write_rows
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


def may_add(person: User) -> User:
    person.user_permissions.add(Permission.objects.get(codename="add_dataset"))
    return User.objects.get(pk=person.pk)


@pytest.fixture
def dora() -> User:
    return may_add(make_person("dora"))


@pytest.fixture
def file(tmp_path) -> SimpleUploadedFile:
    content = write_rows(tmp_path / "rows.jsonl", felm_row(), felm_row("8")).read_bytes()
    return SimpleUploadedFile("moon rows.jsonl", content)


def as_queued(upload: Upload) -> None:
    """As `confirm` leaves it, without the knock."""
    Upload.objects.filter(pk=upload.pk).update(state=Upload.State.QUEUED)


def test_a_file_is_checked_as_it_comes_and_nothing_is_stored(dora, file):
    upload = receive(dora, file, "moon", "felm", "")

    assert upload.state == "checked"
    assert (upload.found["created"], upload.found["unchanged"], upload.found["makes_dataset"]) == (2, 0, True)
    assert upload.found["rows"][0]["segments"][1] == {
        "text": "It is made of cheese.",
        "value": "not_supported",
        "facts": 0,
    }
    assert not Dataset.objects.exists()


def test_a_bad_file_is_not_kept(dora):
    with pytest.raises(DataError, match="line 1: not JSON"):
        receive(dora, SimpleUploadedFile("bad.jsonl", b"index,domain\n"), "moon", "felm", "")
    assert not Upload.objects.exists()
    assert not list(Path(settings.STORAGES["default"]["OPTIONS"]["location"]).glob("imports/*/bad*"))


def test_a_queued_file_is_imported_once_and_then_forgotten(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    path = path_of(upload)
    as_queued(upload)
    work_on(upload.pk)
    work_on(upload.pk)

    upload.refresh_from_db()
    assert (upload.state, upload.written, upload.dataset.name) == ("finished", 2, "moon")
    assert Response.objects.visible().count() == 2
    assert Membership.objects.get().role == Role.ADJUDICATOR
    assert not path.parent.exists()


def test_a_file_that_was_not_confirmed_is_not_imported(dora, file):
    work_on(receive(dora, file, "moon", "felm", "").pk)
    assert not Dataset.objects.exists()


def test_what_makes_the_import_fail_is_kept_for_its_owner(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    make_dataset("moon", scheme="felm")
    as_queued(upload)
    work_on(upload.pk)

    upload.refresh_from_db()
    assert (upload.state, upload.error) == ("failed", "You may no longer write into moon.")
    assert not Response.objects.exists()


def test_an_upload_that_stands_still_can_be_queued_again(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    long_ago = timezone.now() - timedelta(hours=1)
    Upload.objects.update(state=Upload.State.RUNNING, beat_at=long_ago)
    upload.refresh_from_db()
    assert is_still(upload)

    confirm(upload)
    upload.refresh_from_db()
    assert upload.state == "queued"
    assert not is_still(upload)


def test_an_upload_that_is_being_imported_is_not_queued_again(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    Upload.objects.update(state=Upload.State.RUNNING, beat_at=timezone.now())
    confirm(upload)
    upload.refresh_from_db()
    assert upload.state == "running"


def test_who_may_write_where():
    dataset = make_dataset("moon")
    ada, dora, rhea = make_person("ada", dataset), make_person("dora", dataset, Role.ADJUDICATOR), make_person("rhea")
    rhea = may_add(rhea)

    assert [may_write(person, "moon") for person in (ada, dora, rhea)] == [False, True, False]
    assert [may_write(person, "sun") for person in (ada, dora, rhea)] == [False, False, True]
    assert [may_upload(person) for person in (ada, dora, rhea)] == [False, True, True]


def test_an_import_that_breaks_off_has_failed(dora, file, monkeypatch, caplog):
    upload = receive(dora, file, "moon", "felm", "")
    as_queued(upload)
    monkeypatch.setattr(importing, "FORMATS", {"felm": None})
    work_on(upload.pk)
    upload.refresh_from_db()
    assert (upload.state, upload.error) == ("failed", "Something went wrong on the server, and its log says what.")
    assert "broke off" in caplog.text
