"""The largest body by who sends it and to what; nothing of a larger one is read."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import reverse

from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.models import Role, User
from config.bodies import SMALL, LimitBody
from tests.annotate.labels.script import script_saves
from tests.annotate.labels.work import keys, open_for
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

FORM_LIMIT = 2_621_440  # DATA_UPLOAD_MAX_MEMORY_SIZE, Django's own


@pytest.fixture
def dora(client: Client) -> User:
    dora = make_person("dora", make_dataset(), Role.ADJUDICATOR)
    client.force_login(dora)
    return dora


def test_who_is_not_logged_in_may_send_a_name_and_a_password(client: Client):
    fits = {"login": "dora", "password": "x" * (SMALL - 400)}
    assert client.post(reverse("account_login"), fits).status_code == 200
    answer = client.post(reverse("account_login"), {**fits, "next": "x" * 1000})
    assert answer.status_code == 413
    assert "what was sent has" in answer.text
    assert "16.0" in answer.text


def test_a_form_in_many_parts_is_no_way_around(client: Client, dora: User):
    """Files count to no limit of Django's own: a view that takes none would have them on the disk."""
    dataset = dora.memberships.get().dataset
    large = SimpleUploadedFile("a.bin", b"x" * FORM_LIMIT)
    answer = client.post(reverse("guidelines-save", args=[dataset.pk]), {"text": "Look.", "file": large})
    assert answer.status_code == 413
    assert dataset.guidelines.count() == 0


def test_pages_that_take_files_take_larger_ones(client: Client, dora: User, settings):
    content = b"x" * FORM_LIMIT
    assert client.post(reverse("import"), {"file": SimpleUploadedFile("a.jsonl", content)}).status_code == 422
    settings.UPLOAD_LIMIT_BYTES = 1024
    assert client.post(reverse("import"), {"file": SimpleUploadedFile("a.jsonl", content)}).status_code == 413


@pytest.mark.parametrize(
    "page",
    [
        "prompts-import",
        "entities-draw",
        "knowledge-upload",
        "benchmark-import",
        "bundle",
        "prompt-sets",
        "import-predictions",
    ],
)
def test_every_page_with_a_field_for_files_is_among_them(client: Client, dora: User, page: str):
    dataset = dora.memberships.get().dataset
    large = SimpleUploadedFile("a.bin", b"x" * FORM_LIMIT)
    assert client.post(reverse(page, args=[dataset.pk]), {"file": large}).status_code != 413


def test_nothing_of_a_body_without_its_length_is_read(rf: RequestFactory):
    request = rf.post("/login/", HTTP_TRANSFER_ENCODING="chunked")
    request.user = AnonymousUser()
    answer = LimitBody(lambda request: None).process_view(request, lambda request: None, (), {})
    assert answer is not None
    assert answer.status_code == 413
    assert not request._read_started


def test_the_draft_of_a_larger_task_than_any_published_one_passes():
    """FELM's longest response has 38 segments, FActScore's 63 facts; here each of 100 has a reason and five sources."""
    dataset = make_dataset()
    make_response(dataset, tuple(f"Sentence {number} is long." for number in range(100)))
    work = open_for(make_person("ada", dataset), dataset)
    sources = tuple(CitedReference(f"https://example.org/{number}", "q" * 1000, "refutes") for number in range(5))
    entry = UnitJudgement("not_supported", "knowledge", "r" * 3000, sources).stored()
    answer = script_saves(work, dict.fromkeys(keys(work), entry))
    assert answer.status_code == 200, answer.text
    work.refresh_from_db()
    assert len(work.draft) == 100
