"""The tables of the statistics page, taken away."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from tests.core.latex import caption_of, printed_tables, rows_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def taken(client: Client, dataset, name: str) -> list[dict[str, str]]:
    answer = client.get(reverse("statistics", args=[dataset.pk]), {"table": name, "as": "csv"})
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


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


def test_every_table_of_the_page_is_printed_with_a_caption(rhea):
    for name, scheme, subject in (("lab", "felm", ""), ("lives", "factscore", "amber")):
        dataset = make_dataset(name, scheme)
        make_person("rhea", dataset, "researcher")
        make_response(dataset, subject=subject, frequency="rare" if subject else "")
        printed = printed_tables(rhea, reverse("statistics", args=[dataset.pk]))
        assert "sizes" in printed
        assert all(f"{name} (current gold, not frozen)" in caption_of(text) for text in printed.values())


def test_the_sizes_of_subject_models_have_a_line_each_with_the_interval_in_a_cell(rhea):
    """Of each of eight responses of amber one of two facts is supported, of basalt none."""
    dataset = make_dataset("lives", "factscore")
    make_person("rhea", dataset, "researcher")
    for subject, first in (("amber", "supported"), ("basalt", "not_supported")):
        for place in range(8):
            response = make_response(dataset, ["One."], f"Topic {place}.", subject=subject)
            for fact, value in zip(add_facts(response, [["One.", "Two."]]), (first, "not_supported"), strict=True):
                add_gold(fact, value)

    amber, basalt = taken(rhea, dataset, "sizes")
    assert (amber["Subject model"], amber["Prompts"], amber["FActScore"]) == ("amber", "8", "0.5")
    assert float(basalt["FActScore low"]) == 0 < float(basalt["FActScore high"])
    heads, *rows = rows_of(printed_tables(rhea, reverse("statistics", args=[dataset.pk]))["sizes"])
    assert heads == ["Subject model", "Prompts", "Responding", "Facts a response", "FActScore"]
    assert rows[0][-1].startswith("0.50 [")


def test_a_table_that_is_not_there_is_not_found(rhea):
    dataset = make_dataset()
    make_person("rhea", dataset, "researcher")
    assert rhea.get(reverse("statistics", args=[dataset.pk]), {"table": "none"}).status_code == 404
