"""Which page each topic of a dataset is looked up on."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.models import Role, SourceOwner
from knowledge.models import Redirect
from tests.factories import make_dataset, make_person, make_response, own_source
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    dataset = make_dataset("lab")
    for number, topic in enumerate(["Bee", "Honey-Bee", "Owl"]):
        response = make_response(dataset, ["It is."], prompt=f"Tell of it {number}.")
        type(response.prompt).objects.filter(pk=response.prompt_id).update(topic=topic)
    source = make_source(Bee="Bees dance.", Honey_bee="They make honey.", Tawny_owl="Owls watch.")
    own_source(dataset, source)
    dataset.refresh_from_db()
    return dataset


@pytest.fixture
def as_dora(client, dataset):
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    return client


def report(capsys, *words):
    call_command("resolve_topics", "lab", *words, "--json")
    return json.loads(capsys.readouterr().out)


def test_the_report_names_topics_without_a_page_and_those_found_by_other_rules(dataset, capsys):
    assert report(capsys) == {
        "dataset": "lab",
        "source": "insects",
        "topics": 3,
        "resolved": 2,
        "rules": {"exact": 1, "accents and punctuation": 1},
        "by_other_rules": [{"topic": "Honey-Bee", "title": "Honey bee", "rule": "accents and punctuation"}],
        "without_page": [{"topic": "Owl", "candidates": []}],
    }


def test_a_page_is_named_by_the_command(dataset, capsys):
    assert report(capsys, "--page", "Owl", "Tawny owl")["without_page"] == []


def test_a_page_that_is_not_there_cannot_be_named_and_then_none_is(dataset):
    with pytest.raises(CommandError, match="insects has no page titled 'Eagle owl'"):
        call_command("resolve_topics", "lab", "--page", "Bee", "Honey bee", "--page", "Owl", "Eagle owl")

    assert not Redirect.objects.exists()


def test_a_dataset_without_a_source_is_an_error(db):
    make_dataset("bare")
    with pytest.raises(CommandError, match="bare has no knowledge source"):
        call_command("resolve_topics", "bare")


def test_a_page_is_named_on_the_page(as_dora, dataset):
    assert "1 topics have no similar title" in as_dora.get(reverse("topics", args=[dataset.pk])).content.decode()

    as_dora.post(reverse("topic-name", args=[dataset.pk]), {"topic": "Owl", "title": "Tawny owl"})

    page = as_dora.get(reverse("topics", args=[dataset.pk])).content.decode()
    assert "All topics have a page." in page
    assert "by hand" in page


def test_the_source_of_anothers_dataset_is_not_changed(as_dora, dataset):
    SourceOwner.objects.update(dataset=make_dataset("theirs"))
    answer = as_dora.post(reverse("topic-name", args=[dataset.pk]), {"topic": "Owl", "title": "Tawny owl"})

    assert answer.status_code == 422
    assert not Redirect.objects.exists()


def test_many_topics_cost_few_queries(as_dora, dataset, django_assert_max_num_queries):
    as_dora.get(reverse("account"))  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(14):
        as_dora.get(reverse("topics", args=[dataset.pk]))
