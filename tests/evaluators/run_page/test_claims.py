"""The claims that a run extracted by itself, on its page."""

import re

import pytest
from django.urls import reverse

from evaluators.run_page.responses import shown_of
from llm.models import Call, Endpoint
from tests.evaluators.comparison.test_extraction import add_claims
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def claimed(dataset, ada):
    """Ada's run, which of the first response has a claim of both segments and one of none, of the others one each."""
    responses = list(dataset.responses.order_by("position"))
    first, second = responses[0].segments.all()
    add_claims(ada, responses[0], ("N", first, second), ("S",))
    for response in responses[1:]:
        add_claims(ada, response, ("S", response.segments.all()[1]))
    ada.extracted_claims.filter(position=1).update(text="A <b>claim</b> of nothing.", rationale="Looked & found none.")
    return ada


def read(client, run, query=""):
    answer = client.get(reverse("run", args=[run.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def test_the_page_has_the_figures_of_the_claims(claimed, rhea):
    text = read(rhea, claimed)

    figures = re.findall(r"<th scope=\"row\" title=[^>]*>([^<]+)</th> <td class=\"num\">(\d+ of \d+)</td>", text)
    # Six segments with gold; four claims. The first, of both segments, is called an error as one of them is.
    assert figures == [
        ("Claim precision", "3 of 3"),
        ("Units covered", "4 of 6"),
        ("Units missed", "2 of 6"),
        ("Claims invented", "1 of 4"),
        ("Claims merged", "1 of 4"),
    ]


def test_claims_stand_below_the_units_of_their_response(claimed, rhea):
    text = read(rhea, claimed)

    assert text.count("Claims of the method") == 3
    assert "A &lt;b&gt;claim&lt;/b&gt; of nothing." in text
    assert "Looked &amp; found none." in text
    assert "No unit says this." in text


def test_claims_of_no_unit_and_of_several_can_be_shown(claimed, rhea):
    invented, merged = (read(rhea, claimed, f"?show={show}") for show in ("invented", "merged"))

    assert "1 response</span>" in invented
    assert "of nothing." in invented
    assert ">2 units</span>" not in invented
    assert "1 response</span>" in merged
    assert ">2 units</span>" in merged
    assert "of nothing." not in merged


def test_a_word_of_a_claim_finds_its_response(claimed, rhea):
    assert "1 response</span>" in read(rhea, claimed, "?q=nothing")


def test_a_run_without_claims_says_nothing_of_them(ada, rhea):
    text = read(rhea, ada)

    assert "Claims of its own" not in text
    assert set(shown_of(ada)) == {"", "disagreeing", "unparsed", "failed", "errors"}


def test_the_answer_of_a_claim_is_a_link_away(claimed, rhea):
    endpoint = Endpoint.objects.create(shared=True, name="e", base_url="http://localhost/v1")
    call = Call.objects.create(
        endpoint=endpoint, request_hash="0" * 64, model="m", request={"messages": []}, answer="So.", seconds=1
    )
    claimed.extracted_claims.get(position=1).calls.add(call)
    address = reverse("run-call", args=[claimed.pk, call.pk])

    assert address in read(rhea, claimed)
    assert "of nothing." in rhea.get(address).content.decode()
