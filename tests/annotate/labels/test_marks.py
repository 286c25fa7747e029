"""Marks on units: kept with the draft, rows after submission, no part of a label."""

import pytest
from django.urls import reverse

from annotate.judgements.entries import parse_entry
from annotate.judgements.judgement import JudgementError, UnitJudgement
from annotate.labels.returned import take_back
from annotate.labels.submit import submit
from annotate.models import Assignment, Dataset, Label, UnitMark
from tests.annotate.labels.test_returned import fresh
from tests.annotate.labels.work import client_of, factscore_work, felm_work, keys, page_keys, page_of

pytestmark = pytest.mark.django_db

PLAIN, CUT = UnitJudgement("supported"), UnitJudgement("supported", mark="cut", mark_note="Two sentences.")


def store(work: Assignment, *values: UnitJudgement) -> Assignment:
    """The draft with these judgements, in reading order."""
    work.draft = {key: value.stored() for key, value in zip(keys(work), values, strict=True)}
    work.save()
    return work


def marks() -> list[tuple[int, str, str, str]]:
    return list(UnitMark.objects.values_list("segment__position", "kind", "note", "state"))


def test_a_mark_becomes_a_row_when_it_is_submitted():
    work = store(felm_work(), PLAIN, CUT)
    assert marks() == []
    submit(work)
    assert marks() == [(1, "cut", "Two sentences.", "open")]


def test_a_sentence_with_facts_can_be_marked_without_a_label():
    work = factscore_work()
    values = [UnitJudgement(mark="cut") if "." not in key else PLAIN for key in keys(work)]
    submit(store(work, *values))
    assert marks() == [(0, "cut", "", "open"), (1, "cut", "", "open")]
    assert Label.objects.filter(fact=None).count() == 0


def test_a_unit_with_a_mark_needs_its_label():
    work = store(felm_work(), PLAIN, UnitJudgement(mark="no_claim"))
    with pytest.raises(ValueError, match="1 of 2 is still open"):
        submit(work)


def test_taken_back_work_keeps_its_mark_and_a_mark_that_goes_is_no_new_label():
    work = store(felm_work(), PLAIN, CUT)
    submit(work)
    again = take_back(fresh(work))
    assert list(again.draft.values()) == [PLAIN.stored(), CUT.stored()]
    submit(store(again, PLAIN, PLAIN))
    assert marks() == [(1, "cut", "Two sentences.", "withdrawn")]
    assert Label.objects.count() == 2


def test_an_unmarked_judgement_is_stored_as_before_there_were_marks():
    assert "mark" not in PLAIN.stored()
    assert parse_entry("1", PLAIN.stored()) == PLAIN
    assert parse_entry("1", CUT.stored()) == CUT


def test_an_unknown_mark_and_half_a_mark_are_refused():
    with pytest.raises(JudgementError, match="does not have the fields"):
        parse_entry("1", {**PLAIN.stored(), "mark": "cut"})
    work = felm_work()
    entry = {**PLAIN.stored(), "mark": "odd", "mark_note": ""}
    body = {"version": 0, "entries": {page_keys(work)[0]: entry}, "worked": []}
    answer = client_of(work.annotator).post(
        reverse("assignment-save", args=[work.key]), body, content_type="application/json"
    )
    assert answer.status_code == 422
    assert fresh(work).draft == {}


def test_the_plain_form_marks_too():
    work = felm_work()
    one, two = page_keys(work)
    form = {"version": 0, f"mark-{one}": "cut", f"note-{one}": "Odd.", f"mark-{two}": "", f"note-{two}": "No mark."}
    client_of(work.annotator).post(page_of(work), {**form, "action": "save"})
    assert list(fresh(work).draft.values()) == [UnitJudgement(mark="cut", mark_note="Odd.").stored()]


def test_a_dataset_can_take_no_claim_for_irrelevant():
    work = felm_work()
    Dataset.objects.update(no_claim_is_irrelevant=True)
    one, two = page_keys(work)
    body = {
        "version": 0,
        "entries": {one: PLAIN.stored(), two: UnitJudgement(mark="no_claim").stored()},
        "worked": [],
        "submit": True,
    }
    save = reverse("assignment-save", args=[work.key])
    assert client_of(work.annotator).post(save, body, content_type="application/json").status_code == 200
    assert list(work.labels.order_by("segment__position").values_list("value", "error_type")) == [
        ("supported", ""),
        ("irrelevant", "irrelevant"),
    ]
    assert marks() == [(1, "no_claim", "", "open")]
