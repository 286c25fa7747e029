"""A provider that is configured, and a browser that goes there and comes back."""

import html
import http.client
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from tests.fake_provider import CLIENT, SECRET, FakeProvider, fake_provider


@pytest.fixture(autouse=True)
def no_counts() -> None:
    cache.clear()


@pytest.fixture
def provider(settings: Any) -> Iterator[FakeProvider]:
    with fake_provider() as running:
        settings.OIDC_SERVER = running.issuer
        settings.OIDC_CLIENT_ID = CLIENT
        settings.OIDC_CLIENT_SECRET = SECRET
        settings.OIDC_NAME = "University log-in"
        yield running


def leave(client: Client, address: str, **fields: Any) -> str:
    """Press the button: the address that the page leads to."""
    page = client.post(address, fields)
    assert page.status_code == 200
    refresh = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', page.text)
    assert refresh is not None
    return html.unescape(refresh[1])


def visit(address: str) -> str:
    """Where the provider sends the browser: path and query."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    assert answer.status == 302
    back = urlsplit(answer.headers["Location"])
    connection.close()
    assert back.netloc == "testserver"
    return f"{back.path}?{back.query}"


def travel(client: Client, address: str, **fields: Any) -> HttpResponse:
    """There and back."""
    return client.get(visit(leave(client, address, **fields)))
