"""Texts on the pages that show them: Markdown and TeX, raw texts, numbers of segments and directions."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.html import escape

from annotate.judgements.units import LabelUnit
from annotate.models import Role
from annotate.templatetags.prose import unit_text, written
from core.rendering import rendered_prose
from tests.annotate.corpus.test_pages import send
from tests.annotate.labels.work import client_of, open_for, page_of
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

HALF = r"Half is $\frac{1}{2}$.\n\nDone."


@pytest.fixture
def sums():
    return make_dataset("sums")


def test_the_raw_text_stands_beside_what_is_shown_otherwise_and_nowhere_else():
    assert (
        written(HALF).strip()
        == f'<details class="written"><summary>Raw text</summary><p data-written>{HALF}</p></details>'
    )
    assert written("It costs 5 <b>.") == written("One.\nTwo.") == ""


def test_the_response_page_typesets_and_counts_segments_from_one(client, sums):
    response = make_response(sums, [HALF, "שלום."], domain="math")
    client.force_login(make_person("rhea", sums, Role.RESEARCHER))

    page = client.get(reverse("response", args=[response.pk])).text

    assert "<mfrac>" in page
    assert rf"<p data-written>{HALF} שלום.</p></details>" in page
    assert 'start="0"' not in page
    assert '<div class="said" dir="auto">שלום.</div>' in page


def typeset_work():
    dataset = make_dataset()
    make_response(dataset, [HALF, "It costs $5."])
    return open_for(make_person("ada", dataset), dataset)


def test_the_workbench_shows_a_segment_within_its_response_and_keeps_its_raw_text():
    dataset = make_dataset()
    response = make_response(dataset, ["**One.", "Two** `<i>`.", HALF, "It costs 5."])
    work = open_for(make_person("ada", dataset), dataset)
    page = client_of(work.annotator).get(page_of(work)).text

    assert '<div class="text"><strong>One.</strong></div><p data-written hidden>**One.</p>' in page
    assert '<div class="text"><strong>Two</strong> <code>&lt;i&gt;</code>.</div>' in page
    assert page.count("<mfrac>") == 1
    assert page.count("data-written") == 3
    assert '<div class="text">It costs 5.</div>' in page

    without_scripts = client_of(work.annotator).get(page_of(work) + "?plain").text
    assert '<div class="text"><strong>One.</strong></div>' in without_scripts
    assert f"<p data-written>{escape(response.text)}</p>" in without_scripts


def test_a_segment_that_is_not_found_in_its_response_is_shown_by_itself():
    response = make_response(make_dataset(), ["**One. Two**"])
    segment = response.segments.get()
    segment.text = "*Three*"
    assert unit_text(LabelUnit(segment, None, required=True), response) == "<em>Three</em>"


def test_the_offsets_of_segments_are_those_of_the_stored_text():
    work = typeset_work()
    response = work.task.responses.get()
    segment = response.segments.first()
    assert response.text[segment.start : segment.end] == segment.text == HALF


def test_the_preview_and_the_overview_have_the_direction_of_their_texts(client, sums):
    make_response(sums, ["שלום."], prompt="למה?")
    client.force_login(make_person("dora", sums, Role.ADJUDICATOR))
    sent = send(
        client,
        dataset_name="sums",
        format="responses",
        file=SimpleUploadedFile("rows.csv", "prompt,response\nלמה?,שלום.\n".encode()),
    )

    assert '<li dir="auto">שלום.' in client.get(sent.url).text
    assert '<span dir="auto">למה?</span>' in client.get(reverse("dataset", args=[sums.pk])).text


def test_guidelines_are_shown_before_they_are_saved(client, sums):
    client.force_login(make_person("dora", sums, Role.ADJUDICATOR))
    table = "| value | key |\n|---|---|\n| Correct | S |"

    page = client.post(reverse("guidelines-save", args=[sums.pk]), {"text": table, "since": "0", "preview": "1"}).text

    assert "<td>Correct</td>" in page
    assert f"{table}</textarea>" in page
    assert not sums.guidelines.exists()


def test_guidelines_have_tables():
    page = rendered_prose("| value | key |\n|---|---|\n| Correct | S |")
    assert "<th>value</th>" in page
    assert "<td>Correct</td>" in page


def test_the_list_marks_a_long_response_of_one_segment(client, sums):
    long = make_response(sums, ["word " * 61])
    make_response(sums, ["word " * 61, "More."])
    client.force_login(make_person("adam", sums, Role.ADJUDICATOR))
    page = client.get(reverse("dataset", args=[sums.pk])).text
    assert page.count("not cut") == 1
    assert f'<a href="{reverse("segments-edit", args=[long.pk])}">not cut</a>' in page


def test_small_talk_is_marked_for_whoever_labels_it(sums):
    make_response(sums, ["Sure!", "Ada was born in 1815."])
    work = open_for(make_person("ada", sums), sums)
    for query in ("", "?plain"):
        assert client_of(work.annotator).get(page_of(work) + query).text.count("Perhaps no claim") == 1
