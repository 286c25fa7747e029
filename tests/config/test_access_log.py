"""The access log: one line a request, with the client's true address and without the query."""

import logging
import re

import pytest
from django.test import Client

from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "touchstone.access")
    return caplog


def test_a_line_says_who_asked_for_what_and_how_it_ended(client: Client, log: pytest.LogCaptureFixture) -> None:
    ada = make_person("ada")
    client.force_login(ada)
    client.get("/", {"q": "a text of the data"})
    assert re.fullmatch(rf"127\.0\.0\.1 {ada.pk} GET / 200 \d+ ms", log.messages[-1])


def test_somebody_who_is_not_logged_in_has_no_number(client: Client, log: pytest.LogCaptureFixture) -> None:
    client.post("/login/?next=/somewhere/")
    assert re.fullmatch(r"127\.0\.0\.1 - POST /login/ 200 \d+ ms", log.messages[-1])


def test_nobody_writes_a_line_of_their_own(client: Client, log: pytest.LogCaptureFixture) -> None:
    client.get("/a%0A203.0.113.9%201%20GET%20/%20200/")
    assert "\n" not in log.messages[-1]
    assert "%0A203.0.113.9%20" in log.messages[-1]


def test_only_a_trusted_proxy_says_the_address(client: Client, log: pytest.LogCaptureFixture, settings) -> None:
    client.get("/login/", headers={"X-Forwarded-For": "203.0.113.9"})
    assert log.messages[-1].startswith("127.0.0.1 ")
    settings.TRUSTED_PROXIES = 1
    client.get("/login/", headers={"X-Forwarded-For": "198.51.100.7, 203.0.113.9"})
    assert log.messages[-1].startswith("203.0.113.9 ")
    client.get("/login/")
    assert log.messages[-1].startswith("127.0.0.1 ")
    settings.TRUSTED_PROXIES = 2
    client.get("/login/", headers={"X-Forwarded-For": "192.0.2.1, 198.51.100.7, 203.0.113.9"})
    assert log.messages[-1].startswith("198.51.100.7 ")
    client.get("/login/", headers={"X-Forwarded-For": "203.0.113.9"})
    assert log.messages[-1].startswith("127.0.0.1 ")


def test_files_are_left_out(client: Client, log: pytest.LogCaptureFixture) -> None:
    client.get("/static/css/touchstone.css")
    assert log.messages == []
