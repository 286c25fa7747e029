"""The page of the server's state."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import User
from tests.factories import make_person

pytestmark = pytest.mark.django_db


def test_a_superuser_reads_what_the_server_lacks(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", password="root"))
    page = client.get(reverse("server")).content.decode()
    # Tests that run beside this one share the disk and DATA_DIR, of which the page may say more.
    assert re.search(r"Not everything works: [^<]*\bworkers\b", page)
    assert "No worker serves the queue long" in page
    assert "EMAIL_URL" not in page


def test_with_a_query_other_servers_are_asked_too(client: Client, settings) -> None:
    settings.SITE_URL = "http://127.0.0.1:9"  # discard: nobody listens there
    client.force_login(User.objects.create_superuser("root", password="root"))
    page = client.get(reverse("server"), {"outside": ""}).content.decode()
    assert "No e-mail is sent: EMAIL_URL is not set." in page
    assert "http://127.0.0.1:9/healthz does not answer" in page


def test_nobody_else_does(client: Client) -> None:
    client.force_login(make_person("ada"))
    assert client.get(reverse("server")).status_code == 403
