"""The name of every figure on the pages of figures links to its section of docs/statistics.md: heads of numbers in
tables, and the terms of a run's headline."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import AtomicFact
from core.caching import memory
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names


@pytest.fixture
def bios(db):
    """Two subjects with gold, and a run that supports every fact."""
    memory.clear()
    dataset = make_dataset(scheme="factscore")
    for subject in ("amber", "basalt"):
        response = make_response(dataset, ["She wrote.", "She drew."], prompt="Ada", subject=subject, frequency="rare")
        for fact, value in zip(add_facts(response, [["One."], ["Two."]]), ("supported", "not_supported"), strict=True):
            add_gold(fact, value)
    return dataset


@pytest.fixture
def run(bios):
    return add_run(bios, dict.fromkeys(AtomicFact.objects.all(), "S"))


@pytest.fixture
def rhea(bios) -> Client:
    client = Client()
    client.force_login(make_person("rhea", bios, "researcher"))
    return client


@pytest.mark.parametrize(
    ("page", "query", "some"),
    [
        ("subject-models", {}, {"F1@K", "Recall at K", "FActScore", "Bias", "Cancelling", "Share"}),
        ("subject-ranking", {}, {"F1@K", "FActScore", "Rank", "Coverage", "Labelled"}),
        ("leaderboard", {}, {"F1", "Precision", "Coverage", "Rank", "Cost"}),
        ("leaderboard", {"level": "estimate"}, {"Gold", "Estimated", "Bias", "Error rate"}),
        ("compare", {}, {"F1", "Bounds", "Units", "Coverage", "Price", "Rank"}),
        ("what-to-report", {}, {"F1", "Runs", "Coverage", "Price"}),
        ("detectable", {}, set()),
    ],
)
def test_heads_of_figures_link_to_their_definitions(bios, run, rhea, page, query, some):
    answer = rhea.get(reverse(page, args=[bios.pk]), query)

    assert answer.status_code == 200
    check_figure_names(answer.text, *some)


def test_the_headline_of_a_run_links_to_its_definitions(bios, run, rhea):
    page = rhea.get(reverse("run", args=[run.pk])).text
    # What follows the headline is no statistics.
    headline = page.partition('<section class="headline"')[2].partition("</section>")[0]

    check_figure_names(headline, "Balanced accuracy", "Coverage", "Units judged", "Cost", "Took", terms=True)
