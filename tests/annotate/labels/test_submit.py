"""Submission: complete, at once, for good."""

import pytest

from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.labels.draft import SaveOutcome
from annotate.labels.submit import SubmitError, submit
from annotate.models import Guideline, Label
from annotate.tasks.places import give_back
from tests.annotate.labels.work import factscore_work, felm_work, save

pytestmark = pytest.mark.django_db

SUPPORTED, WRONG, OFF = UnitJudgement("supported"), UnitJudgement("not_supported"), UnitJudgement("irrelevant")


def values() -> list[tuple[str, str]]:
    return [((label.fact or label.segment).text, label.value) for label in Label.objects.order_by("pk")]


def test_a_complete_draft_becomes_labels():
    work = felm_work()
    saved = save(
        work,
        u0=SUPPORTED,
        u1=UnitJudgement(
            "not_supported", "knowledge", "Even.", (CitedReference("https://a.example"), CitedReference("b"))
        ),
    )
    _, wrong = submit(saved.assignment)
    assert values() == [("One is odd.", "supported"), ("Two is odd.", "not_supported")]
    assert (wrong.error_type, wrong.reason, wrong.revision) == ("knowledge", "Even.", 0)
    assert list(wrong.references.values_list("url", flat=True)) == ["https://a.example", "b"]
    work.refresh_from_db()
    assert (work.state, work.draft, work.lease_until) == ("submitted", {}, None)


def test_an_incomplete_draft_is_refused():
    saved = save(felm_work(), u0=SUPPORTED)
    with pytest.raises(SubmitError, match="1 of 2 is still open"):
        submit(saved.assignment)
    assert not Label.objects.exists()


def test_nothing_is_submitted_twice_and_nothing_changes_afterwards():
    saved = save(felm_work(), u0=SUPPORTED, u1=WRONG)
    submit(saved.assignment)
    with pytest.raises(SubmitError):
        submit(saved.assignment)
    assert save(saved.assignment, u0=WRONG).outcome is SaveOutcome.SUBMITTED
    assert Label.objects.count() == 2


def test_a_place_given_back_cannot_be_submitted():
    saved = save(felm_work(), u0=SUPPORTED, u1=WRONG)
    give_back(saved.assignment)
    with pytest.raises(SubmitError):
        submit(saved.assignment)


def test_an_error_needs_no_type():
    submit(save(felm_work(), u0=SUPPORTED, u1=WRONG).assignment)
    assert Label.objects.get(value="not_supported").error_type == ""


def test_labels_keep_the_guidelines_in_force():
    work = felm_work()
    for version in (1, 2):
        Guideline.objects.create(dataset=work.task.dataset, version=version, text="Be kind.")
    submit(save(work, u0=SUPPORTED, u1=WRONG).assignment)
    assert {label.guideline.version for label in Label.objects.all()} == {2}


def test_an_irrelevant_sentence_is_one_label_and_its_facts_none():
    submit(save(factscore_work(), u0=OFF, u1=WRONG, u4=SUPPORTED).assignment)
    assert values() == [("Ada sings and dances.", "irrelevant"), ("Ada is old.", "supported")]
