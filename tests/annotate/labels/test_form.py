"""The plain form: every field without a script."""

import pytest

from annotate.judgements.entries import Comment, Correction, ResponseVerdict, draft_of
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.models import Edit, Response, ResponseLabel, Segment
from tests.annotate.labels.script import card, entry, script_saves
from tests.annotate.labels.work import client_of, factscore_work, felm_work, keys, named, on_page, page_of
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def test_cards_survive_the_form_that_shows_them_as_lines():
    work = felm_work()
    first = keys(work)[0]
    quoted = card("https://a.example", quote="It is odd.", stance="supports")
    script_saves(work, {first: entry("supported", references=[quoted])})
    lines = "https://a.example\r\nhttps://b.example"
    client_of(work.annotator).post(
        page_of(work), named(work, {"version": "1", f"value-{first}": "supported", f"references-{first}": lines})
    )
    work.refresh_from_db()
    assert draft_of(work)[first].references == (
        CitedReference("https://a.example", "It is odd.", "supports"),
        CitedReference("https://b.example"),
    )


def test_felm_flag_verdict_and_comment():
    work = felm_work()
    first, second = keys(work)
    name = f"keep.{Response.objects.get().pk}"
    form = {f"value-{first}": "supported", f"flagged-{first}": "on", f"value-{second}": "supported"}
    form |= {name: "no", f"reason-{name}": "Spam.", "comment": "Odd.", "version": "0", "action": "submit"}
    client_of(work.annotator).post(page_of(work), named(work, form))
    work.refresh_from_db()
    assert (work.state, work.comment) == ("submitted", "Odd.")
    assert ResponseLabel.objects.get().reason == "Spam."
    assert list(work.labels.order_by("pk").values_list("flagged", flat=True)) == [True, False]
    html = squeezed(client_of(work.annotator).get(page_of(work)).content.decode())
    for words in ("Remove: <bdi>Spam.</bdi>", "Odd.", "Flagged"):
        assert words in html


def test_factscore_irrelevance_and_correction():
    work = factscore_work()
    fact = keys(work)[1]
    one, two = Response.objects.get().segments.all()
    form = {"version": "0", f"value-{fact}": "irrelevant", f"irrelevance-{fact}": "unrelated"}
    form |= {f"edit-{one.pk}": "Ada sings.", f"edit-{two.pk}": two.text}  # the second is as it was
    client_of(work.annotator).post(page_of(work), named(work, form))
    work.refresh_from_db()
    assert draft_of(work) == {
        fact: UnitJudgement("irrelevant", irrelevance="unrelated"),
        f"edit.{one.pk}": Correction("Ada sings."),
    }


def test_what_was_submitted_shows_how_a_sentence_was_corrected():
    work = factscore_work()
    segment = Response.objects.get().segments.first()
    facts = {key: entry("supported") for key in keys(work) if "." in key}
    script_saves(work, {**facts, f"edit.{segment.pk}": {"text": "Ada sings and really dances."}}, submit=True)
    assert Edit.objects.get().text == "Ada sings and really dances."
    html = client_of(work.annotator).get(page_of(work)).content.decode()
    assert "<ins> really</ins>" in html
    assert "Added, and correcting nothing: really" in html


def test_an_old_draft_of_links_alone_is_read():
    work = felm_work()
    first = keys(work)[0]
    old = {"value": "supported", "error_type": "", "reason": "Odd.", "references": ["https://a.example"]}
    work.draft = {first: old}
    work.save()
    assert draft_of(work) == {
        first: UnitJudgement("supported", reason="Odd.", references=(CitedReference("https://a.example"),))
    }
    assert client_of(work.annotator).get(page_of(work)).status_code == 200


def test_a_verdict_and_a_comment_are_shown_again():
    work = felm_work()
    name = f"keep.{Response.objects.get().pk}"
    script_saves(work, {name: {"keep": True, "reason": ""}, "comment": {"text": "Odd."}})
    work.refresh_from_db()
    assert draft_of(work) == {name: ResponseVerdict(True), "comment": Comment("Odd.")}
    html = client_of(work.annotator).get(f"{page_of(work)}?plain").content.decode()
    assert f'name="{on_page(work, name)}" value="yes" checked' in html
    assert ">Odd.</textarea>" in html


def test_a_sentence_of_several_lines_is_not_corrected_by_being_shown():
    """The browser sends one end of a line for whatever the response had."""
    work = factscore_work()
    one = Response.objects.get().segments.first()
    Segment.objects.filter(pk=one.pk).update(text="Ada sings.\rShe dances\r\ntoo.")
    sent = {"version": "0", f"edit-{one.pk}": "Ada sings.\r\nShe dances\r\ntoo."}
    client_of(work.annotator).post(page_of(work), named(work, sent))
    work.refresh_from_db()
    assert draft_of(work) == {}
    client_of(work.annotator).post(page_of(work), named(work, sent | {f"edit-{one.pk}": "Ada sings.\r\nShe dances."}))
    work.refresh_from_db()
    assert draft_of(work) == {f"edit.{one.pk}": Correction("Ada sings.\nShe dances.")}
