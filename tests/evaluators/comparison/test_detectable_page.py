"""The page that says what a dataset can show, and its part on the page of a new run."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab():
    """Forty responses in science of an error and a correct segment each, and one in math."""
    dataset = make_dataset("lab")
    for place in range(41):
        first, second = make_response(dataset, domain="science" if place else "math").segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    return dataset


def open_page(dataset, query="", **headers):
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client.get(reverse("detectable", args=[dataset.pk]) + query, headers=headers)


def test_each_level_and_slice_has_its_smallest_difference(lab):
    text = squeezed(open_page(lab).content.decode())

    assert "Segments: over all 82, differences of F1 below" in text
    assert "Whole responses: over all 41" in text
    assert "none: too few units" in text  # math


def test_better_evaluators_can_be_imagined(lab):
    text = squeezed(open_page(lab, "?recall=0.9&false_alarms=0.05&by=length").content.decode())

    assert "recall 0.900 and a false alarm rate of 0.050" in text
    assert "words" in text


def test_a_rate_that_cannot_be_read_is_named_and_the_usual_one_taken(lab):
    text = open_page(lab, "?recall=2").content.decode()

    assert "less than or equal to 0.99" in text
    assert "recall 0.500" in text


def test_more_pairs_tested_together_need_a_larger_difference(lab):
    """1.96 + 0.84 standard errors for one pair, 2.81 + 0.84 for ten. Eleven ran: with one more there are 66 pairs."""
    for name in "abcdefghijk":
        add_run(lab, {}, name=name)

    client = Client()
    client.force_login(make_person("rhea", lab, "researcher"))
    address = reverse("detectable", args=[lab.pk])
    assert "by a test of one pair at 5 %" in squeezed(client.get(address, {"comparisons": 1}).text)
    text = squeezed(client.get(address).text)
    assert "by a test at 5 % for 66 pairs together" in text
    assert "by 0.400 between the two" in text


def test_an_unknown_slicing_is_not_found(lab):
    assert open_page(lab, "?by=nothing").status_code == 404


def test_the_page_of_a_new_run_takes_the_differences_alone(lab):
    text = open_page(lab, **{"HX-Request": "true"}).content.decode()

    assert "<h1>" not in text
    assert "differences of F1 below" in text


def test_without_gold_it_says_what_to_do():
    assert "No gold yet" in open_page(make_dataset("empty")).content.decode()


def test_names_of_figures_link_to_their_definitions(lab):
    check_figure_names(open_page(lab).text, "Units", "Smallest difference of F1")
