"""Paths that are kept are those that Django gives."""

import pytest
from django.templatetags.static import static
from django.urls import reverse

from core.page_paths import keyed_path, page_path, static_path


@pytest.mark.parametrize("key", ["Ab-_9xYz01234567", "KEY"])
@pytest.mark.parametrize("name", ["assignment", "assignment-save", "conversation", "skip", "evidence", "precedents"])
def test_a_page_of_an_assignment_has_its_key_in_its_path(name, key):
    assert keyed_path(name, key) == keyed_path(name, key) == reverse(name, args=[key])


def test_each_dataset_has_a_path_of_its_own():
    assert [page_path("dataset", number) for number in (1, 2, 1)] == ["/datasets/1/", "/datasets/2/", "/datasets/1/"]
    assert page_path("home") == reverse("home")


def test_a_static_file_is_where_django_has_it():
    assert static_path("js/site.js") == static("js/site.js")
