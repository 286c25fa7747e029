"""The pages of one's tokens."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from annotate.models import Role, User
from api.models import Token
from api.rest.access import TokenThrottle
from audit.models import AuditEntry
from tests.api.conftest import ApiClient, client_of
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora() -> User:
    return make_person("dora", make_dataset("numbers"), Role.ADJUDICATOR)


@pytest.fixture
def web(dora: User) -> Client:
    """A browser in which Dora has just given her password."""
    client = Client()
    client.force_login(dora)
    client.post("/account/confirm/", {"password": "dora"})
    return client


FORM = {"name": "notebook", "scopes": ["read", "evaluate"], "days": "30"}


def test_a_token_is_made_shown_once_and_opens_the_api(web: Client) -> None:
    page = web.post("/account/tokens/new/", FORM).content.decode()
    text = re.findall(r'value="(ts_[\w-]{43})"', page)
    assert len(text) == 1
    assert ApiClient(text[0]).get("datasets/").status_code == 200
    assert text[0] not in web.get("/account/tokens/").content.decode()
    token = Token.objects.get()
    assert (token.scope_names, token.last_used_at is not None) == (["read", "evaluate"], True)
    assert text[0] not in repr(vars(token))
    assert AuditEntry.objects.filter(action="token-created", object_name="notebook").exists()


def test_a_token_is_made_by_who_gives_the_password_again(dora: User) -> None:
    client = Client()
    client.force_login(dora)
    answer = client.post("/account/tokens/new/", FORM)
    assert (answer.status_code, Token.objects.count()) == (302, 0)
    assert answer["Location"].startswith("/account/confirm/")


def test_a_revoked_token_opens_nothing(web: Client) -> None:
    text = re.findall(r'value="(ts_[\w-]{43})"', web.post("/account/tokens/new/", FORM).content.decode())[0]
    web.post(f"/account/tokens/{Token.objects.get().pk}/revoke/")
    assert ApiClient(text).get("datasets/").status_code == 401
    assert AuditEntry.objects.filter(action="token-revoked").count() == 1


def test_nobody_revokes_the_token_of_somebody_else(web: Client, dora: User) -> None:
    web.post("/account/tokens/new/", FORM)
    other = Client()
    other.force_login(make_person("ada"))
    assert other.post(f"/account/tokens/{Token.objects.get().pk}/revoke/").status_code == 404
    assert Token.objects.valid().count() == 1


def test_a_token_needs_a_right_and_a_dataset_of_ones_own(web: Client) -> None:
    other = make_dataset("letters")
    answer = web.post("/account/tokens/new/", {"name": "notebook", "days": "30", "dataset": other.pk})
    assert (answer.status_code, Token.objects.count()) == (422, 0)
    assert set(answer.context["form"].errors) == {"scopes", "dataset"}


def test_the_access_log_names_the_person_of_a_token(dora: User, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "touchstone.access"):
        client_of(dora).get("datasets/")
    assert f" {dora.pk} GET /api/v1/datasets/ 200 " in caplog.text


def test_too_many_requests_of_one_token_have_to_wait(dora: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenThrottle, "rate", "2/min", raising=False)
    cache.clear()  # counts of tokens of rolled-back tests, whose keys these have
    eager, other = client_of(dora), client_of(dora)
    assert [eager.get("datasets/").status_code for _ in range(2)] == [200, 200]
    refused = eager.get("datasets/")
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 0 < int(refused["Retry-After"]) <= 60
    assert other.get("datasets/").status_code == 200
