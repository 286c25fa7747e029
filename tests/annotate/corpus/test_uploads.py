from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotate.corpus import importing
from annotate.corpus.upload_job import UploadJob
from annotate.corpus.uploads import confirm, may_upload, may_write, receive
from annotate.models import Dataset, Import, Membership, Response, Role, Segment, Upload, User
from core.errors import DataError
from jobs.leases import lease_items
from jobs.progress import is_not_picked_up
from jobs.work import work_on
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


def as_confirmed(upload: Upload) -> None:
    """As `confirm` leaves it, without a message in the queue."""
    Upload.objects.filter(pk=upload.pk).update(confirmed_at=timezone.now())


def test_a_file_is_checked_as_it_comes_and_nothing_is_stored(dora, file):
    upload = receive(dora, file, "moon", "felm", "")

    assert (upload.state, upload.confirmed_at) == ("waiting", None)
    assert (upload.preview["created"], upload.preview["unchanged"], upload.preview["makes_dataset"]) == (2, 0, True)
    assert upload.preview["rows"][0]["segments"][1] == {
        "text": "It is made of cheese.",
        "value": "not_supported",
        "said": "",
        "facts": 0,
        "claims": [],
    }
    assert not Dataset.objects.exists()


def test_a_bad_file_is_not_kept(dora):
    with pytest.raises(DataError, match="line 1: not JSON"):
        receive(dora, SimpleUploadedFile("bad.jsonl", b"index,domain\n"), "moon", "felm", "")
    assert not Upload.objects.exists()
    assert not list(Path(settings.STORAGES["default"]["OPTIONS"]["location"]).glob("imports/*/bad*"))


def test_a_queued_file_is_imported_once_and_then_forgotten(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    path = Path(upload.file.path)
    as_confirmed(upload)
    work_on(UploadJob(), upload.pk)
    work_on(UploadJob(), upload.pk)

    upload.refresh_from_db()
    assert (upload.state, upload.written, upload.dataset.name) == ("done", 2, "moon")
    assert Response.objects.visible().count() == 2
    assert Membership.objects.get().role == Role.ADJUDICATOR
    assert not path.parent.exists()


# A word alone at the beginning: the published code joins it to the next sentence (docs/methods.md, Sentences).
EXCLAIMED = b'{"prompt": "Who was he?", "response": "Wow! He ran home. She left."}'


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("repaired", ["Wow!", "He ran home.", "She left."]),
        ("released-code", ["Wow! He ran home.", "She left."]),
    ],
)
def test_sentences_are_cut_by_the_chosen_rule_in_the_preview_and_in_the_dataset(dora, rule, expected):
    upload = receive(dora, SimpleUploadedFile("rows.jsonl", EXCLAIMED), "moon", "responses", sentences=rule)
    assert [each["text"] for each in upload.preview["rows"][0]["segments"]] == expected
    as_confirmed(upload)
    work_on(UploadJob(), upload.pk)
    assert list(Segment.objects.order_by("position").values_list("text", flat=True)) == expected


def test_a_file_that_was_not_confirmed_is_not_imported(dora, file):
    work_on(UploadJob(), receive(dora, file, "moon", "felm", "").pk)
    assert not Dataset.objects.exists()


def test_what_makes_the_import_fail_is_kept_for_its_owner(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    make_dataset("moon", scheme="felm")
    as_confirmed(upload)
    work_on(UploadJob(), upload.pk)

    upload.refresh_from_db()
    assert (upload.state, upload.error) == ("failed", "You can no longer import into moon.")
    assert not Response.objects.exists()


def test_an_upload_that_stands_still_can_be_queued_again(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    as_confirmed(upload)
    lease_items(UploadJob().waiting(upload.pk), "lost", 1, 3)
    Upload.objects.update(lease_until="2001-01-01T00:00Z")
    upload.refresh_from_db()
    assert is_not_picked_up(upload)

    confirm(upload)
    upload.refresh_from_db()
    assert upload.state == "waiting"
    assert not is_not_picked_up(upload)


def test_an_upload_that_is_being_imported_is_not_queued_again(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    as_confirmed(upload)
    lease_items(UploadJob().waiting(upload.pk), "alive", 1, 3)
    confirm(upload)
    upload.refresh_from_db()
    assert (upload.state, upload.enqueued_at) == ("leased", None)


def test_an_upload_waits_while_another_import_has_the_dataset(dora, file):
    upload = receive(dora, file, "moon", "felm", "")
    as_confirmed(upload)
    dataset = make_dataset("moon", scheme="felm")
    Membership.objects.create(user=dora, dataset=dataset, role=Role.ADJUDICATOR)
    other = Import.objects.create(dataset=dataset, format="felm", file_name="other.jsonl")
    work_on(UploadJob(), upload.pk)
    upload.refresh_from_db()
    assert (upload.state, upload.attempts, upload.not_before > timezone.now()) == ("waiting", 0, True)
    assert not is_not_picked_up(upload)

    Import.objects.filter(pk=other.pk).update(beat_at="2001-01-01T00:00Z")
    Upload.objects.update(not_before=None)
    work_on(UploadJob(), upload.pk)
    upload.refresh_from_db()
    assert (upload.state, upload.written) == ("done", 2)


def test_who_may_write_where():
    dataset = make_dataset("moon")
    ada, dora, rhea = make_person("ada", dataset), make_person("dora", dataset, Role.ADJUDICATOR), make_person("rhea")
    rhea = may_add(rhea)

    assert [may_write(person, "moon") for person in (ada, dora, rhea)] == [False, True, False]
    assert [may_write(person, "sun") for person in (ada, dora, rhea)] == [False, False, True]
    assert [may_upload(person) for person in (ada, dora, rhea)] == [False, True, True]


def test_an_import_that_breaks_off_has_failed(dora, file, monkeypatch, caplog):
    upload = receive(dora, file, "moon", "felm", "")
    as_confirmed(upload)
    monkeypatch.setattr(importing, "FORMATS", {"felm": None})
    work_on(UploadJob(), upload.pk)
    upload.refresh_from_db()
    reason = "Something went wrong on the server, and its log says what (AttributeError)."
    assert (upload.state, upload.attempts, upload.error) == ("failed", 3, reason)
    assert "broke off" in caplog.text
    assert not Path(upload.file.path).parent.exists()
