"""Text with a NUL is refused before any page sees it: PostgreSQL can neither keep it nor look for it."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import reverse

from annotate.models import Dataset, Membership, Role, User
from config.nul import RefuseNul
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

REFUSAL = "the character NUL"


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def dora(dataset: Dataset, client: Client) -> User:
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    client.force_login(dora)
    return dora


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("guidelines-save", {"text": "a\x00b"}),
        ("member-add", {"name": "a\x00b", "role": "annotator"}),
        ("member-add", {"name": "ada", "\x00": "annotator"}),
        ("gold", {"name": ["v1", "a\x00b"]}),
    ],
)
def test_a_form_with_a_nul_is_refused_in_words(dora, client, dataset, page, said):
    answer = client.post(reverse(page, args=[dataset.pk]), said)
    assert answer.status_code == 400
    assert REFUSAL in answer.text
    assert (Membership.objects.count(), dataset.guidelines.count()) == (1, 0)


@pytest.mark.parametrize(
    ("page", "query"),
    [("dataset", "domain=%00"), ("oversight-work", "person=a&person=%00"), ("dataset", "%00=math")],
)
def test_a_query_with_a_nul_is_refused_in_words(dora, client, dataset, page, query):
    answer = client.get(f"{reverse(page, args=[dataset.pk])}?{query}")
    assert answer.status_code == 400
    assert REFUSAL in answer.text


def test_who_is_not_logged_in_is_sent_to_log_in_first(client, dataset):
    answer = client.get(f"{reverse('dataset', args=[dataset.pk])}?domain=%00")
    assert answer.status_code == 302
    assert client.get(answer.url).status_code == 200


def test_a_name_with_a_nul_does_not_log_in(client):
    assert client.post(reverse("account_login"), {"login": "a\x00", "password": "a"}).status_code == 400


def test_what_is_ordinary_passes(dora, client, dataset):
    assert client.get(f"{reverse('dataset', args=[dataset.pk])}?domain=math").status_code == 200
    client.post(reverse("guidelines-save", args=[dataset.pk]), {"text": "Look it up.\r\n\tThen cite it."})
    assert dataset.guidelines.count() == 1


def test_files_and_bodies_of_json_are_left_to_those_who_read_them():
    make, middleware = RequestFactory(), RefuseNul(lambda request: None)
    uploaded = make.post("/", {"name": "a", "file": SimpleUploadedFile("a.bin", b"\x00")})
    assert middleware.process_view(uploaded) is None
    written = make.post("/", json.dumps({"text": "\x00"}), content_type="application/json")
    assert middleware.process_view(written) is None
    assert written.read() != b""


def test_a_form_sent_to_where_json_is_read_is_refused(dora, client, dataset):
    response = make_response(dataset)
    assert client.post(reverse("facts-save", args=[response.pk]), {"version": "0"}).status_code == 422
