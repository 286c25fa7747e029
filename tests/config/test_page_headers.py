"""No page of somebody who is logged in is kept by a cache, and none loads anything of other sites."""

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.exceptions import NoReverseMatch

from annotate.models import Role
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


def patterns(of: list[URLPattern | URLResolver]) -> list[URLPattern]:
    return [each for one in of for each in ([one] if isinstance(one, URLPattern) else patterns(one.url_patterns))]


def test_every_address_of_a_data_set_answers_with_what_is_not_kept(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    asked = 0
    for pattern in patterns(get_resolver().url_patterns):
        try:
            address = reverse(pattern.name or "", args=[dataset.pk] if pattern.pattern.converters else [])
        except NoReverseMatch:  # it asks for more than a dataset, or is an admin page
            continue
        if "logout" in address:
            continue
        kept = client.get(address)["Cache-Control"]
        assert "no-store" in kept or kept == "private, no-cache", address
        asked += 1
    assert asked > 60


@pytest.mark.parametrize("page", ["account_login", "home"])
def test_without_a_log_in_too(client: Client, page: str) -> None:
    assert "no-store" in client.get(reverse(page))["Cache-Control"]


def test_a_page_loads_nothing_of_other_sites_and_the_documentation_its_pictures_too(client: Client) -> None:
    policy = client.get(reverse("account_login"))["Content-Security-Policy"]
    assert {"default-src 'none'", "script-src 'self'", "img-src 'self'"} <= set(policy.split("; "))
    client.force_login(make_person("ada", make_dataset()))
    documentation = client.get(reverse("api-documentation"))["Content-Security-Policy"]
    assert set(documentation.split("; ")) - set(policy.split("; ")) == {"img-src 'self' data:"}
