"""Pages of other sites: none may ask the API by a browser, unless API_ORIGINS names their origin."""

from collections.abc import Mapping

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from config.environment import read_origins
from tests.api.conftest import client_of
from tests.factories import make_person

pytestmark = pytest.mark.django_db

ORIGIN = "https://notebooks.example"
ALLOWED = "Access-Control-Allow-Origin"


def ask_before(origin: str, path: str = "/api/v1/datasets/") -> Mapping[str, str]:
    """The headers of the answer to what a browser asks before it sends a request."""
    names = "authorization,if-match,idempotency-key"
    headers = {"Origin": origin, "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": names}
    return Client().options(path, headers=headers).headers


def test_no_other_site_may_ask_unless_it_is_named() -> None:
    assert ALLOWED not in ask_before(ORIGIN)
    answer = client_of(make_person("rhea")).get("datasets/", Origin=ORIGIN)
    assert (answer.status_code, answer.has_header(ALLOWED)) == (200, False)


@override_settings(CORS_ALLOWED_ORIGINS=[ORIGIN])
def test_pages_of_a_named_origin_ask_the_api_and_nothing_else() -> None:
    before = ask_before(ORIGIN)
    assert before[ALLOWED] == ORIGIN
    assert {"authorization", "if-match", "idempotency-key"} <= set(before["Access-Control-Allow-Headers"].split(", "))
    assert "PATCH" in before["Access-Control-Allow-Methods"]
    # No cookie is sent along, so a session of the browser is of no use to them.
    assert "Access-Control-Allow-Credentials" not in before
    answer = client_of(make_person("rhea")).get("datasets/", Origin=ORIGIN)
    assert (answer[ALLOWED], "ETag" in answer["Access-Control-Expose-Headers"]) == (ORIGIN, True)
    assert ALLOWED not in ask_before("https://other.example")
    assert ALLOWED not in ask_before(ORIGIN, "/login/")


def test_an_origin_is_scheme_and_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_ORIGINS", f"{ORIGIN}, http://127.0.0.1:8888")
    assert read_origins("API_ORIGINS") == [ORIGIN, "http://127.0.0.1:8888"]
    for wrong in ("*", "notebooks.example", f"{ORIGIN}/", "ftp://notebooks.example", "https://"):
        monkeypatch.setenv("API_ORIGINS", wrong)
        with pytest.raises(ImproperlyConfigured, match="API_ORIGINS must hold origins such as"):
            read_origins("API_ORIGINS")
