"""The page "How figures are computed", and the links to it from figures."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from annotate.statistics.definitions import definitions
from core.anchors import anchor_of
from evaluators.leaderboard.rows import DETECTION_COLUMNS, ESTIMATE_COLUMNS
from tests.docs.test_citations import headings
from tests.docs.tree import DOCS, ROOT
from tests.factories import make_dataset, make_person

TEMPLATES = ROOT / "templates"
# A section that a figure links to, by the tag or as the parameter of a head that sorts.
NAMED = re.compile(r'{% docs "([^"]+)"|\bsection="([^"]+)"')
PAGES = sorted(TEMPLATES.rglob("*.html"))
# A page of figures: it includes or draws rates with their intervals.
FIGURES = re.compile(r"\|rate|{% whisker")
INCLUDED = re.compile(r'{% include "([^"]+)"')
# Pages whose numbers are no statistics of this house: the score of a judge at a unit.
WITHOUT_A_SECTION = {"errors/tag.html", "sharing/units.html"}


def pages_with_figures() -> list[str]:
    """The pages that extend another and show figures, by themselves or by what they include."""
    text = {str(path.relative_to(TEMPLATES)): path.read_text(encoding="utf-8") for path in PAGES}

    def whole(name: str) -> str:
        own = text[name]
        return own + "".join(whole(part) for part in INCLUDED.findall(own) if part in text and part != name)

    return [name for name, own in text.items() if "{% extends" in own and FIGURES.search(whole(name))]


def whole_text(name: str) -> str:
    own = (TEMPLATES / name).read_text(encoding="utf-8")
    parts = [part for part in INCLUDED.findall(own) if (TEMPLATES / part).exists() and part != name]
    return own + "".join(whole_text(part) for part in parts)


def test_every_section_that_a_figure_links_to_is_on_the_page():
    named = [
        (path.name, tag or head) for path in PAGES for tag, head in NAMED.findall(path.read_text(encoding="utf-8"))
    ]
    named += [("leaderboard.py", column.section) for column in (*DETECTION_COLUMNS, *ESTIMATE_COLUMNS)]
    known = set(headings(DOCS / "statistics.md"))

    assert [pair for pair in named if pair[1] not in known] == []
    assert len(named) > 25
    anchors = set(re.findall(r' id="([^"]+)"', definitions()))
    assert {anchor_of(section) for _, section in named} <= anchors


@pytest.mark.parametrize("name", sorted(set(pages_with_figures()) - WITHOUT_A_SECTION))
def test_every_page_with_figures_links_to_a_section(name):
    assert NAMED.search(whole_text(name)), name


def test_an_anchor_is_that_of_the_heading():
    assert anchor_of("May a judge replace an annotator") == "may-a-judge-replace-an-annotator"
    assert anchor_of("Wilson's interval") == "wilsons-interval"


def test_a_figure_links_to_its_section():
    link = Template('{% load docs %}{% docs "Many pairs at once" %}').render(Context())

    assert f'href="{reverse("how-computed")}#many-pairs-at-once"' in link
    assert "How it is computed: Many pairs at once" in link


def test_the_name_of_a_figure_can_be_its_link():
    page = Template('{% load docs %}{% docs "Estimated score" name "Estimate minus gold" %}')
    link = page.render(Context({"name": "Bias <b>"}))

    assert f'href="{reverse("how-computed")}#estimated-score"' in link
    assert 'title="Estimate minus gold. How it is computed: Estimated score"' in link
    assert ">Bias &lt;b&gt;</a>" in link


@pytest.mark.django_db
def test_the_page_is_open_to_strangers_of_shared_pages_too_and_sets_them_no_cookie():
    answer = Client().get(reverse("how-computed"))
    assert answer.status_code == 200
    assert not answer.cookies
    assert "Log in" not in answer.content.decode()


@pytest.mark.django_db
def test_the_page_has_all_sections_and_links_nowhere_else():
    client = Client()
    client.force_login(make_person("ada", make_dataset(), "annotator"))
    text = client.get(reverse("how-computed")).content.decode()

    assert '<h3 id="many-pairs-at-once">Many pairs at once</h3>' in text
    assert ".md" not in re.sub(r"<code>.*?</code>", "", text)
    assert "<table tabindex" in text


def test_the_page_goes_with_the_image_of_containers():
    assert "!docs/statistics.md" in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert Path(DOCS / "statistics.md").exists()
