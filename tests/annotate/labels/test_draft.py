"""Drafts: checked, versioned, alive as long as their place."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.judgements.entries import draft_of
from annotate.judgements.judgement import CitedReference, JudgementError, UnitJudgement, check_judgement
from annotate.judgements.units import readings_of
from annotate.labels.draft import SaveOutcome, check_draft, progress, save_draft
from annotate.models import Assignment
from annotate.tasks.places import lapse_expired
from annotate.tasks.serving import open_next
from tests.annotate.labels.work import factscore_work, felm_work, keys, save
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db

SUPPORTED, WRONG, OFF = UnitJudgement("supported"), UnitJudgement("not_supported"), UnitJudgement("irrelevant")


def test_a_save_is_kept_and_counted():
    saved = save(
        felm_work(),
        u0=UnitJudgement("not_supported", "knowledge", "Two is even.", (CitedReference("https://a.example"),)),
    )
    assert saved.outcome is SaveOutcome.SAVED
    assert saved.assignment.draft_version == 1
    [entry] = draft_of(saved.assignment).values()
    assert entry == UnitJudgement("not_supported", "knowledge", "Two is even.", (CitedReference("https://a.example"),))


def test_what_is_empty_is_not_kept():
    work = felm_work()
    assert check_draft(work.task.dataset, readings_of(work.task), {keys(work)[0]: UnitJudgement()}) == {}


def test_a_stale_page_is_refused():
    work = felm_work()
    save(work, u0=SUPPORTED)
    stale = save(work, u0=WRONG)  # `work` still carries version 0
    assert stale.outcome is SaveOutcome.STALE
    assert [each.value for each in draft_of(stale.assignment).values()] == ["supported"]


def test_the_same_text_again_is_saved_whatever_the_version():
    work = felm_work()
    save(work, u0=SUPPORTED)
    again = save(work, u0=SUPPORTED)
    assert (again.outcome, again.assignment.draft_version) == (SaveOutcome.SAVED, 1)


def test_a_save_renews_the_lease():
    work = felm_work()
    later = timezone.now() + timedelta(hours=1)
    saved = save_draft(work, {}, 0, later)
    assert saved.assignment.lease_until > work.lease_until


def test_a_save_brings_back_a_lapsed_place_that_is_still_free():
    work = felm_work()
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    lapse_expired(work.task.dataset)
    saved = save(work, u0=SUPPORTED)
    assert (saved.outcome, saved.assignment.state) == (SaveOutcome.SAVED, "open")


def test_a_save_on_a_lost_place_keeps_the_text_and_says_so():
    work = felm_work()
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    assert open_next(work.task.dataset, make_person("ben", work.task.dataset)).task == work.task
    saved = save(work, u0=WRONG)
    assert (saved.outcome, saved.assignment.state) == (SaveOutcome.LOST, "lapsed")
    assert [each.value for each in draft_of(saved.assignment).values()] == ["not_supported"]


def test_a_closed_task_takes_no_draft():
    work = felm_work()
    work.task.closed_at = timezone.now()
    work.task.save()
    assert save(work, u0=WRONG).outcome is SaveOutcome.CLOSED


def test_an_address_of_another_task_is_refused():
    work = felm_work()
    with pytest.raises(JudgementError, match="999999 is not an address"):
        check_draft(work.task.dataset, readings_of(work.task), {"999999": SUPPORTED})


@pytest.mark.parametrize(
    ("judgement", "message"),
    [
        (UnitJudgement("true"), "unknown value"),
        (UnitJudgement("not_supported", "typo"), "unknown error type"),
        (UnitJudgement("irrelevant", "knowledge"), "cannot be of the type"),
        (UnitJudgement("supported", reason="a\0b"), "cannot keep"),
        (UnitJudgement("supported", reason="a" * 10_001), "longer than 10,000"),
        (UnitJudgement("supported", references=(CitedReference("https://a.example"),) * 51), "more than 50"),
    ],
)
def test_what_breaks_a_rule_is_refused(judgement, message):
    with pytest.raises(JudgementError, match=message):
        check_judgement(judgement, make_dataset(), whole_sentence=True)


@pytest.mark.parametrize("judgement", [UnitJudgement("irrelevant"), UnitJudgement("not_supported", "irrelevant")])
def test_felm_type_and_value_irrelevant_bring_each_other(judgement):
    assert check_judgement(judgement, make_dataset(), True) == UnitJudgement("irrelevant", "irrelevant")


def test_a_factscore_sentence_as_a_whole_can_only_be_irrelevant():
    dataset = make_dataset(scheme="factscore")
    assert check_judgement(OFF, dataset, whole_sentence=True) == OFF
    with pytest.raises(JudgementError, match="only be irrelevant"):
        check_judgement(SUPPORTED, dataset, whole_sentence=True)


def test_progress_counts_the_facts():
    saved = save(factscore_work(), u1=SUPPORTED)  # addresses: sentence, fact, fact, sentence, fact
    now = progress(readings_of(saved.assignment.task), draft_of(saved.assignment))
    assert (now.done, now.total, now.complete) == (1, 3, False)


def test_an_irrelevant_sentence_needs_no_values_for_its_facts():
    saved = save(factscore_work(), u0=OFF, u4=WRONG)
    assert progress(readings_of(saved.assignment.task), draft_of(saved.assignment)).complete
