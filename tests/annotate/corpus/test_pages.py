import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotate.corpus.uploads import receive
from annotate.models import Dataset, Role, Upload, User
from tests.annotate.corpus.files import factscore_row, felm_row
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset("moon")


@pytest.fixture
def dora(dataset):
    return make_person("dora", dataset, Role.ADJUDICATOR)


def as_file(*rows: object) -> SimpleUploadedFile:
    return SimpleUploadedFile("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def send(client, **fields: object):
    form = {"file": as_file(felm_row()), "dataset_name": "moon", "format": "felm", "subject": ""}
    return client.post("/import/", {**form, **fields})


def test_an_annotator_may_not_import(client, dataset):
    client.force_login(make_person("ada", dataset))
    assert client.get("/import/").status_code == 403


def test_a_sound_file_leads_to_its_preview(client, dora):
    client.force_login(dora)
    response = send(client)
    assert response.status_code == 302

    page = client.get(response.url).content.decode()
    assert "Import 1 response" in page
    assert "It is made of cheese." in page


def test_without_a_name_the_dataset_has_that_of_its_file(client):
    client.force_login(User.objects.create_superuser("root"))
    assert send(client, dataset_name="").status_code == 302
    assert Upload.objects.get().dataset_name == "rows"


def test_a_file_adds_to_no_dataset_that_nobody_named(client, dora):
    client.force_login(User.objects.create_superuser("root"))
    make_dataset("rows")
    answer = send(client, dataset_name="")
    assert answer.status_code == 422
    assert "that of the file is taken already" in answer.content.decode()
    assert not Upload.objects.exists()


def test_the_rule_that_cuts_sentences_is_chosen_and_shown(client, dora):
    client.force_login(dora)
    row = {"prompt": "Who was he?", "response": "Wow! He ran home. She left."}
    sent = send(client, file=as_file(row), format="responses", sentences="released-code")
    assert Upload.objects.get().sentences == "released-code"
    page = client.get(sent.url).content.decode()
    assert '<li dir="auto">Wow! He ran home.' in page
    assert "sentences: As FActScore" in page
    assert send(client, sentences="by eye").status_code == 422


def test_a_form_without_a_rule_takes_ours(client, dora):
    client.force_login(dora)
    page = client.get(send(client).url).content.decode()
    assert Upload.objects.get().sentences == "repaired"
    assert "sentences:" not in page


def test_what_is_wrong_with_a_file_is_said_at_the_form(client, dora):
    client.force_login(dora)
    response = send(client, file=SimpleUploadedFile("rows.jsonl", b"{}\n"))
    assert response.status_code == 422
    assert "rows.jsonl, line 1: the key &#x27;index&#x27; is missing" in response.content.decode()


def test_another_persons_dataset_cannot_be_named(client, dora):
    make_dataset("sun")
    client.force_login(dora)
    for name in ("sun", "new"):
        assert "You may not write into a dataset of this name" in send(client, dataset_name=name).content.decode()


def test_a_factscore_file_needs_its_subject(client, dora):
    client.force_login(dora)
    response = send(client, file=as_file(factscore_row()), format="factscore")
    assert "name it here" in response.content.decode()


def test_a_file_that_is_too_large_is_refused(client, dora, settings):
    settings.UPLOAD_LIMIT_BYTES = 100
    client.force_login(dora)
    assert "A larger one goes in by the command import_dataset" in send(client).content.decode()


def named(name: str, *rows: object) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, as_file(*rows).read())


def test_several_files_and_a_folder_come_as_one(client):
    client.force_login(User.objects.create_superuser("root"))
    parts = [named("moon-1.jsonl", felm_row()), named("moon-2.jsonl", felm_row("8"))]
    page = squeezed(client.get(send(client, file=parts, dataset_name="").url).content.decode())
    assert "<h1>moon.zip</h1>" in page and "Import 2 responses" in page
    # The files of a folder, of which one stands in a folder of that: a browser sends their bare names.
    rows = [named("README.md"), named("rows.jsonl", felm_row()), named("rows.jsonl", felm_row("8"))]
    page = squeezed(client.get(client.post("/import/", {"folder": rows}).url).content.decode())
    assert "<h1>rows.zip</h1>" in page and "Import 2 responses" in page


def test_several_files_of_several_kinds_are_not_taken(client, dora):
    client.force_login(dora)
    for field in ("file", "folder"):
        files = [named("rows.jsonl", felm_row()), named("rows.csv", felm_row())]
        answer = client.post("/import/", {field: files, "dataset_name": "moon"})
        assert answer.status_code == 422
        assert "files of several kinds (.csv, .jsonl)" in answer.content.decode().replace("are of", "files of")
    assert "Choose a file." in client.post("/import/", {"dataset_name": "moon"}).content.decode()
    assert not Upload.objects.exists()


def test_an_upload_is_its_owners_alone(client, dora, dataset):
    upload = receive(dora, as_file(felm_row()), "moon", "felm", "")
    client.force_login(make_person("cleo", dataset, Role.ADJUDICATOR))
    assert client.get(f"/import/{upload.pk}/").status_code == 404
    assert client.post(f"/import/{upload.pk}/confirm/").status_code == 404
    assert client.post(f"/import/{upload.pk}/discard/").status_code == 404


def test_confirming_queues_the_import_and_the_page_tells_how_far_it_is(client, dora):
    upload = receive(dora, as_file(felm_row()), "moon", "felm", "")
    client.force_login(dora)
    client.post(f"/import/{upload.pk}/confirm/")

    upload.refresh_from_db()
    assert (upload.state, upload.confirmed_at is None) == ("waiting", False)
    fragment = client.get(f"/import/{upload.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "0 of 1 responses stored" in fragment
    assert "<html" not in fragment


def test_a_file_can_be_discarded_until_it_is_confirmed(client, dora):
    client.force_login(dora)
    first = receive(dora, as_file(felm_row()), "moon", "felm", "")
    second = receive(dora, as_file(felm_row()), "moon", "felm", "")
    Upload.objects.filter(pk=second.pk).update(confirmed_at=timezone.now())
    for upload in (first, second):
        client.post(f"/import/{upload.pk}/discard/")
    assert Upload.objects.get() == second
