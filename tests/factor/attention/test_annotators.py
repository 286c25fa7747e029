"""What waits to be rated or labelled is an item of the annotator; pages with nothing on them are no tabs."""

import pytest
from django.urls import reverse

from annotate.attention.read import items_of
from annotate.models import Dataset, User
from ratings.rate import rate
from tests.annotate.samples.work import responses, sample_of
from tests.factor.open_ended.work import written_study
from tests.factor.validation.work import GOOD, draw, make_benchmark
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db
TABS = ("Second looks", "Samples to rate", "Texts to label", "Completions to rate")


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def ada(dataset: Dataset) -> User:
    return make_person("ada", dataset)


def tabs_of(client, person: User, page: str, dataset: Dataset) -> list[str]:
    client.force_login(person)
    navigation = client.get(reverse(page, args=[dataset.pk])).content.decode().partition("</header>")[2]
    navigation = navigation.partition("<main")[0]
    return [tab for tab in TABS if f">{tab}<" in navigation]


def test_pages_with_nothing_on_them_are_no_tabs(client, dataset, ada):
    assert tabs_of(client, ada, "work", dataset) == []
    assert tabs_of(client, ada, "samples", dataset) == ["Samples to rate"]


def test_completions_to_rate_are_a_tab_until_they_are_rated(client, dataset, ada):
    validation = draw(make_benchmark(dataset, false=1), raters=1)
    assert [item.sentence for item in items_of(ada)] == ["1 completion to rate."]
    assert tabs_of(client, ada, "work", dataset) == ["Completions to rate"]
    rate(validation.items.get(), ada, GOOD)
    assert items_of(ada) == []
    assert tabs_of(client, ada, "work", dataset) == []


def test_sampled_responses_are_an_item(dataset, ada):
    responses(dataset, 2)
    sample_of(dataset, 2, raters=1)
    assert [item.sentence for item in items_of(ada)] == ["2 sampled items to rate."]


def test_texts_to_label_are_an_item(client):
    study = written_study()
    dataset = study.scoring.benchmark.dataset
    cleo = make_person("cleo", dataset)
    (item,) = items_of(cleo)
    assert item.sentence.endswith("to label.")
    assert item.address == reverse("open-ended-work", args=[dataset.pk])
    assert tabs_of(client, cleo, "work", dataset) == ["Texts to label"]
