"""TeX, line ends, numbers of segments and the direction of texts on pages that are read."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import Role
from annotate.templatetags.prose import markdown, typeset, written
from tests.annotate.corpus.test_pages import send
from tests.annotate.labels.work import client_of, open_for, page_of
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

HALF = r"Half is $\frac{1}{2}$.\n\nDone."


@pytest.fixture
def sums():
    return make_dataset("sums")


def test_what_is_typeset_is_escaped():
    assert typeset("<b>$x$</b>") == "&lt;b&gt;<math><mrow><mi>x</mi></mrow></math>&lt;/b&gt;"
    assert typeset("<b> & plain") == "&lt;b&gt; &amp; plain"


def test_the_text_as_written_stands_beside_what_is_typeset_and_nowhere_else():
    shown = f'<details class="written"><summary>As written</summary><p data-written>{HALF}</p></details>'
    assert written(HALF).strip() == shown
    assert written("It costs $5 <b>.") == written("Plain.") == ""


def test_several_empty_lines_are_shown_as_one_and_stay_in_the_text():
    text = "First.\n\n\n\n\nSecond.\n"
    assert typeset(text) == "First.\n\nSecond.\n"
    assert written(text).strip() == f"<p data-written hidden>{text}</p>"


def test_the_response_page_typesets_and_counts_segments_from_one(client, sums):
    response = make_response(sums, [HALF, "שלום."], domain="math")
    client.force_login(make_person("rhea", sums, Role.RESEARCHER))

    page = client.get(reverse("response", args=[response.pk])).text

    assert "<mfrac>" in page
    assert rf"<p data-written>{HALF} שלום.</p></details>" in page
    assert 'start="0"' not in page
    assert '<p class="said" dir="auto">שלום.</p>' in page


def typeset_work():
    dataset = make_dataset()
    make_response(dataset, [HALF, "It costs $5."])
    return open_for(make_person("ada", dataset), dataset)


@pytest.mark.parametrize("address", ["", "?plain"])
def test_the_workbench_typesets_and_keeps_the_text_as_written(address):
    work = typeset_work()
    page = client_of(work.annotator).get(page_of(work) + address).text

    assert page.count("<mfrac>") == 1
    assert page.count("data-written") == 1
    assert f"<p data-written>{HALF}</p>" in page
    assert '<p class="text">It costs $5.</p>' in page


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
    page = markdown("| value | key |\n|---|---|\n| Correct | S |")
    assert "<th>value</th>" in page
    assert "<td>Correct</td>" in page
