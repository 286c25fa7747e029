"""The tables of the statistics page, taken away."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def taken(client: Client, dataset, name: str) -> list[dict[str, str]]:
    answer = client.get(reverse("statistics-tables", args=[dataset.pk]), {"table": name, "as": "csv"})
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


@pytest.fixture
def rhea() -> Client:
    client = Client()
    client.force_login(make_person("rhea"))
    return client


def test_sizes_come_unrounded_by_domain(rhea):
    dataset = make_dataset()
    make_person("rhea", dataset, "researcher")
    for values in (("supported", "not_supported"), ("supported", "supported"), ("supported", "supported")):
        for segment, value in zip(make_response(dataset).segments.all(), values, strict=True):
            add_gold(segment, value)
    whole, math = taken(rhea, dataset, "sizes")

    assert math["Domain"] == "Math"
    assert whole["Responses with an error"] == str(1 / 3)
    assert (whole["Segments"], whole["Error"]) == ("6", "1")


def test_every_table_that_the_page_links_to_is_there(rhea):
    for name, scheme, subject in (("lab", "felm", ""), ("lives", "factscore", "amber")):
        dataset = make_dataset(name, scheme)
        make_person("rhea", dataset, "researcher")
        make_response(dataset, subject=subject, frequency="rare" if subject else "")
        page = rhea.get(reverse("statistics", args=[dataset.pk])).content.decode()
        address = reverse("statistics-tables", args=[dataset.pk])
        links = [part.split('"')[0] for part in page.split(f'href="{address}')[1:]]
        assert links
        for link in links:
            assert rhea.get(address + link.replace("&amp;", "&")).status_code == 200, link


def test_no_table_is_not_found(rhea):
    dataset = make_dataset()
    make_person("rhea", dataset, "researcher")
    assert rhea.get(reverse("statistics-tables", args=[dataset.pk])).status_code == 404
