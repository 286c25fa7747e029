"""The page on which Dora draws entities, looks at the cells, and collects them."""

import html
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import Membership, Role
from annotate.prompts.sample_entities import REGIONS
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

VALUES = (0, 100, 1000, 10_000, 100_000)


@pytest.fixture
def lives():
    return make_dataset("lives", scheme="factscore")


@pytest.fixture
def dora(client, lives):
    person = make_person("dora", lives, Role.ADJUDICATOR)
    client.force_login(person)
    client.person = person
    return client


def world():
    """Two entities in each of the 20 cells."""
    rows = [
        {"name": f"Person {value} {place}{n}", "region": region, "views": value}
        for value in VALUES
        for place, region in enumerate(REGIONS)
        for n in range(2)
    ]
    return SimpleUploadedFile("people.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def draw(client, dataset, size=20, **data):
    fields = {"file": world(), "size": size, "seed": 7, **data}
    return client.post(reverse("entities-draw", args=[dataset.pk]), fields)


def rows_of(page):
    return html.unescape(re.search(r'name="rows" value="([^"]*)"', page.content.decode())[1])


def test_a_file_that_is_too_large_is_refused(dora, lives, settings):
    settings.UPLOAD_LIMIT_BYTES = 100

    page = draw(dora, lives)

    assert page.status_code == 422
    assert "A larger one goes in by the command sample_entities" in page.content.decode()


def test_a_draw_shows_the_cells_and_keeps_nothing(dora, lives):
    page = draw(dora, lives, size=30)

    table = page.context["draw"].table
    assert [name for name, _ in table] == ["very rare", "rare", "medium", "frequent", "very frequent"]
    # 30 = 20 · 1 + 10: ten cells have one more.
    assert sorted(drawn for _, cells in table for drawn, _ in cells) == [1] * 10 + [2] * 10
    assert {there for _, cells in table for _, there in cells} == {2}
    assert lives.collected_prompts.count() == 0


def test_what_was_shown_is_collected(dora, lives):
    rows = rows_of(draw(dora, lives))

    page = dora.post(reverse("entities-collect", args=[lives.pk]), {"rows": rows}, follow=True)

    assert "20 prompts are new, 0 already existed." in page.content.decode()
    first = lives.collected_prompts.first()
    assert (first.text, first.frequency) == (f"Tell me a bio of {first.topic}.", "very rare")
    assert first.nationality == "North America"


def test_who_was_labelled_is_not_drawn_and_named(dora, lives):
    make_response(lives, prompt="PERSON_100 20", subject="amber")

    page = draw(dora, lives)

    assert [entity.name for entity in page.context["draw"].left_out] == ["Person 100 20"]
    assert "1 left out: they have responses" in page.content.decode()


def test_another_dataset_is_kept_apart_from_if_it_may_be_read(dora, lives):
    other, secret = (make_dataset(name, scheme="factscore") for name in ("other", "secret"))
    Membership.objects.create(user=dora.person, dataset=other, role=Role.RESEARCHER)
    Membership.objects.create(user=dora.person, dataset=secret, role=Role.ANNOTATOR)
    make_response(other, prompt="Person 0 00", subject="amber")

    page = draw(dora, lives, apart_from=[other.pk])
    assert [entity.name for entity in page.context["draw"].left_out] == ["Person 0 00"]
    assert draw(dora, lives, apart_from=[secret.pk]).status_code == 422


def test_cells_with_too_few_are_named_and_nobody_is_drawn(dora, lives):
    page = draw(dora, lives, size=41)

    assert (page.status_code, "draw" in page.context) == (422, False)
    assert "too few entities in 1 of 20 cells" in page.content.decode()


def test_an_overlap_that_came_up_since_the_draw_is_refused(dora, lives):
    rows = rows_of(draw(dora, lives, size=40))
    make_response(lives, prompt="Person 0 00", subject="amber")

    page = dora.post(reverse("entities-collect", args=[lives.pk]), {"rows": rows}, follow=True)

    assert "there are responses on" in page.content.decode()
    assert lives.collected_prompts.count() == 0


def test_what_is_no_draw_is_refused(dora, lives):
    page = dora.post(reverse("entities-collect", args=[lives.pk]), {"rows": "5"}, follow=True)

    assert "What was sent is no draw." in page.content.decode()
