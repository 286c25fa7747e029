"""What a response's references say: the file's words first, then a frozen page's."""

import pytest

from annotate.models import ReferenceLink
from evaluators.methods.base import Reference
from evaluators.runs.references import read_references
from tests.annotate.links.pages import dead, frozen
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db
PAGE = "https://example.org/odd"


def contents(*rows):
    """What the references with these links and contents say."""
    response = make_response(make_dataset())
    for position, (url, content) in enumerate(rows):
        ReferenceLink.objects.create(response=response, position=position, url=url, content=content)
    return [reference.content for reference in read_references([response.pk])[response.pk]]


def test_a_link_without_contents_says_what_its_page_said_when_it_was_first_frozen():
    frozen(PAGE, "One is odd.")
    frozen(PAGE, "One is even.")

    assert contents((PAGE, None), (PAGE + "#first", " ")) == ["One is odd.", "One is odd."]


def test_contents_of_the_file_go_before_a_frozen_page():
    frozen(PAGE, "One is odd.")

    assert contents((PAGE, "From the file."), (PAGE, None)) == ["From the file.", "One is odd."]


def test_what_was_not_reached_says_nothing():
    dead(PAGE)

    assert contents((PAGE, None), ("no address", None), (None, "Words."), ("", "")) == [None, None, "Words.", ""]


def test_a_reference_keeps_its_link():
    response = make_response(make_dataset())
    ReferenceLink.objects.create(response=response, position=0, url=PAGE)

    assert read_references([response.pk]) == {response.pk: [Reference(PAGE, None)]}
