"""The navigation of a dataset: chapters, the tabs of Evaluate, and the words of each role."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Role
from annotate.templatetags.chapters import CHAPTERS
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db
LINK = re.compile(r'<a href="([^"]+)"\s*(aria-current="\w+")?>([^<]+)</a>')


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


def navigation(dataset: Dataset, role: str, page: str) -> dict[str, list[tuple[str, bool]]]:
    """The titles of each row of the navigation by its name, and whether each is current."""
    client = Client()
    client.force_login(make_person(f"a {role}", dataset, role))
    text = client.get(reverse(page, args=[dataset.pk])).content.decode()
    rows = re.findall(r'<nav class="tabs[^"]*" aria-label="([^"]+)">(.*?)</nav>', text, re.DOTALL)
    return {name: [(title, bool(current)) for _, current, title in LINK.findall(row)] for name, row in rows}


def test_evaluate_has_three_tabs_and_the_pages_of_the_one_that_is_open(dataset):
    rows = navigation(dataset, Role.RESEARCHER, "stages")

    assert rows["Evaluate"] == [("Compare", False), ("Diagnose", True), ("Subjects", False)]
    assert [title for title, _ in rows["Diagnose"]] == [
        *("Error analysis", "Stages", "Gold audit", "Effect on scores", "Label next")
    ]
    assert [title for title, current in rows["Diagnose"] if current] == ["Stages"]
    assert "Compare" not in rows


def test_researchers_read_own_words_for_what_they_may_open_of_work_and_adjudication(dataset):
    researcher = [title for title, _ in navigation(dataset, Role.RESEARCHER, "leaderboard")["Dataset"]]
    adjudicator = [title for title, _ in navigation(dataset, Role.ADJUDICATOR, "leaderboard")["Dataset"]]

    assert "Samples" in researcher and "Agreement" in researcher
    assert not {"Work", "Adjudicate"} & set(researcher)
    assert {"Work", "Adjudicate"} <= set(adjudicator)


def test_a_chapter_without_groups_lists_its_pages(dataset):
    rows = navigation(dataset, Role.RESEARCHER, "gold")

    assert rows["Gold"] == [("Gold", True), ("Links", False)]


def test_a_chapter_has_all_its_pages_in_groups_or_none():
    for chapter in CHAPTERS:
        grouped = sum(len(pages) for pages in chapter.groups.values())
        assert grouped in (0, len(chapter.pages)), chapter.title


@pytest.mark.parametrize("page", [page.address for chapter in CHAPTERS for page in chapter.pages if page.group])
def test_every_page_of_evaluate_opens_at_its_address(dataset, page):
    rows = navigation(dataset, Role.RESEARCHER, page)

    assert [title for title, current in rows["Dataset"] if current] == ["Evaluate"]
    assert sum(current for _, current in rows["Evaluate"]) == 1
