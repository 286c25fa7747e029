"""The level of what is judged has the word of the dataset's scheme wherever it is named."""

import pytest
from django.urls import reverse

from annotate.models import Segment
from annotate.statistics.figures import build_dataset_stats
from annotate.statistics.tables import domains_table
from core.caching import memory
from evaluators.comparison.levels import level_title
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def sea():
    memory.clear()
    dataset = make_dataset("sea", "claims")
    for number in range(3):
        response = make_response(dataset, [f"Claim {number}."], prompt="", domain="nature")
        add_gold(response.segments.get(), "not_supported" if number else "supported")
    return dataset


@pytest.fixture
def run(sea):
    run = add_run(sea, dict.fromkeys(Segment.objects.filter(response__dataset=sea), "N"))
    for response in sea.responses.all():
        run.items.create(response=response, position=response.position, state="done")
    return run


@pytest.fixture
def rhea(sea, client):
    client.force_login(make_person("rhea", sea, "researcher"))
    return client


@pytest.mark.parametrize(
    ("scheme", "level", "title"), [("claims", "segment", "Claims"), ("felm", "segment", "Segments")]
)
def test_the_scheme_names_the_level(db, scheme, level, title):
    assert level_title(level, scheme) == title
    assert level_title("response", scheme) == "Whole responses"
    assert level_title("fact", "factscore") == "Facts"


@pytest.mark.parametrize("name", ["leaderboard", "compare", "detectable", "combinations"])
def test_pages_of_figures_say_claims(sea, run, rhea, name):
    text = squeezed(rhea.get(reverse(name, args=[sea.pk])).content.decode())
    assert "Claims" in text
    assert ">Segments<" not in text


def test_captions_of_printed_tables_say_claims(sea, run, rhea):
    for name, table in (("leaderboard", "leaderboard"), ("compare", "evaluators")):
        answer = rhea.get(reverse(name, args=[sea.pk]), {"table": table, "as": "latex"})
        assert "claims (n = 3)" in answer.content.decode()


def test_the_page_of_the_run_and_the_statistics_say_claims(sea, run, rhea):
    assert "Claim 1" in squeezed(rhea.get(reverse("run", args=[run.pk])).content.decode())
    heads = domains_table(build_dataset_stats(sea)).heads
    assert "Claims" in heads
    assert "Words a claim" in heads
